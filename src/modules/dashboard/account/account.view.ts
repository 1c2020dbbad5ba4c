import { visibleText } from '../../../kernel/text/visible-text.js';
import type { AccountEntry, PasskeyView, SessionView, SignedIn } from '../../accounts/accounts.types.js';
import { browserText } from '../domain/browser-text.js';
import { ago, moment } from '../domain/times.js';
import { ROLE_NAMES } from '../language/roles.js';
import type { Say } from '../language/say.js';
import type { PageModel } from '../session/request-context.js';

export interface Account {
  readonly entries: readonly AccountEntry[];
  readonly sessions: readonly SessionView[];
  readonly passkeys: readonly PasskeyView[];
  readonly recoveryCodesLeft: number;
}

export function accountView(say: Say, who: SignedIn, account: Account, now: Date): PageModel {
  const { entries, sessions, passkeys, recoveryCodesLeft } = account;
  return {
    title: say('Your account'),
    email: who.email,
    isEmailProven: who.isEmailProven,
    openInvitations: who.openInvitations,
    hasTotp: who.hasTotp,
    hasSecondFactor: who.hasTotp || who.hasPasskey,
    passkeys: passkeys.map(({ label }) => visibleText(label)).join(', '),
    recoveryCodesLeft,
    hasOthers: sessions.some(({ id }) => id !== who.sessionId),
    sessions: sessions.map((session) => ({
      id: session.id,
      isThis: session.id === who.sessionId,
      browser: browserText(say, session.userAgent),
      ip: session.ip,
      since: moment(session.createdAt),
      lastSeen: ago(session.lastSeenAt, now),
    })),
    entries: entries.map((entry) => ({
      what: whatHappened(say, entry),
      ip: entry.ip,
      at: ago(entry.at, now),
    })),
    memberships: who.memberships.map(({ merchantName, role }) => ({
      merchantName: visibleText(merchantName),
      role: say(ROLE_NAMES[role]),
    })),
    isOperator: who.isOperator,
  };
}

function whatHappened(say: Say, { action, detail }: AccountEntry): string {
  switch (action) {
    case 'account.guessed-at':
      return detail.guessed === 'code' ? say('Wrong codes were tried') : say('Wrong passwords were tried');
    case 'second-factor.missed':
      return say('The password was right, and no second step followed');
    case 'signed-in.new-device': {
      const browser = browserText(say, detail.browser ?? '');
      return say('Signed in with a new browser: {browser}', { browser });
    }
  }
}
