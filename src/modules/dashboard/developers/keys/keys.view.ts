import { visibleText } from '../../../../kernel/visible-text.js';
import { MAX_LABEL_LENGTH } from '../../../auth/api-keys.service.js';
import { SCOPES, type ApiKeyView, type Scope } from '../../../auth/auth.types.js';
import { ago, moment } from '../../domain/times.js';
import { pathTo } from '../../paths.http.js';
import type { PageModel } from '../../session/request-context.js';
import { tabs } from '../tabs.js';

const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  read: 'Read: see payments',
  write: 'Write: create payments',
};

/** What works first, newest at the top; what is revoked stays below, because a log may still name it. */
export function keysView(keys: readonly ApiKeyView[], now: Date, mayManage: boolean): PageModel {
  const newestFirst = [...keys].reverse();
  const active = newestFirst.filter(({ revokedAt }) => revokedAt === null);
  const revoked = newestFirst.filter(({ revokedAt }) => revokedAt !== null);
  return {
    title: 'API keys',
    tabs: tabs('keys'),
    mayManage,
    isEmpty: active.length === 0,
    active: active.map((key) => keyView(key, now)),
    revoked: revoked.map((key) => keyView(key, now)),
  };
}

/** "Read, Write", as the API's refusals name them. */
function scopeNames(scopes: readonly Scope[]): string {
  return scopes.map((scope) => SCOPE_WORDS[scope].split(':')[0]).join(', ');
}

function keyView(key: ApiKeyView, now: Date) {
  return {
    id: key.id,
    short: key.prefix,
    label: visibleText(key.label),
    scopes: scopeNames(key.scopes),
    created: moment(key.createdAt),
    lastUsed: key.lastUsedAt && ago(key.lastUsedAt, now),
    revoked: key.revokedAt && moment(key.revokedAt),
    revokePath: pathTo('revokeKey', key.id),
  };
}

/** @param typed what was sent before, so that it need not be typed again */
export function newKeyView(typed: { label: string; scopes: readonly Scope[] } | null = null): PageModel {
  const chosen: readonly Scope[] = typed?.scopes ?? SCOPES;
  return {
    title: 'Create an API key',
    label: typed?.label ?? '',
    maxLabel: MAX_LABEL_LENGTH,
    scopes: SCOPES.map((scope) => ({
      value: scope,
      text: SCOPE_WORDS[scope],
      isChosen: chosen.includes(scope),
    })),
  };
}

export function createdView({ key, label, scopes }: ApiKeyView & { key: string }): PageModel {
  return { title: 'Your new API key', key, label: visibleText(label), scopes: scopeNames(scopes) };
}

export function revokeView(key: ApiKeyView, now: Date): PageModel {
  return { title: 'Revoke this API key?', ...keyView(key, now) };
}
