import type { AuditAction } from '../../../database/audit-actions.js';
import type { InEach } from '../../../kernel/text/staff-languages.js';
import { type AccountSecurityEvent, PROVEN_BY_MAILBOX } from '../accounts.types.js';
import { toldSettings } from './told-settings.js';

/**
 * Who hears of a change: the owners of its merchant; whoever runs the instance, where it is of no merchant; and the person
 * whom it is about.
 */
export type Audience = 'owners' | 'operators' | 'subject';

type Detail = Readonly<Record<string, unknown>>;

interface Rule {
  /** What each of them is told. Who is more than one of them is told once: what is about themselves goes first. */
  readonly told?: Readonly<Partial<Record<Audience, InEach>>>;
  /** Which changes are told; absent: each. */
  readonly onlyWhere?: (detail: Detail) => boolean;
  /** Why nobody is: a reason that also holds where it is a thief who does it. */
  readonly untold?: string;
  /** Its line in the security log. */
  readonly security?: AccountSecurityEvent;
}

const DAILY_WORK = {
  untold: 'daily work that lets nobody in; its result stands in its list, and in the log by whom',
};
const ENDPOINT_STAYS = {
  untold: 'events go nowhere else and are signed as before; what is not sent can be read',
};
const OF_A_REFUND = { untold: 'whoever sends the money is shown where it goes, and who decided it' };
const ON_THE_MACHINE = { untold: 'by whoever runs the instance, on its machine' };

