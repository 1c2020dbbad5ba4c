import type { AuditAction } from '../../../database/audit-actions.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import type { AccountSecurityEvent } from '../accounts.types.js';
import { momentText, type Letter } from './letters.js';

/** Who hears of a change: the owners of its merchant, whoever runs the instance, and the person whom it is about. */
export type Audience = 'owners' | 'operators' | 'subject';

interface Rule {
  /** What each of them is told. Who is more than one of them is told once: what is about themselves goes first. */
  readonly told?: Readonly<Partial<Record<Audience, string>>>;
  /** Why nobody is. */
  readonly untold?: string;
  /** Its line in the security log. */
  readonly security?: AccountSecurityEvent;
}

const BY_THEMSELVES = { untold: 'it takes away what somebody could do, and whoever did it sees it' };
const DAILY_WORK = { untold: 'daily work, whose result stands in its list' };

/** What follows from each action. One without a line does not compile. */
const RULES: Readonly<Record<AuditAction, Rule>> = {
  'account.guessed-at': { untold: 'has a letter of its own, which says what to do' },
  'address.proven': { untold: 'by its person, or by whoever runs the instance', security: 'role-changed' },
  'alert.acknowledged': DAILY_WORK,
  'chain.rewound': { untold: 'by whoever runs the instance, on its machine' },
  'codes.disabled': { told: { subject: 'Codes at sign-in were turned off' }, security: 'factor-changed' },
  'codes.enabled': { told: { subject: 'Codes at sign-in were turned on' }, security: 'factor-changed' },
  // The lines of what was refused are written where it was: each has one, and not each an entry.
  'forgery.refused': { untold: 'it came to nothing, and a form that is too old looks the same' },
  'identity.proven': { untold: 'each day; wrong tries are told', security: 'step-up' },
  'intent.cancelled': DAILY_WORK,
  'intent.closed': DAILY_WORK,
  'intent.decided': DAILY_WORK,
  'invitation.declined': { untold: 'the list of people shows it', security: 'invitation' },
  'invitation.withdrawn': { untold: 'the list of people shows it', security: 'invitation' },
  'key.created': { told: { owners: 'A new API key was created' } },
  'key.refused': { untold: 'it came to nothing; whoever sent it was told why' },
  'key.revoked': BY_THEMSELVES,
  'merchant.approved': { untold: 'every page of the merchant says how it stands' },
  'merchant.closed': { untold: 'every page of the merchant says how it stands' },
  'merchant.created': { untold: 'nobody belongs to it yet' },
  'merchant.suspended': { untold: 'every page of the merchant says how it stands' },
  'operator.joined': {
    told: {
      operators: 'Somebody has become an operator of this service',
      subject: 'You have become an operator',
    },
    security: 'role-changed',
  },
  'passkey.added': { told: { subject: 'A passkey was added to your account' }, security: 'factor-changed' },
  'passkey.removed': {
    told: { subject: 'A passkey was removed from your account' },
    security: 'factor-changed',
  },
  'password.changed': { told: { subject: 'Your password was changed' }, security: 'password-changed' },
  'password.reset': { told: { subject: 'Your password was reset' }, security: 'password-changed' },
  'password.reset-asked': { untold: 'the mail with the link says it', security: 'password-reset-offered' },
  'password.reset-offered': {
    told: { subject: 'A link that sets a new password was made for your account' },
    security: 'password-reset-offered',
  },
  'person.created': { told: { owners: 'Somebody was added' }, security: 'role-changed' },
  'person.invited': { untold: 'gives nothing until it is accepted', security: 'invitation' },
  'person.joined': { told: { owners: 'Somebody has joined' }, security: 'role-changed' },
  'person.removed': {
    told: { owners: 'Somebody was removed', subject: 'You were removed' },
    security: 'role-changed',
  },
  'person.role-changed': {
    told: { owners: 'Somebody’s role was changed', subject: 'Your role was changed' },
    security: 'role-changed',
  },
  'recovery-code.used': { told: { subject: 'A recovery code was used' }, security: 'factor-changed' },
  'recovery-codes.renewed': {
    told: { subject: 'Your recovery codes were replaced' },
    security: 'factor-changed',
  },
  'refund.asked': DAILY_WORK,
  'refund.opened': DAILY_WORK,
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
  'secrets.rekeyed': { untold: 'by whoever runs the instance, on its machine' },
  'session.ended': BY_THEMSELVES,
  'sessions.ended': BY_THEMSELVES,
  'settings.changed': { untold: 'a proof of identity and the log are enough: no money goes elsewhere by it' },
  // Their lines are written where they happen: for most of them there is no account.
  'sign-in.failed': { untold: 'a slip of the finger; many of them are told' },
  'sign-in.throttled': { untold: 'follows wrong tries, which are told' },
  'signed-in': { untold: 'each day; a new browser is told', security: 'sign-in' },
  'signed-in.new-device': { told: { subject: 'Your account was used in a new browser' } },
  'signed-out': BY_THEMSELVES,
  'wallet.own-added': { told: { owners: 'An address was declared the merchant’s own' } },
  'wallet.own-removed': { told: { owners: 'An address is no longer the merchant’s own' } },
  'wallet.recovered': { untold: 'finds money in the same wallet' },
  'wallet.set': { told: { owners: 'The wallet that money is paid to was changed' } },
  'wallet.skipped': { untold: 'the wallet stays the same' },
  'webhook.created': DAILY_WORK,
  'webhook.deleted': DAILY_WORK,
  'webhook.disabled': DAILY_WORK,
  'webhook.enabled': DAILY_WORK,
  'webhook.events-changed': DAILY_WORK,
  'webhook.redelivered': DAILY_WORK,
  'webhook.redelivered-failed': DAILY_WORK,
  'webhook.secret-rotated': DAILY_WORK,
  'webhook.tested': DAILY_WORK,
  'webhook.url-changed': DAILY_WORK,
};

