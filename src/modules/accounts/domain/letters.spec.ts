import { type InEach, type Language, LANGUAGES } from '../../../kernel/text/staff-languages.js';
import { ROLES } from '../accounts.types.js';
import type { Guessing, Letter } from './letter-texts.js';
import { guessedLetter, invitationLetter, proofLetter, resetLetter, unfinishedLetter } from './letters.js';

const AT = new Date('2026-11-21T14:32:10Z');
const URL = 'https://pay.example/join#token';
const IP = '192.0.2.1';

const INVITED = {
  merchantName: 'Shop',
  role: 'developer',
  invitedBy: 'maria@shop.example',
  expiresAt: AT,
} as const;
const TO_OPERATE = { ...INVITED, merchantName: null, role: null, invitedBy: 'cli' };

type Facts = Readonly<Record<string, InEach>>;

const UNTIL: InEach = { en: 'until 21 Nov 2026, 14:32 UTC', de: 'bis 21.11.2026, 14:32 UTC' };
const LINK: InEach = { en: `\n\n${URL}\n\n`, de: `\n\n${URL}\n\n` };
const LAST_TRY: InEach = { en: ` The last try came from ${IP}.`, de: ` Der letzte Versuch kam von ${IP}.` };
const KEPT_OUT: InEach = {
  en: 'Your codes or passkeys have kept them out so far.\n',
  de: 'Ihre Codes oder Passkeys haben ihn bisher aufgehalten.\n',
};
const OF_INVITATIONS: Facts = {
  'the link': LINK,
  'that it is to be looked at first': {
    en: 'Open this link to look at it and to accept or decline.',
    de: 'Öffnen Sie diesen Link, um die Einladung anzusehen und sie anzunehmen oder abzulehnen.',
  },
  'how often, until when and for whom it holds': {
    en: `It works once, ${UNTIL.en}, and is for you alone:`,
    de: `Er gilt einmal, ${UNTIL.de}, und nur für Sie:`,
  },
  'what to do when it was not expected': {
    en: 'If you did not expect this, ignore it: without the link nothing happens.\n',
    de: 'Haben Sie das nicht erwartet, beachten Sie es nicht: Ohne den Link geschieht nichts.\n',
  },
};
const OF_GUESSES: Facts = {
  'from where': LAST_TRY,
  'the page of the account, last': { en: `\n\nYour account: ${URL}\n`, de: `\n\nIhr Konto: ${URL}\n` },
};
const BY_ONE_INSIDE: Facts = {
  ...OF_GUESSES,
  'what it means': {
    en: 'If it was not you, somebody else uses your device or has taken your session:',
    de: 'Waren Sie es nicht, benutzt jemand anders Ihr Gerät oder hat Ihre Sitzung übernommen:',
  },
  'to change the password, and where': {
    en: 'change your password now, on a device that you trust,',
    de: 'Ändern Sie Ihr Passwort jetzt, auf einem Gerät, dem Sie vertrauen,',
  },
  'to end other sessions, and where': {
    en: 'and end all other sessions under “Your account”.\n',
    de: 'und beenden Sie alle anderen Sitzungen unter «Ihr Konto».\n',
  },
};

const guessed = (guessing: Omit<Guessing, 'ip'>) => (language: Language) =>
  guessedLetter({ ...guessing, ip: IP }, URL, language);

interface Told {
  readonly letter: (language: Language) => Letter;
  readonly facts: Facts;
}

