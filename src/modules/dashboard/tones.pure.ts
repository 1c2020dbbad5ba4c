import type { IntentStatus } from '../../kernel/intent-status.js';

/** How good the news is: its colour. */
export type Tone = 'good' | 'warn' | 'bad' | 'quiet';

export const STATUS_TONES: Readonly<Record<IntentStatus, Tone>> = {
  initiated: 'quiet',
  pending: 'warn',
  confirmed: 'warn',
  settled: 'good',
  expired: 'quiet',
  cancelled: 'quiet',
  failed: 'bad',
};