/** What follows from each action. One without a line does not compile. */
const RULES: Readonly<Record<AuditAction, Rule>> = {
  'account.guessed-at': { untold: 'has a letter of its own, which says what to do' },
  'address.proven': {
    told: {
      subject: {
        en: 'The account of this address was confirmed to be yours',
        de: 'Das Konto dieser Adresse wurde als Ihres bestätigt',
      },
    },
    // Whoever has read the mailbox knows.
    onlyWhere: ({ by }) => by !== PROVEN_BY_MAILBOX,
    security: 'role-changed',
  },
  'alert.acknowledged': {
    untold: 'it keeps no mail of the alert from being sent, and the list says who it was',
  },
  'chain.rewound': ON_THE_MACHINE,
  'codes.disabled': {
    told: {
      subject: { en: 'Codes at sign-in were turned off', de: 'Codes bei der Anmeldung wurden ausgeschaltet' },
    },
    security: 'factor-changed',
  },
  'codes.enabled': {
    told: {
      subject: { en: 'Codes at sign-in were turned on', de: 'Codes bei der Anmeldung wurden eingeschaltet' },
    },
    security: 'factor-changed',
  },
  // The lines of what was refused are written where it was: each has one, and not each an entry.
  'dashboard.throttled': { untold: 'it came to nothing, and stands in the log of the account' },
  'forgery.refused': { untold: 'it came to nothing, and a form that is too old looks the same' },
  'identity.proven': {
    untold: 'each day; wrong tries are told, and what it is for has news of its own',
    security: 'step-up',
  },
  'intent.cancelled': DAILY_WORK,
  'intent.closed': DAILY_WORK,
  'intent.decided': DAILY_WORK,
  'invitation.declined': {
    untold: 'it lets nobody in, and the list of people shows it',
    security: 'invitation',
  },
  'invitation.withdrawn': {
    untold: 'it lets nobody in, and the list of people shows it',
    security: 'invitation',
  },
  'key.created': {
    told: { owners: { en: 'A new API key was created', de: 'Ein neuer API-Schlüssel wurde erstellt' } },
  },
  'key.refused': { untold: 'it came to nothing; whoever sent it was told why' },
  'key.revoked': {
    untold: 'it lets nobody in, and whoever used the key is refused from the next request on',
  },
  'merchant.approved': { untold: 'every page of the merchant says how it stands' },
  'merchant.closed': {
    untold: 'it lets nobody in, and its keys and people are refused from the next request on',
  },
  'merchant.created': { untold: 'nobody belongs to it yet' },
  'merchant.suspended': { untold: 'every page of the merchant says how it stands' },
  'operator.dismissed': {
    told: {
      operators: {
        en: 'Somebody is no longer an operator of this service',
        de: 'Jemand ist nicht mehr Betreiber dieses Dienstes',
      },
      subject: { en: 'You are no longer an operator', de: 'Sie sind nicht mehr Betreiber' },
    },
    security: 'role-changed',
  },
  'operator.joined': {
    told: {
      operators: {
        en: 'Somebody has become an operator of this service',
        de: 'Jemand ist Betreiber dieses Dienstes geworden',
      },
      subject: { en: 'You have become an operator', de: 'Sie sind Betreiber geworden' },
    },
    security: 'role-changed',
  },
  'passkey.added': {
    told: {
      subject: { en: 'A passkey was added to your account', de: 'Ihrem Konto wurde ein Passkey hinzugefügt' },
    },
    security: 'factor-changed',
  },
  'passkey.removed': {
    told: {
      subject: {
        en: 'A passkey was removed from your account',
        de: 'Aus Ihrem Konto wurde ein Passkey entfernt',
      },
    },
    security: 'factor-changed',
  },
  'password.changed': {
    told: { subject: { en: 'Your password was changed', de: 'Ihr Passwort wurde geändert' } },
    security: 'password-changed',
  },
  'password.reset': {
    told: { subject: { en: 'Your password was reset', de: 'Ihr Passwort wurde neu gesetzt' } },
    security: 'password-changed',
  },
  'password.reset-asked': { untold: 'the mail with the link says it', security: 'password-reset-offered' },
  'password.reset-offered': {
    told: {
      subject: {
        en: 'A link that sets a new password was made for your account',
        de: 'Für Ihr Konto wurde ein Link erstellt, der ein neues Passwort setzt',
      },
    },
    security: 'password-reset-offered',
  },
  'password.reset-withdrawn': ON_THE_MACHINE,
  'person.created': {
    told: { owners: { en: 'Somebody was added', de: 'Jemand wurde hinzugefügt' } },
    security: 'role-changed',
  },
  'person.invited': {
    told: {
      owners: { en: 'Somebody was invited', de: 'Jemand wurde eingeladen' },
      operators: {
        en: 'Somebody was invited to operate this service',
        de: 'Jemand wurde eingeladen, diesen Dienst zu betreiben',
      },
    },
    security: 'invitation',
  },
  'person.joined': {
    told: {
      owners: { en: 'Somebody has joined', de: 'Jemand ist beigetreten' },
      subject: { en: 'You have joined', de: 'Sie sind beigetreten' },
    },
    security: 'role-changed',
  },
  'person.removed': {
    told: {
      owners: { en: 'Somebody was removed', de: 'Jemand wurde entfernt' },
      subject: { en: 'You were removed', de: 'Sie wurden entfernt' },
    },
    security: 'role-changed',
  },
  'person.role-changed': {
    told: {
      owners: { en: 'Somebody’s role was changed', de: 'Die Rolle von jemandem wurde geändert' },
      subject: { en: 'Your role was changed', de: 'Ihre Rolle wurde geändert' },
    },
    security: 'role-changed',
  },
  'recovery-code.used': {
    told: { subject: { en: 'A recovery code was used', de: 'Ein Wiederherstellungscode wurde benutzt' } },
    security: 'factor-changed',
  },
  'recovery-codes.renewed': {
    told: {
      subject: { en: 'Your recovery codes were replaced', de: 'Ihre Wiederherstellungscodes wurden ersetzt' },
    },
    security: 'factor-changed',
  },
  'refund.asked': OF_A_REFUND,
  'refund.opened': OF_A_REFUND,
  'refund.paid-again': { untold: 'has an alert of its own' },
  'refund.recorded': DAILY_WORK,
  'refund.resumed': DAILY_WORK,
  'refund.search-ended': { untold: 'has an alert of its own' },
  'refund.seen': DAILY_WORK,
  'refund.sent': DAILY_WORK,
  'refund.undone': { untold: 'has an alert of its own where it was final' },
  'refund.withdrawn': DAILY_WORK,
  'review.accepted': DAILY_WORK,
  'review.dismissed': DAILY_WORK,
  'second-factor.asked': { untold: 'the second step follows; where it does not, that is told' },
  'second-factor.missed': { untold: 'has a letter of its own, which says what to do' },
  'secrets.rekeyed': ON_THE_MACHINE,
  'session.ended': {
    told: {
      subject: {
        en: 'One of your sessions was ended',
        de: 'Eine Ihrer Sitzungen wurde beendet',
      },
    },
  },
  'sessions.ended': {
    told: {
      subject: {
        en: 'Your account was signed out everywhere else',
        de: 'Ihr Konto wurde überall sonst abgemeldet',
      },
    },
  },
  // How the merchant is called and looks is on its pages for everybody.
  'settings.changed': {
    told: {
      owners: {
        en: 'What is accepted, or where alerts go, was changed',
        de: 'Was angenommen wird oder wohin Warnungen gehen, wurde geändert',
      },
    },
    onlyWhere: ({ changes }) => toldSettings(changes, 'en', String).length > 0,
  },
  // Their lines are written where they happen: for most of them there is no account.
  'sign-in.failed': { untold: 'a slip of the finger; many of them are told' },
  'sign-in.throttled': {
    untold: 'follows wrong tries, which are told, or a stranger who asks too much and gets nothing',
  },
  'signed-in': { untold: 'each day; a new browser is told', security: 'sign-in' },
  'signed-in.new-device': {
    told: {
      subject: {
        en: 'Your account was used in a new browser',
        de: 'Ihr Konto wurde in einem neuen Browser benutzt',
      },
    },
  },
  'signed-out': { untold: 'it ends the session that does it, and nothing else' },
  'wallet.own-added': {
    told: {
      owners: {
        en: 'An address was declared the merchant’s own',
        de: 'Eine Adresse wurde als eigene des Händlers erklärt',
      },
    },
  },
  'wallet.own-removed': {
    told: {
      owners: {
        en: 'An address is no longer the merchant’s own',
        de: 'Eine Adresse gilt nicht mehr als eigene des Händlers',
      },
    },
  },
  'wallet.recovered': { untold: 'finds money in the same wallet' },
  'wallet.set': {
    told: {
      owners: {
        en: 'The wallet that money is paid to was changed',
        de: 'Die Wallet, an die bezahlt wird, wurde geändert',
      },
    },
  },
  'wallet.skipped': { untold: 'the wallet stays the same' },
  'webhook.created': {
    told: {
      owners: { en: 'A webhook endpoint was added', de: 'Ein Webhook-Endpunkt wurde hinzugefügt' },
    },
  },
  'webhook.deleted': ENDPOINT_STAYS,
  'webhook.disabled': ENDPOINT_STAYS,
  'webhook.enabled': ENDPOINT_STAYS,
  'webhook.events-changed': ENDPOINT_STAYS,
  'webhook.redelivered': ENDPOINT_STAYS,
  'webhook.redelivered-failed': ENDPOINT_STAYS,
  'webhook.secret-rotated': {
    told: {
      owners: {
        en: 'The secret that signs events was replaced',
        de: 'Das Geheimnis, das Ereignisse signiert, wurde ersetzt',
      },
    },
  },
  'webhook.tested': ENDPOINT_STAYS,
  'webhook.url-changed': {
    told: {
      owners: {
        en: 'The URL that events are sent to was changed',
        de: 'Die URL, an die Ereignisse gehen, wurde geändert',
      },
    },
  },
};

