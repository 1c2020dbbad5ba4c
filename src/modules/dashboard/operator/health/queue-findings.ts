import { lasting } from '../../domain/times.js';
import type { Say } from '../../language/say.js';
import type { Finding } from './finding.types.js';
import type { Board } from './health-board.js';

/** A fresh delivery is sent within a second; what waits a minute waits for something. */
const WEBHOOKS_LATE_S = 60;
/** Facts are decided and windows end within a second or two. */
const DECISIONS_LATE_S = 30;
/** The way out is tried every five seconds, and again half a minute after a failure. */
const NOTICES_LATE_S = 120;

/** What is behind with its work. */
export function queueFindings(say: Say, { webhooks, facts, undecided, notices }: Board): Finding[] {
  const findings: Finding[] = [];
  const add = (tone: Finding['tone'], text: string) => findings.push({ tone, text, path: '#queues' });
  if (facts && facts.oldestAgeS > DECISIONS_LATE_S) {
    const told = { count: facts.subjects, time: lasting(say, facts.oldestAgeS) };
    const news =
      'News from the chain about {count, plural, one {# payment} other {# payments}} has not been decided for {time}.';
    add('bad', say(news, told));
  }
  if (undecided && undecided.oldestAgeS > DECISIONS_LATE_S) {
    const told = { count: undecided.count, time: lasting(say, undecided.oldestAgeS) };
    const ended =
      '{count, plural, one {# payment window} other {# payment windows}} ended without a decision, the first {time} ago.';
    add('bad', say(ended, told));
  }
  if (webhooks && webhooks.oldestAgeS > WEBHOOKS_LATE_S) {
    const time = lasting(say, webhooks.oldestAgeS);
    add('bad', say('Webhook deliveries are late: one has been due for {time}.', { time }));
  }
  for (const { channel, count, oldestAgeS } of notices ?? []) {
    if (oldestAgeS <= NOTICES_LATE_S) continue;
    const text =
      channel === 'mail'
        ? '{count, plural, one {# alert} other {# alerts}} cannot be sent by mail, the first for {time}.'
        : '{count, plural, one {# alert} other {# alerts}} cannot be sent to the operator’s webhook, the first for {time}.';
    add('warn', say(text, { count, time: lasting(say, oldestAgeS) }));
  }
  return findings;
}
