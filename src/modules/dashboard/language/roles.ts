import { visibleText } from '../../../kernel/text/visible-text.js';
import type { Role } from '../../accounts/accounts.types.js';
import type { Text } from './german/german.js';
import type { Say } from './say.js';

/** What a role is called, within a sentence. */
export const ROLE_NAMES = {
  owner: 'owner',
  developer: 'developer',
  reviewer: 'reviewer',
  'read-only': 'read-only',
} as const satisfies Record<Role, Text>;

/** "Alpine Coffee as developer", or what an operator runs: as `placeText` says it in mails. */
export function placeIn(
  say: Say,
  { merchantName, role }: { readonly merchantName: string | null; readonly role: Role | null },
): string {
  if (merchantName === null || role === null) return say('this service as an operator');
  return say('{merchant} as {role}', { merchant: visibleText(merchantName), role: say(ROLE_NAMES[role]) });
}
