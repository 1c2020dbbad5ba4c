import { parseEther, type Address } from 'viem';
import { BUYER, ChainTest } from '../chain/chains-fixture.js';
import { compileContracts } from '../chain/contracts.js';
import { EVM_CALLS, evmMatrix } from '../chain/evm-matrix.js';
import { HostileNode } from '../chain/hostile-node.js';
import type { Fault } from '../chain/hostile-plan.js';
import { SEED } from '../chain/hostile-runs.js';
import { seededRandom } from '../chaos/random.js';
import type { SteppedWatcher } from '../chain/term.js';

/**
 * Each call of the watcher with each fault, at one fixed moment: from before the first look at fresh addresses until
 * after they were paid. Without `HOSTILE_MATRIX=all` some columns of each row, another choice for each seed;
 * `HOSTILE_CALL` and `HOSTILE_FAULT` narrow it to a row and a column.
 */
const { HOSTILE_CALL, HOSTILE_FAULT, HOSTILE_MATRIX } = process.env;
const COLUMNS_OF_EACH = 3;
const ASSETS = ['coin', 'token', 'call'] as const;
/** Looks while the node is hostile, before the payment and after it. */
const [LOOKS_BEFORE, LOOKS_AFTER] = [1, 2];
const LOOKS_TO_RECOVER = 10;

const { payout } = compileContracts();
let test: ChainTest;
let node: HostileNode;
let contract: Address;
let cases = 0;

beforeAll(async () => {
  process.stderr.write(`HOSTILE_SEED=${SEED}\n`);
  test = await ChainTest.start({ slotsInAnEpoch: 70 });
  node = await HostileNode.start(test.anvil.rpcUrl);
  contract = await test.deploy(payout);
  // So that what a node is not told to be final would be final by a depth that somebody guessed.
  await test.mine(150);
  await test.catchUp();
});
afterAll(async () => {
  await node?.stop();
  await test?.stop();
});

const rows = Object.entries(evmMatrix()).filter(([call]) => (HOSTILE_CALL ?? call) === call);

it.each(rows)(
  '%s: no fault loses or invents money, or makes a block final',
  async (call, faults) => {
    const wrong: string[] = [];
    for (const [name, fault] of columns(faults)) {
      const problem = await suffer(call, fault);
      if (problem !== null) wrong.push(`${name}: ${problem}`);
    }
    expect(wrong).toEqual([]);
  },
  600_000,
);

function columns(faults: Readonly<Record<string, Fault>>): [string, Fault][] {
  const all = Object.entries(faults);
  if (HOSTILE_FAULT !== undefined) return all.filter(([name]) => name === HOSTILE_FAULT);
  if (HOSTILE_MATRIX === 'all') return all;
  const random = seededRandom(SEED);
  const shuffled = all.map((column) => ({ column, at: random() })).sort((a, b) => a.at - b.at);
  return shuffled.slice(0, COLUMNS_OF_EACH).map(({ column }) => column);
}

async function suffer(call: string, fault: Fault): Promise<string | null> {
  const watcher = test.watcher(node.url);
  node.honest();
  if (await recover(watcher)) return 'it has not recovered from the case before';
  cases += 1;
  const subjects = ASSETS.map((asset) => `pi_${cases}_${asset}`);
  const [coin, token, inside] = [await issue(0), await issue(1), await issue(2)];
  node.plan(
    EVM_CALLS[call]!.map((when) => ({ ...when, fault })),
    cases,
  );
  await test.mine();
  await looks(watcher, LOOKS_BEFORE);
  await test.send(coin, '0.1');
  await test.sendToken(token, 100n);
  await payInside(inside);
  await test.mine();
  await looks(watcher, LOOKS_AFTER);
  const early = (await invented(subjects)) ?? (await finalTooEarly());
  node.honest();
  await test.mine();
  const failure = await recover(watcher);
  if (failure) return `it does not recover: ${failure}`;
  return early ?? (await missing(subjects));

  function issue(at: number): Promise<Address> {
    return test.issue(subjects[at]!);
  }
}

/** A look may fail, as long as nothing is lost by it. */
async function looks(watcher: SteppedWatcher, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) await watcher.step().catch(() => undefined);
}

/** @returns why not */
async function recover(watcher: SteppedWatcher): Promise<string | null> {
  let failure: unknown = null;
  for (let i = 0; i < LOOKS_TO_RECOVER; i += 1) {
    const end = await watcher.step().catch((error: unknown) => ((failure = error), 'failed'));
    const cursor = await test.chains.ledger.cursor('ethereum');
    if (end === 'synced' && cursor?.height === Number(await test.anvil.testClient.getBlockNumber()))
      return null;
  }
  return String(failure);
}

async function payInside(to: Address): Promise<void> {
  await test.anvil.testClient.writeContract({
    account: BUYER,
    address: contract,
    abi: payout.abi,
    functionName: 'pay',
    args: [[to], [parseEther('0.1')]],
    value: parseEther('0.1'),
  });
}

const PAID = [parseEther('0.1'), 100n, parseEther('0.1')];
const amounts = async (subject: string) =>
  (await test.transfers(subject)).map((transfer) => transfer.amountAtoms);

async function invented(subjects: readonly string[]): Promise<string | null> {
  for (const [i, subject] of subjects.entries()) {
    const seen = await amounts(subject);
    if (seen.length > 1 || seen.some((atoms) => atoms !== PAID[i]))
      return `${ASSETS[i]} is seen as ${seen.join()}`;
  }
  return null;
}

async function missing(subjects: readonly string[]): Promise<string | null> {
  const seen = await Promise.all(subjects.map(amounts));
  const lost = ASSETS.filter((_, i) => seen[i]!.length !== 1 || seen[i]![0] !== PAID[i]);
  return lost.length === 0 ? null : `lost or wrong: ${lost.map((asset) => asset).join()}`;
}

async function finalTooEarly(): Promise<string | null> {
  const { testClient } = test.anvil;
  const [row] = await test.chains.dataSource.query<[{ safe: number; finalized: number }]>(
    `SELECT safe_height::int AS safe, finalized_height::int AS finalized FROM chain_cursor WHERE network = 'ethereum'`,
  );
  for (const blockTag of ['safe', 'finalized'] as const) {
    const truth = Number((await testClient.getBlock({ blockTag })).number);
    if (row[blockTag] > truth) return `${blockTag} is ${row[blockTag]}, and the node says ${truth}`;
  }
  return null;
}
