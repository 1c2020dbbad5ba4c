import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../support/random.js';
import type { SteppedWatcher } from '../term.js';
import type { HostileNode } from './hostile-node.js';
import type { Fault, Rule } from './hostile-plan.js';
import { SEED } from './hostile-runs.js';

/** The life of a payment: a fault begins before one of these acts and ends after the next. */
export const ACTS = ['issue', 'pay', 'include', 'deepen', 'reorganise'] as const;
export type Act = (typeof ACTS)[number];

/** Calls that a fault strikes, by what they are for; and what each of them may suffer. */
export type Calls = Readonly<Record<string, readonly Omit<Rule, 'fault'>[]>>;
export type Faults = Readonly<Record<string, Readonly<Record<string, Fault>>>>;

/** Where the hostile node stands: with an honest one beside it, or without. */
export type Standing = 'alone' | (typeof OF_TWO)[number];
const OF_TWO = ['the first of two', 'the second of two'] as const;

/** Payments on a real chain, which a watcher sees through a hostile node. */
export interface MatrixStage {
  readonly node: HostileNode;
  /** A watcher of its own for each case, with what it remembers of the node. */
  watcher(isSlow: boolean): SteppedWatcher;
  /** New addresses and payments, one act after the other; `look` is what the watcher does in between. */
  life(look: () => Promise<void>): Readonly<Record<Act, () => Promise<void>>>;
  mine(): Promise<unknown>;
  /** Whether the cursor stands at the chain's own tip. */
  isAtTip(): Promise<boolean>;
  /** More than was paid, or other amounts, or deeper than it is. */
  tooMuch(): Promise<string | null>;
  /** Payments in blocks that are not recorded as such, but for those that the watcher says it cannot see. */
  unsaid(): Promise<string | null>;
  missing(): Promise<string | null>;
  /** Whether something is said not to be seen. */
  isClosed(): Promise<boolean>;
}

/**
 * Without `HOSTILE_MATRIX=all` some columns of each row, each at one moment: another choice for each seed.
 * `HOSTILE_CALL`, `HOSTILE_FAULT` and `HOSTILE_ACT` narrow it.
 */
const { HOSTILE_CALL, HOSTILE_FAULT, HOSTILE_ACT, HOSTILE_MATRIX } = process.env;
const LOOKS = 2;
const LOOKS_WHEN_HONEST = 1;
const LOOKS_TO_RECOVER = 10;
/** What was late is asked aside, every few seconds, until it is offered again. */
const REOPENS_WITHIN_MS = 15_000;
/** For which an honest node may be late by the machine, of which half a second is much. */
const MACHINE_STALLS_MS = 20_000;
const BETWEEN_LOOKS_MS = 250;
/** With every moment a row takes minutes. */
export const ROW_MS = HOSTILE_MATRIX === 'all' ? 3_600_000 : 300_000;

/** Faults that only a deadline ends. */
const ENDLESS: Readonly<Record<string, Fault>> = {
  hanging: { kind: 'hang', ms: Infinity },
  halfOpen: { kind: 'half-open' },
};

interface Cell {
  readonly name: string;
  readonly rules: readonly Rule[];
  readonly act: Act;
}
export interface Row {
  readonly call: string;
  readonly cells: readonly Cell[];
}

export function rowsOf(calls: Calls, faults: Faults, columnsOfEach: number): Row[] {
  return chosenOf(
    Object.entries(calls).map(([call, rules]) => {
      const each = Object.entries({ ...faults[call], ...ENDLESS });
      const columns = each.map(([name, fault]) => [name, rules.map((when) => ({ ...when, fault }))] as const);
      return [call, columns] as const;
    }),
    columnsOfEach,
  );
}

/** Of rows with their columns, each of which strikes whatever its rules name, the cells that are tried in this run. */
export function chosenOf(
  rows: readonly (readonly [
    call: string,
    columns: readonly (readonly [name: string, rules: readonly Rule[]])[],
  ])[],
  columnsOfEach: number,
): Row[] {
  process.stderr.write(`HOSTILE_SEED=${SEED}\n`);
  const random = seededRandom(SEED);
  return rows
    .filter(([call]) => (HOSTILE_CALL ?? call) === call)
    .map(([call, columns]) => {
      const cells = columns
        .filter(([name]) => (HOSTILE_FAULT ?? name) === name)
        .flatMap(([name, rules]) => ACTS.map((act) => ({ name, rules, act })))
        .filter(({ act }) => (HOSTILE_ACT ?? act) === act);
      return { call, cells: HOSTILE_MATRIX === 'all' ? cells : sample(cells, columnsOfEach, random) };
    });
}