/** What somebody must learn of each letter, with the words that say it. */
const LETTERS: Readonly<Record<string, Told>> = {
  'an invitation by a person': {
    letter: (language) => invitationLetter(INVITED, URL, language),
    facts: {
      ...OF_INVITATIONS,
      'its subject': {
        en: 'Join Shop as developer on Rappen',
        de: 'Einladung auf Rappen: Shop als Entwickler',
      },
      'who invites, where and as what': {
        en: '\n\nmaria@shop.example invites you to join Shop as developer.\n',
        de: '\n\nmaria@shop.example lädt Sie ein: Shop als Entwickler.\n',
      },
    },
  },
  'an invitation to operate, from the command line': {
    letter: (language) => invitationLetter(TO_OPERATE, URL, language),
    facts: {
      ...OF_INVITATIONS,
      'its subject': {
        en: 'Join this service as an operator on Rappen',
        de: 'Einladung auf Rappen: dieser Dienst als Betreiber',
      },
      'who invites, and to what': {
        en: '\n\nThe operator of this service invites you to join this service as an operator.\n',
        de: '\n\nDer Betreiber dieses Dienstes lädt Sie ein: dieser Dienst als Betreiber.\n',
      },
    },
  },
  'a proof of an address': {
    letter: (language) => proofLetter(URL, AT, language),
    facts: {
      'its subject': {
        en: 'Is this your address? Confirm it on Rappen',
        de: 'Ist das Ihre Adresse? Bestätigen Sie sie auf Rappen',
      },
      'who asked': {
        en: 'Somebody who is signed in to Rappen with this address asked us to confirm that it is theirs.',
        de: 'Jemand, der mit dieser Adresse bei Rappen angemeldet ist, bat uns zu bestätigen, dass sie ihm gehört.',
      },
      'where to open the link, and until when': {
        en: `open this link in the same browser, ${UNTIL.en}:`,
        de: `öffnen Sie diesen Link im selben Browser, ${UNTIL.de}:`,
      },
      'the link': LINK,
      'what it means when it was somebody else': {
        en: 'If it was not you, somebody uses your address:',
        de: 'Waren Sie es nicht, benutzt jemand Ihre Adresse:',
      },
      'what to do then': {
        en: 'do not open the link, and tell the operator of the service.\n',
        de: 'Öffnen Sie den Link nicht, und sagen Sie es dem Betreiber des Dienstes.\n',
      },
    },
  },
  'a link for a new password': {
    letter: (language) => resetLetter({ url: URL, expiresAt: AT, ip: IP }, language),
    facts: {
      'its subject': {
        en: 'Choose a new password on Rappen',
        de: 'Wählen Sie ein neues Passwort auf Rappen',
      },
      'what was asked for': {
        en: 'Somebody asked for a new password for your account on Rappen.',
        de: 'Jemand hat für Ihr Konto auf Rappen ein neues Passwort verlangt.',
      },
      'what the link is for': {
        en: 'If it was you, open this link to choose one.',
        de: 'Waren Sie es, öffnen Sie diesen Link, um eines zu wählen.',
      },
      'how often and until when': { en: `works once, ${UNTIL.en}:`, de: `gilt einmal, ${UNTIL.de}:` },
      'the link': LINK,
      'that sessions end': { en: 'All sessions end when you do.', de: 'Alle Sitzungen enden damit.' },
      'that second factors stay': {
        en: 'Your authenticator app, passkeys and recovery codes stay, and are asked for as before.\n\n',
        de: 'Ihre Authenticator-App, Passkeys und Wiederherstellungscodes bleiben, und es wird wie bisher nach ihnen gefragt.\n\n',
      },
      'what to do when it was somebody else': {
        en: 'If it was not you, ignore this: without the link nothing changes.',
        de: 'Waren Sie es nicht, beachten Sie das nicht: Ohne den Link ändert sich nichts.',
      },
      'from where': { en: `It was asked for from ${IP}.\n`, de: `Verlangt wurde es von ${IP}.\n` },
    },
  },
  'passwords that strangers try': {
    letter: guessed({ guessed: 'password', by: 'stranger' }),
    facts: {
      ...OF_GUESSES,
      'its subject': {
        en: 'Somebody tries passwords at your account on Rappen',
        de: 'Jemand versucht Passwörter bei Ihrem Konto auf Rappen',
      },
      'what is done': {
        en: 'Somebody tries to sign in with your address and wrong passwords.',
        de: 'Jemand versucht, sich mit Ihrer Adresse und falschen Passwörtern anzumelden.',
      },
      'who waits, and who does not': {
        en: 'They have to wait longer each time; you do not, in a browser where you have signed in before.',
        de: 'Er muss jedes Mal länger warten; Sie nicht, in einem Browser, in dem Sie sich schon angemeldet haben.',
      },
      'to change a password of several places': {
        en: 'If your password is used anywhere else, change it,',
        de: 'Benutzen Sie Ihr Passwort sonst irgendwo, ändern Sie es,',
      },
      'to turn on a second factor, where, and why': {
        en: 'turn on codes or a passkey under “Your account”: then a password alone opens nothing.\n',
        de: 'schalten Sie unter «Ihr Konto» Codes oder einen Passkey ein: Dann öffnet ein Passwort allein nichts.\n',
      },
    },
  },
  'codes that strangers try': {
    letter: guessed({ guessed: 'code', by: 'stranger' }),
    facts: {
      ...OF_GUESSES,
      'its subject': {
        en: 'Somebody knows your password on Rappen',
        de: 'Jemand kennt Ihr Passwort auf Rappen',
      },
      'what is done': {
        en: 'Somebody has entered your right password, and then wrong codes.',
        de: 'Jemand hat Ihr richtiges Passwort eingegeben und dann falsche Codes.',
      },
      'what to do': {
        en: 'If it was not you: sign in and change your password now.',
        de: 'Waren Sie es nicht: Melden Sie sich an, und ändern Sie Ihr Passwort jetzt.',
      },
      'what has held': KEPT_OUT,
    },
  },
  'passwords that a session tries': {
    letter: guessed({ guessed: 'password', by: 'session' }),
    facts: {
      ...BY_ONE_INSIDE,
      'its subject': {
        en: 'Wrong passwords again and again at your account on Rappen',
        de: 'Immer wieder falsche Passwörter bei Ihrem Konto auf Rappen',
      },
      'what is done, and where': {
        en: 'Somebody enters wrong passwords in a session that is signed in to your account.',
        de: 'Jemand gibt falsche Passwörter ein, in einer Sitzung, die bei Ihrem Konto angemeldet ist.',
      },
    },
  },
  'codes that a known browser tries': {
    letter: guessed({ guessed: 'code', by: 'device' }),
    facts: {
      ...BY_ONE_INSIDE,
      'its subject': {
        en: 'Wrong codes again and again at your account on Rappen',
        de: 'Immer wieder falsche Codes bei Ihrem Konto auf Rappen',
      },
      'what is done, and where': {
        en: 'Somebody enters wrong codes in a browser where you signed in before.',
        de: 'Jemand gibt falsche Codes ein, in einem Browser, in dem Sie sich schon angemeldet haben.',
      },
    },
  },
  'a password that no second step followed': {
    letter: (language) => unfinishedLetter(IP, URL, language),
    facts: {
      'its subject': {
        en: 'Somebody has entered your password on Rappen',
        de: 'Jemand hat Ihr Passwort auf Rappen eingegeben',
      },
      'what was done, and where': {
        en: 'Somebody has entered your right password in a browser that counts as a new one,',
        de: 'Jemand hat Ihr richtiges Passwort in einem Browser eingegeben, der als neu gilt,',
      },
      'what did not follow': {
        en: 'and then neither a code nor a passkey.',
        de: 'und danach weder einen Code noch einen Passkey.',
      },
      'from where': { en: `It came from ${IP}.\n`, de: `Es kam von ${IP}.\n` },
      'what to do when it was they': {
        en: 'If it was you, there is nothing to do.',
        de: 'Waren Sie es, ist nichts zu tun.',
      },
      'what it means else': {
        en: 'If it was not you, somebody knows your password:',
        de: 'Waren Sie es nicht, kennt jemand Ihr Passwort:',
      },
      'what to do then': {
        en: 'sign in and change it now, and wherever else you use it.',
        de: 'Melden Sie sich an, und ändern Sie es jetzt, auch überall sonst, wo Sie es benutzen.',
      },
      'what has held': KEPT_OUT,
      'the page of the account, last': OF_GUESSES['the page of the account, last']!,
    },
  },
};