export interface News {
  readonly action: AuditAction;
  readonly audience: Audience;
  readonly merchantName: string | null;
  readonly actor: string;
  readonly address: string | null;
  readonly at: Date;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** In the order in which somebody who is several of them is told. */
export function audiencesOf(action: AuditAction): Audience[] {
  const { told = {} } = RULES[action];
  return (['subject', 'owners', 'operators'] as const).filter((audience) => told[audience] !== undefined);
}

/** Why nobody is told; `null` where somebody is. */
export function reasonOf(action: AuditAction): string | null {
  return RULES[action].untold ?? null;
}

export function securityEventOf(action: AuditAction): AccountSecurityEvent | null {
  return RULES[action].security ?? null;
}

/** What, when, by whom, from where, and what to do. */
export function newsLetter(news: News): Letter {
  const { action, audience, merchantName, actor, address, at, subject, detail } = news;
  const what = RULES[action].told?.[audience] ?? action;
  const where = merchantName === null ? '' : ` · ${visibleText(merchantName)}`;
  const facts = Object.entries(detail)
    .filter(([, value]) => typeof value === 'string' || Array.isArray(value))
    .map(([name, value]) => `${name}: ${visibleText(String(value))}`);
  const about = audience === 'subject' ? facts : [`About: ${visibleText(subject)}`, ...facts];
  const by = actor === 'cli' ? 'the operator’s command line' : visibleText(actor);
  const lines = [
    `${what}${where}.`,
    [`When: ${momentText(at)}`, `By: ${by}`, ...(address === null ? [] : [`From: ${address}`])].join('\n'),
    ...(about.length > 0 ? [about.join('\n')] : []),
    adviceFor(news),
  ];
  return { subject: `${what}${where}`, text: `${lines.join('\n\n')}\n` };
}

function adviceFor({ action, audience, merchantName }: News): string {
  if (audience === 'owners')
    return 'If you did not expect this, sign in, undo it, and take the role from whoever did it (Settings, People).';
  if (audience === 'operators' || action === 'operator.joined')
    return 'If you did not expect this, find out at once who did it: an operator can do everything here.';
  if (action === 'password.reset-offered')
    return 'If you did not ask for it, tell whoever runs the service: whoever holds the link can take your account.';
  if (merchantName !== null) return 'If you did not expect this, ask an owner of the merchant.';
  return 'If it was not you, change your password now and end all other sessions under "Your account"; if you cannot sign in, ask whoever runs the service.';
}