/** Half of the rows on each side of two nodes, by the seed; all on both where all are tried. */
export function rowsOfTwo(rows: readonly Row[]): (Row & { readonly node: Standing })[] {
  return OF_TWO.flatMap((node, side) =>
    rows
      .filter((_, n) => HOSTILE_MATRIX === 'all' || (n + SEED) % 2 === side)
      .map((row) => ({ ...row, node })),
  );
}

/** Stages by their names, each started when a row is the first that wants it. */
export class Stages<Name extends string, T extends MatrixStage & { stop(): Promise<void> }> {
  private readonly started = new Map<Name, Promise<T>>();

  constructor(private readonly start: (name: Name) => Promise<T>) {}

  of(name: Name): Promise<T> {
    const stage = this.started.get(name) ?? this.start(name);
    this.started.set(name, stage);
    return stage;
  }

  /** One after the other: what each holds is compared with its whole chain. */
  async stop(): Promise<void> {
    for (const stage of this.started.values()) await (await stage).stop();
  }
}

export function sample<T>(all: readonly T[], count: number, random: () => number): T[] {
  const shuffled = all.map((one) => ({ one, at: random() })).sort((a, b) => a.at - b.at);
  return shuffled.slice(0, count).map(({ one }) => one);
}

/**
 * @param spared calls that hold up nothing, whatever becomes of them
 * @returns what was wrong in the row, a line for each cell
 */
export async function sufferRow(
  stage: MatrixStage,
  { call, cells }: Row,
  spared: readonly string[] = [],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const [n, { name, rules, act }] of cells.entries()) {
    const kind = { isSlow: name in ENDLESS, isSpared: spared.includes(call) };
    const problem = await suffer(stage, rules, act, n, kind).catch(String);
    if (problem !== null) wrong.push(`${name} from before "${act}": ${problem}`);
  }
  return wrong;
}

async function suffer(
  stage: MatrixStage,
  rules: readonly Rule[],
  from: Act,
  seed: number,
  { isSlow, isSpared }: { readonly isSlow: boolean; readonly isSpared: boolean },
): Promise<string | null> {
  const { node } = stage;
  const watcher = stage.watcher(isSlow);
  node.honest();
  // A chain that stood still while other rows were tried counts as stuck.
  await stage.mine();
  const before = await recover(stage, watcher);
  if (before) return `it has not recovered from the case before: ${before}`;
  let problem: string | null = null;
  let isHostile = false;
  /** A look may fail, as long as nothing is lost by it; one that says that it has seen everything must have. */
  const look = async () => {
    let end = 'failed';
    for (let i = 0; i < (isHostile ? LOOKS : LOOKS_WHEN_HONEST); i += 1)
      end = await watcher.step().catch(() => 'failed');
    problem ??= await stage.tooMuch();
    if (isHostile && isSpared && end === 'failed') problem ??= 'it holds up the network';
    if (end === 'synced' && (await stage.isAtTip())) problem ??= await stage.unsaid();
  };
  const life = stage.life(look);
  const at = ACTS.indexOf(from);
  for (const [i, act] of ACTS.entries()) {
    isHostile = i === at || i === at + 1;
    if (i === at) node.plan(rules, seed);
    if (!isHostile && i > at) node.honest();
    await life[act]();
  }
  node.honest();
  await stage.mine();
  const failure = await recover(stage, watcher);
  if (failure) return `it does not recover: ${failure}`;
  return problem ?? (await stage.tooMuch()) ?? (await stage.missing());
}

/** The node is honest by now: for an answer that comes too late the machine is to blame, and such a look does not count. */
function isLate(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause.message.includes('did not answer within')) return true;
  return false;
}

/** @returns why not */
async function recover(stage: MatrixStage, watcher: SteppedWatcher): Promise<string | null> {
  let failure: unknown = 'it never says that it is synced';
  let untilMs: number | null = null;
  const stallsUntilMs = performance.now() + MACHINE_STALLS_MS;
  for (let i = 0; i < LOOKS_TO_RECOVER || (untilMs !== null && performance.now() < untilMs); i += 1) {
    const end = await watcher.step().catch((error: unknown) => ((failure = error), 'failed'));
    if (end === 'failed' && isLate(failure) && performance.now() < stallsUntilMs) i -= 1;
    if (end !== 'synced' || !(await stage.isAtTip())) continue;
    if (!(await stage.isClosed())) return null;
    failure = 'something stays closed';
    untilMs ??= performance.now() + REOPENS_WITHIN_MS;
    await sleep(BETWEEN_LOOKS_MS);
  }
  return String(failure);
}