describe.each(LANGUAGES)('in %s', (language) => {
  it.each(Object.entries(LETTERS))('%s says all that its reader must learn', (_name, { letter, facts }) => {
    const { subject, text, language: written } = letter(language);
    expect(written).toBe(language);
    const [said, rest] = [`${subject}\n\n${text}`, Object.entries(facts)];
    expect(rest.filter(([, words]) => !said.includes(words[language])).map(([fact]) => fact)).toEqual([]);
    expect(subject).toBe(facts['its subject']![language]);
  });

  it.each([
    ['password', 'stranger'],
    ['code', 'stranger'],
    ['code', 'session'],
  ] as const)('%s tried by a %s from an unknown place is told the same, without the place', (what, by) => {
    const from = (ip: string | null) => guessedLetter({ guessed: what, by, ip }, URL, language).text;
    expect(from(null)).toBe(from(IP).replace(LAST_TRY[language], ''));
  });

  it('an invitation shows a name so that nothing in it acts', () => {
    const hostile = { ...INVITED, invitedBy: 'a\u202eb', merchantName: 'c\u202ed' };
    const { subject, text } = invitationLetter(hostile, URL, language);
    expect(subject + text).not.toContain('\u202e');
    expect(text).toMatch(/^a\ufffdb .*c\ufffdd/);
    expect(subject).toContain('c\ufffdd');
  });

  it('an invitation without a merchant is to operate, whichever role it names', () => {
    const letter = invitationLetter({ ...TO_OPERATE, role: 'owner' }, URL, language);
    expect(letter).toEqual(invitationLetter(TO_OPERATE, URL, language));
  });
});

it('each role is called as the dashboard calls it', () => {
  const places = ROLES.map((role) =>
    LANGUAGES.map((language) => invitationLetter({ ...INVITED, role }, URL, language).subject),
  );
  expect(places).toEqual([
    ['Join Shop as owner on Rappen', 'Einladung auf Rappen: Shop als Inhaber'],
    ['Join Shop as developer on Rappen', 'Einladung auf Rappen: Shop als Entwickler'],
    ['Join Shop as reviewer on Rappen', 'Einladung auf Rappen: Shop als Prüfer'],
    ['Join Shop as read-only on Rappen', 'Einladung auf Rappen: Shop als nur lesend'],
  ]);
});
