import { isOneOf } from '../../../kernel/lookups.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import type { AuditEntry, Invited, OpenInvitation, PersonView } from '../../accounts/accounts.types.js';
import type { ApiKeyView } from '../../auth/auth.types.js';
import type { Turnover } from '../../intents/payments.types.js';
import { type Merchant, MERCHANT_STATUSES, type MerchantStatus } from '../../merchants/merchants.types.js';
import type { WebhookEndpointView } from '../../webhooks/webhooks.types.js';
import { moment } from '../domain/times.js';
import type { Text } from '../language/german/german.js';
import { ROLE_NAMES } from '../language/roles.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import type { StatusLabel } from '../payments/messages.js';
import type { PageModel } from '../session/request-context.js';
import { TURNOVER_DAYS, turnoverTexts } from './merchants-list.view.js';
import { merchantLabel } from './messages.js';

/** All that the operator sees of a merchant: how it stands and whether it works, not its payments. */
export interface MerchantFile {
  readonly merchant: Merchant;
  /** A PNG, as its buyers see it. */
  readonly logo: Buffer | null;
  readonly history: readonly AuditEntry[];
  readonly turnover: readonly Turnover[];
  readonly openReviews: number;
  readonly openAlerts: number;
  readonly networks: readonly string[];
  readonly keys: readonly ApiKeyView[];
  readonly endpoints: readonly WebhookEndpointView[];
  readonly people: readonly PersonView[];
  readonly invitations: readonly OpenInvitation[];
}

interface NextStep {
  readonly action: 'approveMerchant' | 'suspendMerchant';
  readonly button: Text;
  readonly effect: Text;
  /** Whether somebody waits for it. */
  readonly isMain: boolean;
}

const APPROVE = 'Its keys work from the next request on.';

const NEXT = {
  pending: { action: 'approveMerchant', button: 'Approve|a merchant', effect: APPROVE, isMain: true },
  suspended: { action: 'approveMerchant', button: 'Approve again', effect: APPROVE, isMain: true },
  approved: {
    action: 'suspendMerchant',
    button: 'Suspend|a merchant',
    effect:
      'Its keys are refused from the next request on, and nothing new can be chosen at its checkout. Payments that are under way are still watched and decided, and its webhooks go on.',
    isMain: false,
  },
  closed: null,
} as const satisfies Record<MerchantStatus, NextStep | null>;

const SENTENCES = {
  pending: 'It awaits your approval: until then its keys are refused.',
  approved: 'It is approved: its keys work, and buyers can pay it.',
  suspended: 'It is suspended: its keys are refused, and what was under way goes on.',
  closed: 'It is closed for good: its keys are refused, and its addresses stay watched.',
} as const satisfies Record<MerchantStatus, Text>;

/** @param reason what somebody has typed into the form that was refused */
export function merchantView(say: Say, file: MerchantFile, reason = ''): PageModel {
  const { merchant, keys, endpoints, people, invitations } = file;
  const { id, name, status, createdAt, supportContact } = merchant;
  const next = NEXT[status];
  return {
    title: visibleText(name),
    id,
    reason,
    status: merchantLabel(say, status),
    answer: say(SENTENCES[status]),
    next: next && {
      ...next,
      action: pathTo(next.action, id),
      button: say(next.button),
      effect: say(next.effect),
    },
    isClosed: status === 'closed',
    created: moment(createdAt),
    logo: file.logo && `data:image/png;base64,${file.logo.toString('base64')}`,
    bright: merchant.logo?.bright ?? false,
    color: merchant.color,
    support: supportContact === null ? null : visibleText(supportContact),
    days: TURNOVER_DAYS,
    volumes: turnoverTexts(say, file.turnover),
    openReviews: file.openReviews,
    openAlerts: file.openAlerts,
    networks: file.networks.join(', '),
    ...keysInUse(keys),
    endpoints: endpointsText(say, endpoints),
    people: people.map(({ email, role, hasSecondFactor, lastSeenAt }) => ({
      email,
      role: say(ROLE_NAMES[role]),
      hasSecondFactor,
      seen: lastSeenAt && moment(lastSeenAt),
    })),
    invitations: invitations.map(({ email, role, expiresAt }) => ({
      email,
      role: role && say(ROLE_NAMES[role]),
      expires: moment(expiresAt),
    })),
    history: file.history.map((entry) => entryView(say, entry)),
  };
}

function entryView(say: Say, { at, actor, action, detail }: AuditEntry) {
  const { reason, status } = detail;
  return {
    at: moment(at),
    actor: visibleText(actor),
    status: historyLabel(say, action, status),
    reason: typeof reason === 'string' ? visibleText(reason) : null,
  };
}

function historyLabel(say: Say, action: string, status: unknown): StatusLabel {
  const verb = action.slice('merchant.'.length);
  if (isOneOf(MERCHANT_STATUSES, verb)) return merchantLabel(say, verb);
  const text = status === 'approved' ? 'created and approved' : 'created';
  return { text: say(text), tone: 'quiet' };
}

/** How many work, and when the last of them was used. */
function keysInUse(keys: readonly ApiKeyView[]) {
  const active = keys.filter(({ revokedAt }) => revokedAt === null);
  const used = active.flatMap(({ lastUsedAt }) => lastUsedAt ?? []).sort((a, b) => +b - +a)[0];
  return { keys: active.length, keysUsed: used ? moment(used) : null };
}

function endpointsText(say: Say, endpoints: readonly WebhookEndpointView[]): string {
  const disabled = endpoints.filter(({ disabledAt }) => disabledAt !== null).length;
  if (endpoints.length === 0) return say('none|wallets, keys or colours');
  const count = endpoints.length;
  return disabled > 0 ? say('{count}, {disabled} disabled', { count, disabled }) : String(count);
}

export interface Typed {
  readonly name: string;
  readonly support: string;
  readonly email: string;
  readonly reason: string;
  readonly isApproved: boolean;
}

export function newMerchantView(say: Say, typed: Typed): PageModel {
  return { title: say('New merchant'), path: pathTo('merchants'), typed };
}

export function inviteOwnerView(say: Say, { id, name }: Merchant, email: string): PageModel {
  const title = say('Invite an owner of {merchant}', { merchant: visibleText(name) });
  return { title, id, path: pathTo('merchant', id), email };
}

export function closeView(say: Say, { id, name }: Merchant, reason: string): PageModel {
  const title = say('Close {merchant}', { merchant: visibleText(name) });
  return { title, id, path: pathTo('merchant', id), reason };
}

/** The link is shown here, once, where it was not mailed. */
export function invitedOwnerView(
  say: Say,
  { id, name }: Merchant,
  { email, url, expiresAt }: Invited,
): PageModel {
  const title = say('Invitation to {merchant}', { merchant: visibleText(name) });
  return { title, path: pathTo('merchant', id), email, url, expires: moment(expiresAt) };
}