/** In the order in which somebody who is several of them is told. */
export function audiencesOf(action: AuditAction): Audience[] {
  const { told = {} } = RULES[action];
  return (['subject', 'owners', 'operators'] as const).filter((audience) => told[audience] !== undefined);
}

/**
 * What its letter is collected with, apart from what others can bring about: news of a merchant never stands for news of
 * another, nor what owners are told for what somebody is told of themselves. So somebody has as many topics of an action as
 * merchants that they joined, which takes their own word (ADR 35).
 */
export function topicOf(
  action: AuditAction,
  merchantId: string | null,
  audience: Audience,
): { readonly kind: AuditAction; readonly of: string } {
  return { kind: action, of: merchantId === null ? audience : `${audience}:${merchantId}` };
}

/** Whether a change of this detail is one that they are told of. */
export function isNews(action: AuditAction, detail: Detail): boolean {
  return RULES[action].onlyWhere?.(detail) ?? true;
}

/** Why nobody is told; `null` where somebody is. */
export function reasonOf(action: AuditAction): string | null {
  return RULES[action].untold ?? null;
}

export function securityEventOf(action: AuditAction): AccountSecurityEvent | null {
  return RULES[action].security ?? null;
}

/** The first line of what somebody is told; `null` where they are not. */
export function toldOf(action: AuditAction, audience: Audience): InEach | null {
  return RULES[action].told?.[audience] ?? null;
}
