import { seededRandom } from '../../support/random.js';

export interface Call {
  readonly id: number | string | null;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A lie: what is answered instead of the node's own result. */
export type Lie = (result: unknown, call: Call, random: () => number) => unknown;

/** What becomes of one entry of a request, or of the whole answer that it is part of. */
export type Fault =
  | { readonly kind: 'refuse'; readonly code: number; readonly message: string }
  /** As if the node did not know what it is asked for: nothing, an empty list, or "not found" where nodes say so. */
  | { readonly kind: 'forget' }
  | { readonly kind: 'lie'; readonly name: string; readonly lie: Lie }
  /** As a node says it that has so many blocks fewer. */
  | { readonly kind: 'behind'; readonly blocks: number }
  /** As a node says it that is about to add a block: out of the state of that one. */
  | { readonly kind: 'ahead' }
  | { readonly kind: 'elsewhere'; readonly url: string }
  /** By the node of the other chain that the hostile one was started with. */
  | { readonly kind: 'other-chain' }
  | { readonly kind: 'omit' }
  | { readonly kind: 'twice' }
  | {
      readonly kind: 'http';
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The answer comes after so long; `Infinity`: when the plan ends. */
  | { readonly kind: 'hang'; readonly ms: number }
  /** Headers and half of the answer, and then nothing more until the plan ends. */
  | { readonly kind: 'half-open' }
  /** The answer comes a few bytes at a time, all of it within so long. */
  | { readonly kind: 'drip'; readonly ms: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'truncate' }
  | { readonly kind: 'malform' }
  /** The answer in so many bytes of blanks; `Infinity`: blanks without end. */
  | { readonly kind: 'huge'; readonly bytes: number }
  | { readonly kind: 'reorder' };

/** When a fault strikes: at the calls for which everything that is said holds. */
export interface Rule {
  readonly fault: Fault;
  /** Every method where none is named. */
  readonly methods?: readonly string[];
  /** A text that the parameters hold, as JSON: a tag such as `"finalized"`, a hash, an address. */
  readonly holding?: string;
  /** Only what does not name the real node's newest block by its hash. */
  readonly beforeNewest?: true;
  /** What else must be true of the call. */
  readonly asking?: (call: Call) => boolean;
  /** Only entries of a batch, or only what comes alone. */
  readonly inBatch?: boolean;
  /** From this one of the calls that match, the first being 0. */
  readonly fromCall?: number;
  /** Up to but without this one. */
  readonly untilCall?: number;
  /** Each n-th of them. */
  readonly everyCall?: number;
  /** Milliseconds since the plan began. */
  readonly fromMs?: number;
  readonly untilMs?: number;
  readonly chance?: number;
  /** The chance is taken once for all entries of a batch, not for each. */
  readonly together?: boolean;
}

/** A plan under way: which of its rules, if any, strikes the next call. The first that does wins. */
export class PlanUnderWay {
  readonly random: () => number;
  /** How often each rule struck. */
  readonly strikes: number[];
  private readonly matched: number[];
  private readonly beganMs = performance.now();

  constructor(
    readonly rules: readonly Rule[],
    seed: number,
  ) {
    this.random = seededRandom(seed);
    this.strikes = rules.map(() => 0);
    this.matched = rules.map(() => 0);
  }

  /** Whether `faultsFor` must be told the newest block. */
  get asksNewest(): boolean {
    return this.rules.some(({ beforeNewest }) => beforeNewest);
  }

  /** In the order of the calls of one request. */
  faultsFor(calls: readonly Call[], inBatch: boolean, newest: string | null = null): (Fault | null)[] {
    const shared = this.random();
    return calls.map((call) => {
      const at = this.rules.findIndex(
        (rule, i) => isMeant(rule, call, inBatch, newest) && this.doesStrike(rule, i, shared),
      );
      if (at < 0) return null;
      this.strikes[at]! += 1;
      return this.rules[at]!.fault;
    });
  }

  private doesStrike(rule: Rule, i: number, shared: number): boolean {
    const n = this.matched[i]!;
    this.matched[i] = n + 1;
    if (n < (rule.fromCall ?? 0) || n >= (rule.untilCall ?? Infinity)) return false;
    if ((n + 1) % (rule.everyCall ?? 1) !== 0) return false;
    const ms = performance.now() - this.beganMs;
    if (ms < (rule.fromMs ?? 0) || ms >= (rule.untilMs ?? Infinity)) return false;
    return rule.chance === undefined || (rule.together ? shared : this.random()) < rule.chance;
  }
}

function isMeant(
  { methods, holding, beforeNewest, asking, inBatch }: Rule,
  call: Call,
  isBatch: boolean,
  newest: string | null,
): boolean {
  const names = (text: string) => JSON.stringify(call.params).includes(text);
  return (
    (methods?.includes(call.method) ?? true) &&
    (holding === undefined || names(holding)) &&
    !(beforeNewest && newest !== null && names(newest)) &&
    (asking?.(call) ?? true) &&
    (inBatch ?? isBatch) === isBatch
  );
}

/** One line that a person can read beside a seed. */
export function describeRule({ fault, ...when }: Rule): string {
  const what = Object.values(fault)
    .filter((value) => typeof value !== 'function')
    .map((value) =>
      typeof value === 'string' ? value.slice(0, 40) : (JSON.stringify(value) ?? String(value)),
    );
  const conditions = Object.entries(when)
    .filter(([, value]) => typeof value !== 'function')
    .map(([name, value]) => `${name}=${String(value)}`);
  return [what.join(' '), ...conditions].join(', ');
}
