/** How the page keeps up: at once, now and then (the merchant may still decide about what arrived), or not at all. */
export type Liveness = 'fast' | 'slow' | 'off';

/** The shape next to the words: names a partial in `views/partials/icons`. */
export type Mark = 'none' | 'wait' | 'part' | 'seen' | 'done' | 'warn' | 'stop' | 'fail';
export type Tone = 'plain' | 'good' | 'warn' | 'bad';

/** What a state means for the page. */
interface Traits {
  readonly live: Liveness;
  readonly mark: Mark;
  readonly tone: Tone;
  /** The buyer is asked to send: how much, where, and until when. */
  readonly asksToSend?: true;
  /** Ways to pay: on the page, behind a link, or only for who asks for them by the address. */
  readonly ways?: 'shown' | 'linked' | 'asked';
  /** Money is on its way through the network: how far, step by step. */
  readonly isUnderWay?: true;
  /** How much of the price was seen: a telephone in a pocket tells of it. */
  readonly money?: 'some' | 'all';
  /** A part may have arrived, and the rest is not asked for: the words are about that, and the part has to be said too. */
  readonly isHeld?: true;
  /** Somebody may have something to ask the merchant: what to name to it. */
  readonly isInQuestion?: true;
  /** It is about money that somebody has to decide about: what nobody asked for is among it, in the same words. */
  readonly isOfStrays?: true;
  /** The buyer's next step is at the merchant, unless it is to say where money should go. */
  readonly leadsBack?: true;
}

/** Ended, and the merchant decides about what arrived: however it ended. */
const MERCHANT_DECIDES = {
  live: 'slow',
  mark: 'warn',
  tone: 'warn',
  isInQuestion: true,
  isOfStrays: true,
  leadsBack: true,
} as const satisfies Traits;

const TRAITS = {
  /** Nothing picked yet. */
  choose: { live: 'fast', mark: 'none', tone: 'plain', ways: 'shown' },
  /** Nothing can be picked: no option is open. */
  closed: { live: 'fast', mark: 'warn', tone: 'warn', ways: 'shown', isInQuestion: true },
  /** The merchant may not take money now. */
  suspended: {
    live: 'fast',
    mark: 'stop',
    tone: 'warn',
    isInQuestion: true,
    leadsBack: true,
    isHeld: true,
  },
  /** Picked, nothing seen. */
  waiting: { live: 'fast', mark: 'wait', tone: 'plain', asksToSend: true, ways: 'linked' },
  /** Picked, and nothing that is sent now would be seen: its network cannot be watched. */
  blind: { live: 'fast', mark: 'warn', tone: 'warn', ways: 'shown', isHeld: true },
  /** Still open, but a transfer sent now may miss the end. */
  'too-late': {
    live: 'fast',
    mark: 'warn',
    tone: 'warn',
    ways: 'asked',
    isInQuestion: true,
    leadsBack: true,
    isHeld: true,
  },
  /** Some of it arrived. */
  part: { live: 'fast', mark: 'part', tone: 'warn', asksToSend: true, money: 'some' },
  /** All of it was seen. */
  seen: { live: 'fast', mark: 'seen', tone: 'plain', isUnderWay: true, money: 'all' },
  confirmed: { live: 'fast', mark: 'done', tone: 'good', isUnderWay: true, money: 'all' },
  settled: { live: 'off', mark: 'done', tone: 'good', leadsBack: true, money: 'all' },
  /** Nothing arrived. */
  expired: { live: 'slow', mark: 'stop', tone: 'plain', isInQuestion: true, leadsBack: true },
  /** Ended; money was seen, and none of it is final yet. */
  arriving: { live: 'fast', mark: 'seen', tone: 'plain', isInQuestion: true, isOfStrays: true },
  /** Something arrived: the merchant decides. */
  'expired-paid': MERCHANT_DECIDES,
  failed: { live: 'off', mark: 'fail', tone: 'bad', isInQuestion: true, leadsBack: true },
  cancelled: { live: 'off', mark: 'stop', tone: 'plain', isInQuestion: true, leadsBack: true },
  /** Cancelled, and yet something arrived. */
  'cancelled-paid': MERCHANT_DECIDES,
} as const satisfies Record<string, Traits>;

/** What the page is about; the slug is also in the HTML and in the status JSON. */
export type PageState = keyof typeof TRAITS;

export const PAGE_STATES: Readonly<Record<PageState, Traits>> = TRAITS;
