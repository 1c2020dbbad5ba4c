import type { Say } from '../language/say.js';

/** What has been done, and that open invitations ended with it, where some did. */
export function withEndedInvitations(say: Say, done: string, count: number): string {
  return [done, ...(count === 0 ? [] : [endedInvitations(say, count)])].join(' ');
}

export function endedInvitations(say: Say, count: number): string {
  return say(
    '{count, plural, one {An open invitation that you made has} other {# open invitations that you made have}} ended. Invite again whoever is to join.',
    { count },
  );
}
