import { visibleText } from '../../../../kernel/text/visible-text.js';
import { MAX_LABEL_LENGTH } from '../../../auth/api-keys.service.js';
import { type ApiKeyView, type Scope, SCOPES } from '../../../auth/auth.types.js';
import { ago, moment } from '../../domain/times.js';
import type { Text } from '../../language/german/german.js';
import type { Say } from '../../language/say.js';
import { pathTo } from '../../paths.http.js';
import type { PageModel } from '../../session/request-context.js';
import { tabs } from '../tabs.js';

const SCOPE_NAMES = { read: 'Read', write: 'Write' } as const satisfies Record<Scope, Text>;
const SCOPE_WORDS = {
  read: 'Read: see payments',
  write: 'Write: create payments',
} as const satisfies Record<Scope, Text>;

/** What works first, newest at the top; what is revoked stays below, because a log may still name it. */
export function keysView(say: Say, keys: readonly ApiKeyView[], now: Date, mayManage: boolean): PageModel {
  const newestFirst = [...keys].reverse();
  const active = newestFirst.filter(({ revokedAt }) => revokedAt === null);
  const revoked = newestFirst.filter(({ revokedAt }) => revokedAt !== null);
  return {
    title: say('API keys'),
    tabs: tabs(say, 'keys'),
    mayManage,
    isEmpty: active.length === 0,
    active: active.map((key) => keyView(say, key, now)),
    revoked: revoked.map((key) => keyView(say, key, now)),
  };
}

/** "Read, Write", as the API's refusals name them. */
function scopeNames(say: Say, scopes: readonly Scope[]): string {
  return scopes.map((scope) => say(SCOPE_NAMES[scope])).join(', ');
}

function keyView(say: Say, key: ApiKeyView, now: Date) {
  return {
    id: key.id,
    short: key.prefix,
    label: visibleText(key.label),
    scopes: scopeNames(say, key.scopes),
    created: moment(key.createdAt),
    lastUsed: key.lastUsedAt && ago(key.lastUsedAt, now),
    revoked: key.revokedAt && moment(key.revokedAt),
    revokePath: pathTo('revokeKey', key.id),
  };
}

/** @param typed what was sent before, so that it need not be typed again */
export function newKeyView(
  say: Say,
  typed: { label: string; scopes: readonly Scope[] } | null = null,
): PageModel {
  const chosen: readonly Scope[] = typed?.scopes ?? SCOPES;
  return {
    title: say('Create an API key'),
    label: typed?.label ?? '',
    maxLabel: MAX_LABEL_LENGTH,
    scopes: SCOPES.map((scope) => ({
      value: scope,
      text: say(SCOPE_WORDS[scope]),
      isChosen: chosen.includes(scope),
    })),
  };
}

export function createdKeyView(say: Say, { key, label, scopes }: ApiKeyView & { key: string }): PageModel {
  return {
    title: say('Your new API key'),
    key,
    label: visibleText(label),
    scopes: scopeNames(say, scopes),
  };
}

export function revokeView(say: Say, key: ApiKeyView, now: Date): PageModel {
  return { title: say('Revoke this API key?'), ...keyView(say, key, now) };
}
