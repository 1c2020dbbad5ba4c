import type { AuditAction } from '../../../database/audit-actions.js';
import type { Language } from '../../../kernel/text/staff-languages.js';
import type { Audience } from './news.js';

/** What a sentence may name: as it is read, with nothing in it that acts. */
export interface Named {
  /** Who did it, as the beginning of a sentence. */
  readonly by: string;
  /** Whom it is about, by their address. */
  readonly whom: string;
  readonly merchant: string;
  readonly invitedBy: string;
  readonly role: string;
  readonly roleBefore: string;
  readonly roleAfter: string;
  /** Of a key or a passkey. */
  readonly label: string;
  /** "read and write" */
  readonly scopes: string;
  readonly network: string;
  readonly address: string;
  /** The wallet that is paid to: an address, or that it is an extended key. */
  readonly wallet: string;
  /** Where events go, whole: it is compared. */
  readonly url: string;
  readonly urlAfter: string;
  /** "Firefox on Windows" */
  readonly browser: string;
  readonly isWithoutFactors: boolean;
}

/** The sentence in each language. */
type Sentence = Readonly<Record<Language, (named: Named) => string>>;
type Sentences = Readonly<Partial<Record<AuditAction, Readonly<Partial<Record<Audience, Sentence>>>>>>;

/** What happened, as whoever is told reads it first. */
const SENTENCES: Sentences = {
  'address.proven': {
    subject: {
      en: ({ by }) =>
        `${by} confirmed that the account of this address is yours. From now on it can be invited to other merchants, and be made an operator.`,
      de: ({ by }) =>
        `${by} hat bestätigt, dass das Konto dieser Adresse Ihres ist. Von jetzt an kann es zu anderen Händlern eingeladen und Betreiber werden.`,
    },
  },
  'codes.disabled': {
    subject: {
      en: () => 'Signing in to your account no longer asks for a code of your authenticator app.',
      de: () => 'Bei der Anmeldung wird nicht mehr nach einem Code Ihrer Authenticator-App gefragt.',
    },
  },
  'codes.enabled': {
    subject: {
      en: () => 'Signing in to your account now asks for a code of an authenticator app too.',
      de: () => 'Bei der Anmeldung wird jetzt auch nach einem Code einer Authenticator-App gefragt.',
    },
  },
  'key.created': {
    owners: {
      en: ({ by, label, merchant, scopes }) =>
        `${by} created the API key “${label}” of ${merchant}. It may ${scopes}.`,
      de: ({ by, label, merchant, scopes }) =>
        `${by} hat den API-Schlüssel «${label}» von ${merchant} erstellt. Er darf ${scopes}.`,
    },
  },
  'operator.dismissed': {
    operators: {
      en: ({ by, whom }) => `${by} dismissed ${whom} as an operator of this service.`,
      de: ({ by, whom }) => `${by} hat ${whom} die Rolle eines Betreibers dieses Dienstes entzogen.`,
    },
    subject: {
      en: ({ by }) => `${by} dismissed you as an operator of this service. You are signed out everywhere.`,
      de: ({ by }) =>
        `${by} hat Ihnen die Rolle eines Betreibers dieses Dienstes entzogen. Sie sind überall abgemeldet.`,
    },
  },
  'operator.joined': {
    operators: {
      en: ({ whom }) => `${whom} has become an operator of this service, and can do everything here.`,
      de: ({ whom }) => `${whom} ist Betreiber dieses Dienstes geworden und kann hier alles.`,
    },
    subject: {
      en: () => 'Your account is an operator’s from now on: it can do everything here.',
      de: () => 'Ihr Konto ist von jetzt an das eines Betreibers: Es kann hier alles.',
    },
  },
  'passkey.added': {
    subject: {
      en: ({ label }) => `The passkey “${label}” was added: whoever has it can sign in to your account.`,
      de: ({ label }) => `Der Passkey «${label}» kam dazu: Wer ihn hat, kann sich bei Ihrem Konto anmelden.`,
    },
  },
  'passkey.removed': {
    subject: {
      en: ({ label }) => `The passkey “${label}” was removed, and opens your account no more.`,
      de: ({ label }) => `Der Passkey «${label}» wurde entfernt und öffnet Ihr Konto nicht mehr.`,
    },
  },
  'password.changed': {
    subject: {
      en: () =>
        'Your account has a new password. Its other sessions have ended, and so have open invitations that it made.',
      de: () =>
        'Ihr Konto hat ein neues Passwort. Seine anderen Sitzungen sind beendet, und offene Einladungen von ihm.',
    },
  },
  'password.reset': {
    subject: {
      en: () =>
        'By a link, your account was given a new password. All its sessions have ended, and so have open invitations that it made.',
      de: () =>
        'Ihr Konto hat durch einen Link ein neues Passwort erhalten. Alle seine Sitzungen sind beendet, und offene Einladungen von ihm.',
    },
  },
  'password.reset-offered': {
    subject: {
      en: ({ by, isWithoutFactors }) =>
        `${by} made a link that sets a new password for your account.` +
        (isWithoutFactors
          ? ' Your password, authenticator app, passkeys and recovery codes were taken off. Open invitations that you made have ended.'
          : ''),
      de: ({ by, isWithoutFactors }) =>
        `${by} hat für Ihr Konto einen Link erstellt, der ein neues Passwort setzt.` +
        (isWithoutFactors
          ? ' Ihr Passwort, Ihre Authenticator-App, Passkeys und Wiederherstellungscodes gelten nicht mehr. Offene Einladungen von Ihnen sind beendet.'
          : ''),
    },
  },
  'person.created': {
    owners: {
      en: ({ by, whom, merchant, role }) => `${by} added ${whom} to ${merchant} as ${role}.`,
      de: ({ by, whom, merchant, role }) => `${by} hat ${whom} zu ${merchant} hinzugefügt: ${role}.`,
    },
  },
  'person.invited': {
    owners: {
      en: ({ by, whom, merchant, role }) =>
        `${by} invited ${whom} to join ${merchant} as ${role}. The invitation is open for three days.`,
      de: ({ by, whom, merchant, role }) =>
        `${by} hat ${whom} zu ${merchant} eingeladen: ${role}. Die Einladung gilt drei Tage.`,
    },
    operators: {
      en: ({ by, whom }) =>
        `${by} invited ${whom} to be an operator of this service. The invitation is open for three days.`,
      de: ({ by, whom }) =>
        `${by} hat ${whom} eingeladen, diesen Dienst zu betreiben. Die Einladung gilt drei Tage.`,
    },
  },
  'person.joined': {
    subject: {
      en: ({ merchant, role, invitedBy }) =>
        `Your account has joined ${merchant} as ${role}, invited by ${invitedBy}.`,
      de: ({ merchant, role, invitedBy }) =>
        `Ihr Konto ist ${merchant} beigetreten (${role}), eingeladen von ${invitedBy}.`,
    },
    owners: {
      en: ({ whom, merchant, role, invitedBy }) =>
        `${whom} has joined ${merchant} as ${role}, invited by ${invitedBy}.`,
      de: ({ whom, merchant, role, invitedBy }) =>
        `${whom} ist ${merchant} beigetreten (${role}), eingeladen von ${invitedBy}.`,
    },
  },
  'person.removed': {
    owners: {
      en: ({ by, whom, merchant, role }) => `${by} removed ${whom} from ${merchant}, who was ${role}.`,
      de: ({ by, whom, merchant, role }) => `${by} hat ${whom} (${role}) aus ${merchant} entfernt.`,
    },
    subject: {
      en: ({ by, merchant }) => `${by} removed you from ${merchant}. Its pages are closed to you.`,
      de: ({ by, merchant }) => `${by} hat Sie aus ${merchant} entfernt. Seine Seiten sehen Sie nicht mehr.`,
    },
  },
  'person.role-changed': {
    owners: {
      en: ({ by, whom, merchant, roleBefore, roleAfter }) =>
        `${by} changed the role of ${whom} at ${merchant} from ${roleBefore} to ${roleAfter}.`,
      de: ({ by, whom, merchant, roleBefore, roleAfter }) =>
        `${by} hat die Rolle von ${whom} bei ${merchant} geändert: bisher ${roleBefore}, jetzt ${roleAfter}.`,
    },
    subject: {
      en: ({ by, merchant, roleBefore, roleAfter }) =>
        `${by} changed your role at ${merchant} from ${roleBefore} to ${roleAfter}.`,
      de: ({ by, merchant, roleBefore, roleAfter }) =>
        `${by} hat Ihre Rolle bei ${merchant} geändert: bisher ${roleBefore}, jetzt ${roleAfter}.`,
    },
  },
  'recovery-code.used': {
    subject: {
      en: () => 'One of your recovery codes was used in place of your app or passkey. It works no more.',
      de: () =>
        'Einer Ihrer Wiederherstellungscodes wurde anstelle Ihrer App oder Ihres Passkeys benutzt. Er gilt nicht mehr.',
    },
  },
  'recovery-codes.renewed': {
    subject: {
      en: () =>
        'Your account has new recovery codes. The earlier ones work no more. Its other sessions have ended, and so have open invitations that it made.',
      de: () =>
        'Ihr Konto hat neue Wiederherstellungscodes. Die bisherigen gelten nicht mehr. Seine anderen Sitzungen sind beendet, und offene Einladungen von ihm.',
    },
  },
  'session.ended': {
    subject: {
      en: () =>
        'A session of your account was ended from another one: that browser is signed out, and every browser but the one in which this was done counts as a new one from now on.',
      de: () =>
        'Eine Sitzung Ihres Kontos wurde von einer anderen aus beendet: Jener Browser ist abgemeldet, und jeder ausser dem, in dem das geschah, gilt von jetzt an als neu.',
    },
  },
  'sessions.ended': {
    subject: {
      en: () =>
        'All sessions of your account but one were ended, and every other browser counts as a new one from now on.',
      de: () =>
        'Alle Sitzungen Ihres Kontos ausser einer wurden beendet, und jeder andere Browser gilt von jetzt an als neu.',
    },
  },
  'settings.changed': {
    owners: {
      en: ({ by, merchant }) =>
        `${by} changed settings of ${merchant} that say what counts as paid, or where its alerts go.`,
      de: ({ by, merchant }) =>
        `${by} hat Einstellungen von ${merchant} geändert, die sagen, was als bezahlt gilt oder wohin Warnungen gehen.`,
    },
  },
  'signed-in.new-device': {
    subject: {
      en: ({ browser }) =>
        `Somebody signed in to your account with ${browser}. That browser counts as a new one.`,
      de: ({ browser }) =>
        `Jemand hat sich mit ${browser} bei Ihrem Konto angemeldet. Dieser Browser gilt als neu.`,
    },
  },
  'wallet.own-added': {
    owners: {
      en: ({ by, address, network, merchant }) =>
        `${by} declared an address on ${network} to be one of ${merchant}’s own: ${address}. Money from there never counts as a payment.`,
      de: ({ by, address, network, merchant }) =>
        `${by} hat eine Adresse auf ${network} als eigene von ${merchant} erklärt: ${address}. Geld von dort zählt nie als Zahlung.`,
    },
  },
  'wallet.own-removed': {
    owners: {
      en: ({ by, address, network, merchant }) =>
        `${by} took an address on ${network} off those that are ${merchant}’s own: ${address}. Money from there counts as a buyer’s again.`,
      de: ({ by, address, network, merchant }) =>
        `${by} hat eine Adresse auf ${network} von den eigenen von ${merchant} gestrichen: ${address}. Geld von dort zählt wieder als das eines Käufers.`,
    },
  },
  'wallet.set': {
    owners: {
      en: ({ by, network, merchant, wallet }) =>
        `${by} changed where ${merchant} is paid on ${network}: from now on to ${wallet}.`,
      de: ({ by, network, merchant, wallet }) =>
        `${by} hat geändert, wohin ${merchant} auf ${network} bezahlt wird: ab jetzt an ${wallet}.`,
    },
  },
  'webhook.created': {
    owners: {
      en: ({ by, merchant, url }) =>
        `${by} added a webhook endpoint: events of ${merchant} go to ${url} from now on.`,
      de: ({ by, merchant, url }) =>
        `${by} hat einen Webhook-Endpunkt hinzugefügt: Ab jetzt gehen Ereignisse von ${merchant} auch an ${url} hinaus.`,
    },
  },
  'webhook.secret-rotated': {
    owners: {
      en: ({ by, merchant, url }) =>
        `${by} replaced the secret that signs the events of ${merchant} to ${url} and was shown the new one. The one before signs beside it for 24 hours.`,
      de: ({ by, merchant, url }) =>
        `${by} hat das Geheimnis ersetzt, das die Ereignisse von ${merchant} an ${url} signiert, und das neue gesehen. Das bisherige signiert noch 24 Stunden mit.`,
    },
  },
  'webhook.url-changed': {
    owners: {
      en: ({ by, merchant, urlAfter }) =>
        `${by} changed where events of ${merchant} are sent: to ${urlAfter} from now on.`,
      de: ({ by, merchant, urlAfter }) =>
        `${by} hat geändert, wohin Ereignisse von ${merchant} gesendet werden: jetzt an ${urlAfter} statt an die bisherige URL.`,
    },
  },
};

/** @throws for what nobody is told: a bug, never a user's doing */
export function newsSentence(
  action: AuditAction,
  audience: Audience,
  language: Language,
  named: Named,
): string {
  const sentence = SENTENCES[action]?.[audience];
  if (!sentence) throw new Error(`nothing is told of ${action} to ${audience}`);
  return sentence[language](named);
}
