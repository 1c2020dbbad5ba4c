import { visibleText } from '../../../kernel/visible-text.js';
import type { SessionView, SignedIn } from '../../accounts/accounts.types.js';
import { ago, moment } from '../domain/times.js';
import type { PageModel } from '../door/visit.js';

export function accountView(who: SignedIn, sessions: readonly SessionView[], now: Date): PageModel {
  return {
    title: 'Your account',
    email: who.email,
    hasTotp: who.hasTotp,
    hasOthers: sessions.some(({ id }) => id !== who.sessionId),
    sessions: sessions.map((session) => ({
      id: session.id,
      isThis: session.id === who.sessionId,
      browser: browserText(session.userAgent),
      address: session.address,
      since: moment(session.createdAt),
      lastSeen: ago(session.lastSeenAt, now),
    })),
    memberships: who.memberships.map(({ merchantName, role }) => ({
      merchantName: visibleText(merchantName),
      role,
    })),
    isOperator: who.isOperator,
  };
}

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** "Firefox on Windows": enough to recognise one's own. Order matters: every browser names older ones too. */
export function browserText(userAgent: string): string {
  const browser = BROWSERS.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = SYSTEMS.find(([mark]) => userAgent.includes(mark))?.[1];
  if (browser && system) return `${browser} on ${system}`;
  return visibleText(userAgent).slice(0, 60) || 'Unknown';
}
