import { utcMoment } from '../../../kernel/text/staff-languages.js';
import type { Role } from '../accounts.types.js';
import type { Guessing, Invited, Letters, LetterText } from './letter-texts.js';

const momentText = (at: Date) => utcMoment(at, 'de');

/** As the dashboard says them. */
export const GERMAN_ROLES: Readonly<Record<Role, string>> = {
  owner: 'Inhaber',
  developer: 'Entwickler',
  reviewer: 'Prüfer',
  'read-only': 'nur lesend',
};

export const german: Letters = {
  invitation(invited, url) {
    const by = invited.invitedBy === 'cli' ? 'Der Betreiber dieses Dienstes' : invited.invitedBy;
    return {
      subject: `Einladung auf Rappen: ${placeText(invited)}`,
      text:
        `${by} lädt Sie ein: ${placeText(invited)}.\n\nÖffnen Sie diesen Link, um die Einladung anzusehen und sie ` +
        `anzunehmen oder abzulehnen. Er gilt einmal, bis ${momentText(invited.expiresAt)}, und nur für Sie:\n\n${url}\n\n` +
        'Haben Sie das nicht erwartet, beachten Sie es nicht: Ohne den Link geschieht nichts.\n',
    };
  },

  proof: (url, expiresAt) => ({
    subject: 'Ist das Ihre Adresse? Bestätigen Sie sie auf Rappen',
    text:
      'Jemand, der mit dieser Adresse bei Rappen angemeldet ist, bat uns zu bestätigen, dass sie ihm gehört. Waren Sie es, ' +
      `öffnen Sie diesen Link im selben Browser, bis ${momentText(expiresAt)}:\n\n${url}\n\n` +
      'Waren Sie es nicht, benutzt jemand Ihre Adresse: Öffnen Sie den Link nicht, und sagen Sie es dem Betreiber des ' +
      'Dienstes.\n',
  }),

  reset: ({ url, expiresAt, ip }) => ({
    subject: 'Wählen Sie ein neues Passwort auf Rappen',
    text:
      'Jemand hat für Ihr Konto auf Rappen ein neues Passwort verlangt. Waren Sie es, öffnen Sie diesen Link, um eines zu ' +
      `wählen. Er gilt einmal, bis ${momentText(expiresAt)}:\n\n${url}\n\n` +
      'Alle Sitzungen enden damit. Ihre Authenticator-App, Passkeys und Wiederherstellungscodes bleiben, und es wird wie ' +
      'bisher nach ihnen gefragt.\n\n' +
      `Waren Sie es nicht, beachten Sie das nicht: Ohne den Link ändert sich nichts. Verlangt wurde es von ${ip}.\n`,
  }),

  guessed: (guessing, url) => {
    const { subject, text } = guessing.by === 'stranger' ? byStranger(guessing) : byOneInside(guessing);
    return { subject, text: `${text}\nIhr Konto: ${url}\n` };
  },

  unfinished: (ip, url) => ({
    subject: 'Jemand hat Ihr Passwort auf Rappen eingegeben',
    text:
      'Jemand hat Ihr richtiges Passwort in einem Browser eingegeben, der als neu gilt, und danach ' +
      `weder einen Code noch einen Passkey. Es kam von ${ip}.\n\nWaren Sie es, ist nichts zu tun. Waren Sie es nicht, kennt ` +
      'jemand Ihr Passwort: Melden Sie sich an, und ändern Sie es jetzt, auch überall sonst, wo Sie es benutzen. Ihre Codes ' +
      `oder Passkeys haben ihn bisher aufgehalten.\n\nIhr Konto: ${url}\n`,
  }),
};

const WRONG: Readonly<Record<Guessing['guessed'], string>> = {
  password: 'falsche Passwörter',
  code: 'falsche Codes',
};

function byOneInside({ guessed, by, ip }: Guessing): LetterText {
  const where =
    by === 'session'
      ? 'in einer Sitzung, die bei Ihrem Konto angemeldet ist'
      : 'in einem Browser, in dem Sie sich schon angemeldet haben';
  return {
    subject: `Immer wieder ${WRONG[guessed]} bei Ihrem Konto auf Rappen`,
    text:
      `Jemand gibt ${WRONG[guessed]} ein, ${where}.${from(ip)}\n\nWaren Sie es nicht, benutzt jemand anders Ihr Gerät ` +
      'oder hat Ihre Sitzung übernommen: Ändern Sie Ihr Passwort jetzt, auf einem Gerät, dem Sie vertrauen, und beenden ' +
      'Sie alle anderen Sitzungen unter «Ihr Konto».\n',
  };
}

function byStranger({ guessed, ip }: Guessing): LetterText {
  if (guessed === 'code')
    return {
      subject: 'Jemand kennt Ihr Passwort auf Rappen',
      text:
        `Jemand hat Ihr richtiges Passwort eingegeben und dann falsche Codes.${from(ip)}\n\nWaren Sie es nicht: Melden ` +
        'Sie sich an, und ändern Sie Ihr Passwort jetzt. Ihre Codes oder Passkeys haben ihn bisher aufgehalten.\n',
    };
  return {
    subject: 'Jemand versucht Passwörter bei Ihrem Konto auf Rappen',
    text:
      `Jemand versucht, sich mit Ihrer Adresse und falschen Passwörtern anzumelden.${from(ip)}\n\nEr muss jedes Mal ` +
      'länger warten; Sie nicht, in einem Browser, in dem Sie sich schon angemeldet haben. Benutzen Sie Ihr Passwort sonst ' +
      'irgendwo, ändern Sie es, und schalten Sie unter «Ihr Konto» Codes oder einen Passkey ein: Dann öffnet ein Passwort ' +
      'allein nichts.\n',
  };
}

const from = (ip: string | null) => (ip === null ? '' : ` Der letzte Versuch kam von ${ip}.`);

/** "Alpine Coffee als Entwickler", or what an operator runs. */
function placeText({ merchantName, role }: Invited): string {
  if (merchantName === null || role === null) return 'dieser Dienst als Betreiber';
  return `${merchantName} als ${GERMAN_ROLES[role]}`;
}
