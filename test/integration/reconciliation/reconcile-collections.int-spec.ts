import { type Address, keccak256, parseEther, stringToHex, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { CONFIG, type Config } from '../../../src/config/config.types.js';
import { HoldingsService } from '../../../src/modules/chains/forwarders/holdings.service.js';
import { ReconciliationRepository } from '../../../src/modules/chains/reconciliation/data/reconciliation.repository.js';
import { Refusals } from '../../../src/modules/chains/reconciliation/evm/refusals.js';
import { reconcilerOf } from '../../../src/modules/chains/reconciliation/reconcilers.js';
import { ReconciliationService } from '../../../src/modules/chains/reconciliation/reconciliation.service.js';
import type { Part, Position } from '../../../src/modules/chains/reconciliation/reconciliation.types.js';
import { ChainRepairService } from '../../../src/modules/chains/repair/chain-repair.service.js';
import { ChainTest, MERCHANT } from '../../chain/chains-fixture.js';
import { collectTo } from '../../chain/forwarders/collect-to.js';
import { ANYBODY, collectAll } from '../../chain/forwarders/collecting.js';
import { lie } from '../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import { deployPayer, type Payer } from '../../chain/payer.js';
import { presentTerm } from '../../chain/term.js';
import { by } from '../../support/intents/by.js';
import { expectChainClean } from '../../support/nodes/chain-check.js';

// What deposit addresses without keys paid out is compared with the chain as what came to them is. The watcher's node
// writes no blooms here and its index of logs lacks a collection: nothing but the comparison can find it.

const ATOMS = parseEther('1');
const USDC_ATOMS = 7_000_000n;
const destination = privateKeyToAddress(generatePrivateKey());

let test: ChainTest;
let node: HostileNode;
let payInside: Payer;
let holdings: HoldingsService;
let reconciliation: ReconciliationService;

beforeAll(async () => {
  test = await ChainTest.start();
  node = await HostileNode.start(test.anvil.rpcUrl);
  await collectTo(test, destination);
  payInside = await deployPayer(test);
  holdings = test.chains.app.get(HoldingsService, { strict: false });
  reconciliation = test.chains.app.get(ReconciliationService, { strict: false });
  await test.catchUp();
});
afterAll(async () => {
  await node?.stop();
  await test?.stop();
});

let subjects = 0;
async function issued(): Promise<readonly [subject: string, address: Address]> {
  subjects += 1;
  const subject = `pi_${subjects}`;
  const address = await test.issue(subject);
  await see();
  return [subject, address];
}

async function see(blocks = 1): Promise<void> {
  await test.mine(blocks);
  await test.catchUp(test.watcher(node.url));
}

function collect(token: Address, ...of: string[]) {
  const salts = of.map((subject) => keccak256(stringToHex(`${subject}/ethereum/ETH`)));
  const { to, data } = collectAll(destination, token, salts);
  return test.anvil.testClient.sendTransaction({ account: ANYBODY, to, data: data!, gas: 4_000_000n });
}

/** One look, in which the node tells of no log that names the address. */
async function seeWithout(address: Address): Promise<void> {
  const name = address.slice(2).toLowerCase();
  node.plan([
    {
      methods: ['eth_getBlockByNumber'],
      fault: lie('a block without a bloom', (block) => ({ ...(block as object), logsBloom: '0x' })),
    },
    {
      methods: ['eth_getLogs'],
      fault: lie('all logs but those that name an address', (logs) =>
        (logs as object[]).filter((log) => !JSON.stringify(log).includes(name)),
      ),
    },
  ]);
  await see();
  node.honest();
  await see(8);
}

/** The watcher compares the balances of a day's addresses: this one is older. */
const olderThanADay = (subject: string) =>
  test.chains.dataSource.query(
    `UPDATE address SET created_at = created_at - interval '30 hours' WHERE subject = $1`,
    [subject],
  );

/** A whole round of the job, with the newest addresses first. */
async function compare(): Promise<void> {
  await test.chains.dataSource.query(
    'UPDATE reconciliation SET recent_at = NULL, position = NULL, round_started_at = NULL',
  );
  while (await reconciliation.step(await presentTerm(test.chains.dataSource, test.network.id)));
}

async function found(): Promise<unknown[]> {
  const [verdict] = await reconciliation.check();
  expect(verdict).toMatchObject({ incomparable: {} });
  return verdict!.differences.map((one) => [one.kind, one.asset, one.chainAtoms, one.recordedAtoms]);
}

const holding = async (subject: string) =>
  (await holdings.holdings(MERCHANT, { alsoEmpty: true }))
    .filter((one) => one.subject === subject)
    .map(({ asset, heldAtoms, collectedAtoms }) => [asset, heldAtoms, collectedAtoms]);

const credited = async (subject: string) =>
  (await test.transfers(subject)).map(({ asset, amountAtoms, state }) => [asset, amountAtoms, state]);

/** A collection that no chain has. */
async function untrue(asset: string, address: Address, atoms: bigint): Promise<void> {
  const { number: height, hash } = await test.anvil.testClient.getBlock({ blockTag: 'finalized' });
  await test.chains.dataSource.query(
    `INSERT INTO collection (network, txid, output, asset, address, amount_atoms, block_height, block_hash, block_time)
     VALUES ('ethereum', $1, 'log:0', $6, $2, $5, $3, $4, now())`,
    [`0x${'cd'.repeat(32)}`, address.toLowerCase(), height, hash, atoms.toString(), asset],
  );
}

async function takeBack(address: Address): Promise<void> {
  await test.chains.dataSource.query('DELETE FROM collection WHERE address = $1', [address.toLowerCase()]);
  await expectChainClean(test.chains.app);
}

it('records a collection of coin that was not seen, and then nothing lies there any more', async () => {
  const [subject, address] = await issued();
  await test.send(address, '1');
  await see();
  const txid = await collect(zeroAddress, subject);
  await seeWithout(address);
  expect(await holding(subject)).toEqual([['ETH', ATOMS, 0n]]);
  expect(await found()).toEqual([['collected', 'ETH', ATOMS, 0n]]);
  await compare();
  expect(await holding(subject)).toEqual([['ETH', 0n, ATOMS]]);
  expect(await holdings.collectedBy(MERCHANT, txid)).toMatchObject([{ atoms: ATOMS, isFinal: true }]);
  expect((await reconciliation.differences(test.network.id)).map(({ kind }) => kind)).toEqual(['collected']);
  await expectChainClean(test.chains.app);
});

it('records a collection of a token of which the log was left out beside another of its block', async () => {
  const [[told, toTold], [hidden, toHidden]] = [await issued(), await issued()];
  await test.sendToken(toTold, USDC_ATOMS);
  await test.sendToken(toHidden, USDC_ATOMS);
  await see();
  await collect(test.anvil.tokens.USDC.address, told);
  await collect(test.anvil.tokens.USDC.address, hidden);
  await seeWithout(toHidden);
  expect(await holding(told)).toEqual([['USDC', 0n, USDC_ATOMS]]);
  expect(await holding(hidden)).toEqual([['USDC', USDC_ATOMS, 0n]]);
  expect(await found()).toEqual([['collected', 'USDC', USDC_ATOMS, 0n]]);
  await compare();
  expect(await holding(hidden)).toEqual([['USDC', 0n, USDC_ATOMS]]);
  await expectChainClean(test.chains.app);
});

it('records tokens that came and were collected unseen', async () => {
  const [subject, address] = await issued();
  await test.sendToken(address, USDC_ATOMS);
  await test.mine();
  await collect(test.anvil.tokens.USDC.address, subject);
  await seeWithout(address);
  expect(await holding(subject)).toEqual([]);
  expect(await found()).toEqual([
    ['unrecorded', 'USDC', USDC_ATOMS, 0n],
    ['collected', 'USDC', USDC_ATOMS, 0n],
  ]);
  await compare();
  expect(await credited(subject)).toEqual([['USDC', USDC_ATOMS, 'included']]);
  expect(await holding(subject)).toEqual([['USDC', 0n, USDC_ATOMS]]);
  await expectChainClean(test.chains.app);
});

it.each([
  { blocks: 'one block', between: 0 },
  { blocks: 'two blocks', between: 1 },
])('records coin by a contract that came and was collected unseen in $blocks', async ({ between }) => {
  const [subject, address] = await issued();
  const txid = await payInside(address, ATOMS);
  await test.mine(between);
  await collect(zeroAddress, subject);
  await seeWithout(address);
  expect(await credited(subject)).toEqual([]);
  expect(await found()).toEqual([
    ['collected', 'ETH', ATOMS, 0n],
    ['unexplained', 'ETH', 0n, -ATOMS],
  ]);
  await compare();
  const { blockHash } = await test.anvil.testClient.getTransactionReceipt({ hash: txid });
  expect(await test.transfers(subject)).toMatchObject([{ txid, amountAtoms: ATOMS, blockHash }]);
  expect(await holding(subject)).toEqual([['ETH', 0n, ATOMS]]);
  await expectChainClean(test.chains.app);
});

it('records coin that a contract pays days after a collection that was not seen', async () => {
  const [subject, address] = await issued();
  await test.send(address, '1');
  await see();
  await collect(zeroAddress, subject);
  await seeWithout(address);
  await olderThanADay(subject);
  const txid = await payInside(address, ATOMS / 4n);
  await see(8);
  expect(await found()).toEqual([
    ['collected', 'ETH', ATOMS, 0n],
    ['unexplained', 'ETH', ATOMS / 4n, 0n],
  ]);
  await compare();
  expect(await test.transfers(subject)).toMatchObject([
    { amountAtoms: ATOMS, state: 'included' },
    { amountAtoms: ATOMS / 4n, state: 'included', txid },
  ]);
  expect(await holding(subject)).toEqual([['ETH', ATOMS / 4n, ATOMS]]);
  await expectChainClean(test.chains.app);
});

it('misses a collection that is recorded and that no chain has, and credits nothing for it', async () => {
  const [subject, address] = await issued();
  await test.send(address, '1');
  await see(8);
  await untrue('ETH', address, 1n);
  await olderThanADay(subject);
  expect(await found()).toEqual([['missing', 'ETH', 0n, 1n]]);
  await compare();
  expect(await credited(subject)).toEqual([['ETH', ATOMS, 'included']]);
  await takeBack(address);
});

it('misses tokens that are recorded, lie there no more and were never collected', async () => {
  const [subject, address] = await issued();
  await test.sendToken(address, USDC_ATOMS);
  await see(8);
  const program = address.slice(2).toLowerCase();
  const { rpcUrl } = test.network;
  node.plan([
    {
      methods: ['eth_call'],
      holding: program,
      fault: lie('nothing of anything', (held) => `0x${'0'.repeat(String(held).length - 2)}`),
    },
  ]);
  Object.assign(test.network, { rpcUrl: node.url });
  try {
    expect(await found()).toContainEqual(['missing', 'USDC', 0n, USDC_ATOMS]);
    await compare();
  } finally {
    Object.assign(test.network, { rpcUrl });
    node.honest();
  }
  expect(await holding(subject)).toEqual([['USDC', USDC_ATOMS, 0n]]);
  await expectChainClean(test.chains.app);
});

it('misses a collection of a token that no chain has, and credits nothing for it', async () => {
  const [subject, address] = await issued();
  await test.sendToken(address, USDC_ATOMS);
  await see(8);
  await untrue('USDC', address, USDC_ATOMS);
  expect(await found()).toEqual([['missing', 'USDC', 0n, USDC_ATOMS]]);
  await compare();
  expect(await credited(subject)).toEqual([['USDC', USDC_ATOMS, 'included']]);
  await takeBack(address);
});

it('beside a collection that no chain has, records no more than the coin that came unseen', async () => {
  const [subject, address] = await issued();
  await test.send(address, '1');
  await see(8);
  await untrue('ETH', address, ATOMS);
  await olderThanADay(subject);
  await payInside(address, ATOMS / 4n);
  await see(8);
  await compare();
  const sum = (await credited(subject)).reduce((atoms, one) => atoms + (one[1] as bigint), 0n);
  expect(sum).toBe((ATOMS * 5n) / 4n);
  await takeBack(address);
});

/** A round in parts of three blocks, each by another process, which has nothing but what the one before has stored. */
async function inParts(mostFound: number) {
  const { app, ledger } = test.chains;
  const started = () =>
    reconcilerOf(
      test.network,
      { ...app.get<Config>(CONFIG).reconciliation, requestsPerSecond: 100 },
      ledger,
      app.get(ReconciliationRepository, { strict: false }),
      new Refusals(),
      { blocksAtOnce: 3, mostFound },
    );
  const at = (await started().agreedBlock())!;
  const parts: Part[] = [];
  for (let position: Position = null; ;) {
    const part = await started().part(at, JSON.parse(JSON.stringify(position)) as Position);
    parts.push(part);
    position = part.next;
    if (!position) return parts;
  }
}

it.each([
  ['judges by balances what a batch told in all of its parts', 1, []],
  [
    'compares no balances where a batch told more than is kept',
    0,
    ['balances of which not all logs are known'],
  ],
])('%s', async (_what, mostFound, incomparable) => {
  const [[subject, address], [other, toOther]] = [await issued(), await issued()];
  await test.sendToken(address, USDC_ATOMS);
  await test.send(toOther, '1');
  await see();
  await collect(test.anvil.tokens.USDC.address, subject);
  await collect(zeroAddress, other);
  await seeWithout(address);
  const parts = await inParts(mostFound);
  expect(parts.length).toBeGreaterThan(3);
  const differences = parts.flatMap((part) => part.differences);
  expect(differences.map((one) => [one.kind, one.asset, one.chainAtoms, one.recordedAtoms])).toEqual([
    ['collected', 'USDC', USDC_ATOMS, 0n],
  ]);
  expect(parts.flatMap((part) => Object.keys(part.incomparable))).toEqual(incomparable);
  await compare();
  await expectChainClean(test.chains.app);
});

it('leaves coin to the watcher that came and was collected while that could not see', async () => {
  const [subject, address] = await issued();
  await see(2);
  node.plan([
    { methods: ['eth_call'], fault: { kind: 'refuse', code: -32_000, message: 'missing trie node' } },
  ]);
  await see(3);
  await payInside(address, ATOMS);
  await see(2);
  await collect(zeroAddress, subject);
  await see(10);
  await compare();
  node.honest();
  await see();
  await see(8);
  expect(await credited(subject)).toEqual([['ETH', ATOMS, 'included']]);
  expect(await holding(subject)).toEqual([['ETH', 0n, ATOMS]]);
  await expectChainClean(test.chains.app);
});

it('keeps nothing of coin that it recorded on a chain that was given up', async () => {
  const { testClient } = test.anvil;
  const [subject, address] = await issued();
  await see(3);
  const snapshot = await testClient.snapshot();
  const start = Number(await testClient.getBlockNumber());
  await payInside(address, ATOMS);
  await collect(zeroAddress, subject);
  await seeWithout(address);
  await compare();
  expect(await holding(subject)).toEqual([['ETH', 0n, ATOMS]]);
  await test.chains.dataSource.query('DELETE FROM chain_block WHERE height <= $1', [start]);
  await testClient.revert({ id: snapshot });
  await testClient.increaseTime({ seconds: 77 });
  await test.mine(20);
  await expect(test.catchUp()).rejects.toThrow('shares none of the');
  const repair = test.chains.app.get(ChainRepairService, { strict: false });
  await repair.rewind('ethereum', start, by('the operator'));
  await test.mine(8);
  await test.catchUp();
  const included = (await credited(subject)).filter(([, , state]) => state === 'included');
  expect(included).toEqual([]);
  expect(await testClient.getBalance({ address })).toBe(0n);
});
