import { type Address, encodeAbiParameters, erc20Abi, keccak256, parseEther, toHex } from 'viem';
import { deriveAddress } from '../../../src/modules/chains/domain/addresses/derive-address.js';
import { balanceCall } from '../../../src/modules/chains/evm/node/balance-call.js';
import { ReconciliationService } from '../../../src/modules/chains/reconciliation/reconciliation.service.js';
import type { Difference } from '../../../src/modules/chains/reconciliation/reconciliation.types.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { accountXpub, BUYER, ChainTest } from '../../chain/chains-fixture.js';
import { compileContracts } from '../../chain/contracts.js';
import { logLimit, refusedLogs } from '../../chain/evm-faults.js';
import { GATEWAY, lie, REFUSALS, refusing } from '../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import type { Fault, Rule } from '../../chain/hostile/hostile-plan.js';
import { presentTerm } from '../../chain/term.js';
import { expectChainClean, SENT_FROM } from '../../support/nodes/chain-check.js';

const { payout } = compileContracts();

let test: ChainTest;
let contract: Address;
let reconciliation: ReconciliationService;

beforeAll(async () => {
  test = await ChainTest.start();
  test.leaveUntold(SENT_FROM);
  contract = await test.deploy(payout);
  reconciliation = test.chains.app.get(ReconciliationService, { strict: false });
});
/** Whatever a test did: a whole round later the two are the same. */
afterEach(async () => {
  await bury();
  await compare();
  await expectChainClean(test.chains.app, undefined, [SENT_FROM]);
});
afterAll(() => test?.stop());

let subjects = 0;
async function issue(): Promise<[subject: string, address: Address]> {
  subjects += 1;
  return [`pi_${subjects}`, await test.issue(`pi_${subjects}`)];
}

/** Deep enough that everything up to now is final. */
async function bury(): Promise<void> {
  await test.mine(8);
  await test.catchUp();
}

/** The watcher is told that it has seen what it has not. */
async function pastTheWatcher(): Promise<void> {
  const { number: height, hash } = await test.anvil.testClient.getBlock();
  await test.chains.dataSource.query('UPDATE chain_cursor SET height = $1, hash = $2', [height, hash]);
  await test.chains.dataSource.query('UPDATE cursor_asset SET covered_height = $1', [height]);
  await test.chains.dataSource.query('INSERT INTO chain_block (network, height, hash) VALUES ($1, $2, $3)', [
    test.network.id,
    height,
    hash,
  ]);
}

/** A whole round of the job, with the newest addresses first. */
async function compare(): Promise<void> {
  await test.chains.dataSource.query(
    `UPDATE reconciliation SET recent_at = NULL, position = NULL, round_started_at = NULL`,
  );
  while (await step());
}

const found = async () => kinds(await reconciliation.differences(test.network.id));

/** As if what was found had been found some minutes ago. */
const minutesLater = () =>
  test.chains.dataSource.query(`UPDATE chain_difference SET seen_at = seen_at - interval '6 minutes'`);

/** The watcher compares the balances of a day's addresses: this one is older. */
const olderThanADay = (subject: string) =>
  test.chains.dataSource.query(
    `UPDATE address SET created_at = created_at - interval '30 hours' WHERE subject = $1`,
    [subject],
  );

const step = async () => reconciliation.step(await presentTerm(test.chains.dataSource, test.network.id));

const check = async () => (await reconciliation.check())[0]!;
const kinds = (differences: readonly Difference[]) =>
  differences.map(({ kind, asset }) => `${kind} ${asset}`);

function pay(address: Address, ether: string) {
  return test.anvil.testClient.writeContract({
    account: BUYER,
    address: contract,
    abi: payout.abi,
    functionName: 'pay',
    gas: 1_000_000n,
    args: [[address], [parseEther(ether)]],
    value: parseEther(ether),
  });
}

/** With a node before which somebody stands. */
async function behind<T>(url: string, work: () => Promise<T>): Promise<T> {
  const { rpcUrl } = test.network;
  Object.assign(test.network, { rpcUrl: url });
  try {
    return await work();
  } finally {
    Object.assign(test.network, { rpcUrl });
  }
}

/** Whatever an address holds goes on, to the last atom. */
async function sweep(address: Address): Promise<void> {
  const { testClient } = test.anvil;
  await testClient.impersonateAccount({ address });
  const gasPrice = 4n * (await testClient.getGasPrice());
  const value = (await testClient.getBalance({ address })) - 21_000n * gasPrice;
  const { address: to } = anvilAccount(6);
  await testClient.sendTransaction({ account: address, to, value, gas: 21_000n, gasPrice });
  await test.mine();
  expect(await testClient.getBalance({ address })).toBe(0n);
}

/** A node that adds an ether to one address, whenever it is asked for balances. */
function richer(address: Address): Rule {
  const program = balanceCall([]);
  return {
    methods: ['eth_call'],
    holding: program,
    fault: lie('an ether more', (result, { params }) => {
      const { data } = params[0] as { data: string };
      const asked: readonly string[] = data.slice(program.length).match(/.{40}/g) ?? [];
      const at = 2 + 64 * asked.indexOf(address.slice(2).toLowerCase());
      if (typeof result !== 'string' || at < 2) return result;
      const word = BigInt(`0x${result.slice(at, at + 64)}`) + parseEther('1');
      return result.slice(0, at) + word.toString(16).padStart(64, '0') + result.slice(at + 64);
    }),
  };
}

/** The token's own book says so from now on, and no log does. */
async function conjure(address: Address, atoms: bigint): Promise<void> {
  const { testClient, tokens } = test.anvil;
  const token = tokens.USDC.address;
  const held = () =>
    testClient.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] });
  for (let slot = 0n; slot < 10n && (await held()) !== atoms; slot += 1n) {
    const place = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [address, slot]));
    const before = await testClient.getStorageAt({ address: token, slot: place });
    await testClient.setStorageAt({ address: token, index: place, value: toHex(atoms, { size: 32 }) });
    if ((await held()) !== atoms)
      await testClient.setStorageAt({ address: token, index: place, value: before! });
  }
  expect(await held()).toBe(atoms);
}

it('is clean where the watcher has seen everything: coin, tokens, internal calls, several in one block', async () => {
  const [[, first], [, second]] = [await issue(), await issue()];
  await test.send(first, '1');
  await test.sendToken(first, 5n);
  await test.sendToken(second, 7n);
  await pay(second, '0.25');
  await bury();
  expect(await check()).toMatchObject({ verdict: 'clean', incomparable: {}, differences: [] });
});

it('writes nothing of a block that is another one than the one that was passed', async () => {
  const [subject, address] = await issue();
  await olderThanADay(subject);
  await pay(address, '0.5');
  await test.mine();
  const { number: height, hash } = await test.anvil.testClient.getBlock();
  const passed = (as: string) =>
    test.chains.dataSource.query('UPDATE chain_block SET hash = $1 WHERE height = $2', [as, height]);
  await bury();
  await passed(`0x${'ee'.repeat(32)}`);
  await compare();
  expect(await test.transfers(subject)).toEqual([]);
  expect(await found()).toEqual(['unexplained ETH']);
  await passed(hash);
  await compare();
  expect(await test.transfers(subject)).toMatchObject([{ amountAtoms: parseEther('0.5'), blockHash: hash }]);
  await minutesLater();
  await compare();
  expect(await found()).toEqual([]);
});

it('finds a token payment that was put past the watcher, and records it as the watcher would have', async () => {
  const [subject, address] = await issue();
  const txid = await test.sendToken(address, 42n);
  await test.mine();
  const block = await test.anvil.testClient.getBlock();
  await pastTheWatcher();
  await bury();
  expect(await test.transfers(subject)).toEqual([]);
  const verdict = await check();
  expect(verdict.verdict).toBe('different');
  expect(verdict.differences).toMatchObject([
    { kind: 'unrecorded', asset: 'USDC', address: address.toLowerCase(), chainAtoms: 42n, recordedAtoms: 0n },
  ]);
  expect(await test.transfers(subject)).toEqual([]);
  await test.chains.dataSource.query('DELETE FROM fact_change');
  await compare();
  const recorded = { txid, asset: 'USDC', amountAtoms: 42n, state: 'included', blockHash: block.hash };
  expect(await test.transfers(subject)).toMatchObject([{ ...recorded, output: 'log:0' }]);
  expect((await test.chains.facts.changes(10)).map((change) => change.subject)).toContain(subject);
  expect(await found()).toEqual(['unrecorded USDC']);
  await minutesLater();
  await compare();
  expect(await found()).toEqual([]);
  expect(await test.transfers(subject)).toHaveLength(1);
});

const usdc = async (subject: string) =>
  (await test.transfers(subject))
    .filter(({ asset }) => asset === 'USDC')
    .map(({ output, amountAtoms }) => `${output.split(':')[0]} ${amountAtoms}`)
    .sort();

/** Until the ledger and an honest node have told each other everything. */
async function settled(): Promise<void> {
  await compare();
  await minutesLater();
  await compare();
  expect(await found()).toEqual([]);
}

/** Compared by a node that follows these rules; what it refuses may end the comparison. */
async function comparedBehind(...rules: Rule[]): Promise<void> {
  const node = await HostileNode.start(test.anvil.rpcUrl);
  node.plan(rules);
  await behind(node.url, () => compare().catch(() => undefined));
  await node.stop();
}

/** A node that has the states of these blocks alone. */
async function keeping(fromHeight: bigint): Promise<Rule> {
  const { testClient } = test.anvil;
  const kept = new Set<string>();
  for (let height = fromHeight; height <= (await testClient.getBlockNumber()); height += 1n)
    kept.add((await testClient.getBlock({ blockNumber: height })).hash);
  return {
    methods: ['eth_call', 'eth_getTransactionCount'],
    asking: ({ params: [, at] }) =>
      typeof at === 'object' && !kept.has((at as { blockHash: string }).blockHash),
    fault: REFUSALS.pruned,
  };
}

/** Of the logs that are asked for, not these. */
const without = (name: string, isLeftOut: (log: { topics: string[]; data: string }) => boolean): Rule => ({
  methods: ['eth_getLogs'],
  fault: lie(name, (logs) => (logs as { topics: string[]; data: string }[]).filter((log) => !isLeftOut(log))),
});

it('finds a token payment of which a node told one of two logs of its block, which one node alone may hide', async () => {
  const [first, toFirst] = await issue();
  const [second, toSecond] = await issue();
  await test.sendToken(toFirst, 42n);
  await test.sendToken(toSecond, 43n);
  await test.mine();
  const node = await HostileNode.start(test.anvil.rpcUrl);
  try {
    const topic = toSecond.toLowerCase().slice(2);
    const withoutSecond = lie('logs without those to one address', (logs) =>
      (logs as { topics: string[] }[]).filter(({ topics }) => !topics[2]?.includes(topic)),
    );
    node.plan([{ methods: ['eth_getLogs'], fault: withoutSecond }]);
    await test.catchUp(test.watcher(node.url));
  } finally {
    await node.stop();
  }
  expect(await test.transfers(first)).toHaveLength(1);
  expect(await test.transfers(second)).toEqual([]);
  await bury();
  await compare();
  expect(await test.transfers(second)).toMatchObject([
    { amountAtoms: 43n, output: 'log:0', state: 'included' },
  ]);
});

it('finds coin that was put past the watcher at an address that it no longer compares, in its block', async () => {
  const [subject, address] = await issue();
  const [inside, other] = await issue();
  await olderThanADay(subject);
  await olderThanADay(inside);
  await bury();
  const txid = await test.send(address, '3');
  const call = await pay(other, '0.125');
  await test.mine();
  await pastTheWatcher();
  await bury();
  expect((await check()).differences).toHaveLength(2);
  await compare();
  const paid = { state: 'included', asset: 'ETH' };
  const amountAtoms = parseEther('3');
  expect(await test.transfers(subject)).toMatchObject([{ ...paid, txid, output: 'native', amountAtoms }]);
  expect(await test.transfers(inside)).toMatchObject([
    { ...paid, txid: call, output: 'call:0', amountAtoms: parseEther('0.125') },
  ]);
});

it('leaves coin to the watcher where that still compares the balance, so that it is credited once', async () => {
  const [subject, address] = await issue();
  await bury();
  await test.send(address, '3');
  await test.mine();
  await pastTheWatcher();
  await compare();
  await test.mine(8);
  await compare();
  await bury();
  await compare();
  const amounts = (await test.transfers(subject)).map((transfer) => transfer.amountAtoms);
  expect(amounts).toEqual([parseEther('3')]);
});

it('records of a block only what is missing: coin that the watcher has found by the balance counts once', async () => {
  const [token, paidInTokens] = await issue();
  const [coin, paidInCoin] = await issue();
  await bury();
  await test.sendToken(paidInTokens, 42n);
  await test.send(paidInCoin, '3');
  await test.mine();
  await pastTheWatcher();
  await bury();
  expect(await test.transfers(coin)).toMatchObject([{ amountAtoms: parseEther('3') }]);
  await compare();
  expect(await test.transfers(token)).toMatchObject([{ amountAtoms: 42n, output: 'log:0' }]);
  const amounts = (await test.transfers(coin)).map((transfer) => transfer.amountAtoms);
  expect(amounts).toEqual([parseEther('3')]);
});

it('finds coin by an internal call that a blind watcher took for what the address held before', async () => {
  const proxy = await HostileNode.start(test.anvil.rpcUrl);
  try {
    const [subject, address] = await issue();
    proxy.plan([refusing('eth_call')]);
    await pay(address, '0.5');
    await test.mine();
    await test.catchUp(test.watcher(proxy.url)).catch(() => undefined);
    proxy.honest();
    await bury();
    await compare();
    const [transfer, ...more] = await test.transfers(subject);
    expect(more).toEqual([]);
    expect(transfer).toMatchObject({ amountAtoms: parseEther('0.5'), state: 'included', asset: 'ETH' });
  } finally {
    await proxy.stop();
  }
});

it('writes what no block explains as one movement of the block at which it was compared', async () => {
  const [subject, address] = await issue();
  await bury();
  await olderThanADay(subject);
  await test.anvil.testClient.setBalance({ address, value: 1_000n });
  await bury();
  await compare();
  expect(await test.transfers(subject)).toMatchObject([
    { output: `balance:${address.toLowerCase()}`, amountAtoms: 1_000n, asset: 'ETH' },
  ]);
});

it('finds coin that came and was moved on to the last atom before anybody looked, and what it was', async () => {
  const [subject, address] = await issue();
  const [unused] = await issue();
  await bury();
  const txid = await test.send(address, '2');
  await test.mine(3);
  await sweep(address);
  await pastTheWatcher();
  await bury();
  const { differences, incomparable } = await check();
  expect(differences).toMatchObject([
    { kind: 'swept', asset: 'ETH', address: address.toLowerCase(), chainAtoms: 0n, recordedAtoms: 0n },
  ]);
  expect(incomparable).toEqual({});
  await compare();
  expect(await found()).toContain('swept ETH');
  expect(await test.transfers(subject)).toMatchObject([
    { txid, amountAtoms: parseEther('2'), state: 'included' },
  ]);
  expect(await test.transfers(unused)).toEqual([]);
  await minutesLater();
});

it('names what was moved on unseen where the node no longer tells in which block, and says what it cannot know', async () => {
  const proxy = await HostileNode.start(test.anvil.rpcUrl);
  try {
    const [subject, address] = await issue();
    await test.send(address, '1');
    await test.mine();
    await sweep(address);
    await pastTheWatcher();
    await bury();
    proxy.plan([{ methods: ['eth_getTransactionCount'], fault: REFUSALS.pruned }]);
    await behind(proxy.url, compare);
    expect(await found()).toContain('swept ETH');
    expect(await test.transfers(subject)).toEqual([]);
    proxy.plan([{ methods: ['eth_call'], fault: REFUSALS.noMethod }]);
    const [verdict] = await behind(proxy.url, () => reconciliation.check());
    expect(verdict!.incomparable).toHaveProperty('balances of ETH');
  } finally {
    await proxy.stop();
  }
});

/** What the next subject gets, before it gets it. */
async function nextAddress(): Promise<Address> {
  const [key] = await test.chains.dataSource.query<[{ next: number }]>(
    'SELECT next_index AS next FROM extended_key',
  );
  return deriveAddress({ family: 'evm' }, accountXpub(), key.next).address as Address;
}

it.each(['coin', 'tokens'])(
  'records %s that came before the address was issued as such, and clean it is',
  async (what) => {
    const next = await nextAddress();
    const txid = await (what === 'coin' ? test.send(next, '2') : test.sendToken(next, 2n));
    await bury();
    const [subject, address] = await issue();
    expect(address).toBe(next);
    await bury();
    await compare();
    const [earlier, ...more] = await test.transfers(subject);
    expect(more).toEqual([]);
    expect(earlier).toMatchObject({ beforeIssue: true, state: 'included' });
    if (what === 'tokens') expect(earlier).toMatchObject({ txid, output: 'log:0' });
    const paid = await (what === 'coin' ? test.send(address, '3') : test.sendToken(address, 3n));
    await bury();
    await compare();
    expect((await test.transfers(subject)).slice(1)).toMatchObject([{ txid: paid, beforeIssue: false }]);
  },
);

/** Coin that a later block's balance told of, as after a time in which the node was silent. */
async function foundByBalance(
  id: string,
  { hash, number }: { readonly hash: string; readonly number: bigint },
  subject: string,
  address: string,
  ether: string,
): Promise<void> {
  const [network, watched] = [test.network.id, address.toLowerCase()];
  await test.chains.dataSource.query(
    `INSERT INTO transfer (id, network, family, txid, output, asset, address, subject, amount_atoms, state,
                           block_height, block_hash, block_time)
     VALUES ($8, $1, 'evm', $2, $3, 'ETH', $4, $5, $6, 'included', $7, $2, now())`,
    [network, hash, `balance:${watched}`, watched, subject, String(parseEther(ether)), Number(number), id],
  );
}

it('does not find again what was told late, in the block that it came in, when it looks for other money', async () => {
  const [subject, address] = await issue();
  await bury();
  await olderThanADay(subject);
  await pay(address, '2');
  await test.mine();
  await pastTheWatcher();
  await test.mine(300); // so that a search by halves comes by there
  const late = await test.anvil.testClient.getBlock();
  await bury();
  // Told of by a later block than it came in, as after a time in which the node was silent.
  await foundByBalance('tr_late', late, subject, address, '2');
  const txid = await test.send(address, '5');
  await test.mine();
  await pastTheWatcher();
  await bury();
  await compare();
  const all = (await test.transfers(subject)).map(({ id, txid: of, amountAtoms }) => [
    id === 'tr_late' ? id : of,
    amountAtoms,
  ]);
  expect(new Map(all as [string, bigint][])).toEqual(
    new Map([
      ['tr_late', parseEther('2')],
      [txid, parseEther('5')],
    ]),
  );
});

it('writes down no coin of which only one of two nodes tells', async () => {
  const liar = await HostileNode.start(test.anvil.rpcUrl);
  try {
    const [subject, address] = await issue();
    await olderThanADay(subject);
    await bury();
    liar.plan([richer(address)]);
    Object.assign(test.network, { secondRpcUrl: test.anvil.rpcUrl });
    await behind(liar.url, compare);
    expect(await found()).toContain('unexplained ETH');
    expect(await test.transfers(subject)).toEqual([]);
  } finally {
    Object.assign(test.network, { secondRpcUrl: undefined });
    await liar.stop();
  }
});

it('writes tokens that came without any log as a movement of their block, so that they are decided about', async () => {
  const [subject, address] = await issue();
  await bury();
  await conjure(address, 77n);
  await test.mine();
  await bury();
  expect(kinds((await check()).differences)).toEqual(['unexplained USDC']);
  await test.chains.dataSource.query('DELETE FROM fact_change');
  await compare();
  expect(await test.transfers(subject)).toMatchObject([
    {
      asset: 'USDC',
      amountAtoms: 77n,
      state: 'included',
      output: expect.stringMatching(/^token:0x/) as string,
    },
  ]);
  expect((await test.chains.facts.changes(10)).map((change) => change.subject)).toContain(subject);
});

it('finds a transfer whose row was lost', async () => {
  const [subject, address] = await issue();
  await test.sendToken(address, 9n, test.anvil.tokens.USDT.address);
  await bury();
  await test.chains.dataSource.query('DELETE FROM transfer WHERE subject = $1', [subject]);
  expect(kinds((await check()).differences)).toEqual(['unrecorded USDT']);
  await compare();
  expect(await test.transfers(subject)).toMatchObject([{ amountAtoms: 9n, asset: 'USDT' }]);
});

it('reports what is recorded and not on the chain, and changes nothing', async () => {
  const [subject, address] = await issue();
  await test.sendToken(address, 5n);
  await test.send(address, '1');
  await bury();
  await test.chains.dataSource.query(
    'UPDATE transfer SET amount_atoms = amount_atoms + 1 WHERE subject = $1',
    [subject],
  );
  expect(kinds((await check()).differences).sort()).toEqual(['missing ETH', 'missing USDC']);
  await compare();
  const amounts = (await test.transfers(subject)).map(({ amountAtoms }) => amountAtoms);
  expect(new Set(amounts)).toEqual(new Set([6n, parseEther('1') + 1n]));
  await test.chains.dataSource.query(
    'UPDATE transfer SET amount_atoms = amount_atoms - 1 WHERE subject = $1',
    [subject],
  );
});

it('says that coin of an address that has sent cannot be compared, and is clean', async () => {
  const [, address] = await issue();
  const what = 'ETH of addresses that have sent';
  const before = (await check()).incomparable[what] ?? 0;
  const { testClient } = test.anvil;
  await test.send(address, '2');
  await bury();
  await testClient.impersonateAccount({ address });
  await test.send(anvilAccount(6).address, '0.5', address);
  await bury();
  expect(await check()).toMatchObject({
    verdict: 'clean',
    incomparable: { [what]: before + 1 },
  });
});

it('says the same of an address that holds just what is recorded, and has sent: as much came unseen as had gone', async () => {
  const what = 'ETH of addresses that have sent';
  const before = (await check()).incomparable[what] ?? 0;
  const [subject, address] = await issue();
  await test.send(address, '1');
  await bury();
  await sweep(address);
  await bury();
  await olderThanADay(subject);
  await pay(address, '1');
  await bury();
  expect(await test.transfers(subject)).toHaveLength(1);
  expect(await test.anvil.testClient.getBalance({ address })).toBe(parseEther('1'));
  expect(await check()).toMatchObject({ verdict: 'clean', incomparable: { [what]: before + 1 } });
});

it('says what a node does not tell, and compares the rest', async () => {
  const proxy = await HostileNode.start(test.anvil.rpcUrl);
  try {
    proxy.plan([{ methods: ['eth_call'], fault: REFUSALS.noMethod }]);
    const { verdict, incomparable } = await behind(proxy.url, check);
    expect(verdict).toBe('clean');
    expect(Object.keys(incomparable)).toContain('balances of ETH');
  } finally {
    await proxy.stop();
  }
});

it.each(['eth_call', 'eth_getLogs', 'eth_getBlockByNumber'])(
  'calls nothing clean while %s meets a limit',
  async (method) => {
    const proxy = await HostileNode.start(test.anvil.rpcUrl);
    // More blocks than are read by their receipts instead.
    await issue();
    await test.mine(20);
    await bury();
    try {
      proxy.plan([{ methods: [method], fault: REFUSALS.limit }]);
      expect(await behind(proxy.url, check)).toMatchObject({ verdict: 'unasked', differences: [] });
    } finally {
      await proxy.stop();
    }
  },
);

it('goes on after a restart where it was, and lets one instance compare at a time', async () => {
  await issue();
  await bury();
  await test.chains.dataSource.query(
    `UPDATE reconciliation SET recent_at = clock_timestamp(), position = NULL, round_started_at = NULL`,
  );
  expect(await step()).toBe(true);
  await test.chains.dataSource.query(
    `UPDATE reconciliation SET term = gen_random_uuid(), leased_until = clock_timestamp() + interval '1 minute'`,
  );
  expect(await step()).toBe(false);
  const [before] = await test.chains.dataSource.query<[{ position: object }]>(
    'SELECT position FROM reconciliation',
  );
  expect(before.position).not.toBeNull();
  await test.chains.dataSource.query(`UPDATE reconciliation SET leased_until = clock_timestamp()`);
  while (await step());
  const [standing] = await reconciliation.standings();
  expect(standing).toMatchObject({ network: test.network.id, lastCompared: subjects });
});

const nothing = lie('nothing', (result) => (Array.isArray(result) ? [] : null));

it.each([
  ['no log', { methods: ['eth_getLogs'], fault: nothing }],
  ['no receipt', { methods: ['eth_getBlockReceipts', 'eth_getTransactionReceipt'], fault: nothing }],
  ['no call', refusing('eth_call')],
  ['no balance', refusing('eth_getBalance')],
  ['not who has sent', refusing('eth_getTransactionCount')],
] satisfies [string, Rule][])(
  'credits once what came twice and was moved on between, of which a node told %s at first',
  async (_what, rule) => {
    const [subject, address] = await issue();
    await bury();
    await test.sendToken(address, 100n);
    await test.mine();
    await pastTheWatcher();
    await test.mine(20);
    const { testClient, tokens } = test.anvil;
    await testClient.setBalance({ address, value: parseEther('0.01') });
    await testClient.impersonateAccount({ address });
    await testClient.writeContract({
      account: address,
      address: tokens.USDC.address,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [anvilAccount(6).address, 100n],
    });
    await test.mine();
    await test.sendToken(address, 60n);
    await test.mine();
    await pastTheWatcher();
    await bury();
    await comparedBehind(rule);
    await settled();
    expect(await usdc(subject)).toEqual(['log 100', 'log 60']);
  },
);

it.each([true, false])(
  'credits once what a node left out of a block of which it told another log (to the same address: %s)',
  async (toOne) => {
    const [first, toFirst] = await issue();
    const [second, toSecond] = toOne ? [first, toFirst] : await issue();
    await bury();
    await test.sendToken(toFirst, 42n);
    await test.sendToken(toSecond, 43n);
    await test.mine();
    await pastTheWatcher();
    await bury();
    const word = 43n.toString(16).padStart(64, '0');
    await comparedBehind(without('one of two', ({ data }) => data.endsWith(word)));
    await settled();
    expect(new Set([...(await usdc(first)), ...(await usdc(second))])).toEqual(new Set(['log 42', 'log 43']));
    expect(await usdc(second)).toHaveLength(toOne ? 2 : 1);
  },
);

it.each([false, true])(
  'credits once what a node without old states left out of the logs (beside one that has them: %s)',
  async (hasSecond) => {
    const [subject, address] = await issue();
    await bury();
    await test.sendToken(address, 42n);
    await test.mine();
    await pastTheWatcher();
    await test.mine(20);
    await bury();
    const pruned = await keeping((await test.anvil.testClient.getBlockNumber()) - 12n);
    Object.assign(test.network, { secondRpcUrl: hasSecond ? test.anvil.rpcUrl : undefined });
    await comparedBehind({ methods: ['eth_getLogs'], fault: nothing }, pruned);
    await comparedBehind(pruned);
    Object.assign(test.network, { secondRpcUrl: undefined });
    await settled();
    expect(await usdc(subject)).toEqual(['log 42']);
  },
);

it('finds tokens without a log, and what was swept, by the states since the address was issued alone', async () => {
  const { testClient } = test.anvil;
  const issuedAt = await testClient.getBlockNumber();
  const [[first, toFirst], [second, toSecond]] = [await issue(), await issue()];
  await bury();
  await conjure(toFirst, 77n);
  await test.send(toSecond, '2');
  await test.mine(3);
  await sweep(toSecond);
  await pastTheWatcher();
  await bury();
  const pruned = await keeping(issuedAt);
  for (const _ of [1, 2, 3, 4]) await comparedBehind(pruned);
  await settled();
  expect(await usdc(first)).toEqual(['token 77']);
  expect((await test.transfers(second)).map(({ amountAtoms }) => amountAtoms)).toEqual([parseEther('2')]);
});

it('records both movements of a transaction of whose receipt a node left one out', async () => {
  const [[first, toFirst], [second, toSecond]] = [await issue(), await issue()];
  await bury();
  const { testClient, tokens } = test.anvil;
  const { disperse } = compileContracts();
  const at = await test.deploy(disperse);
  const from = { account: BUYER, gas: 1_000_000n };
  const { address } = tokens.USDC;
  await testClient.writeContract({
    ...from,
    address,
    abi: erc20Abi,
    functionName: 'approve',
    args: [at, 1_000n],
  });
  await test.mine();
  await testClient.writeContract({
    ...from,
    address: at,
    abi: disperse.abi,
    functionName: 'disperse',
    args: [address, [toFirst, toSecond], [42n, 43n]],
  });
  await test.mine();
  await pastTheWatcher();
  await bury();
  const cut = lie('a receipt without its first log', (receipt) => {
    const { logs, ...rest } = receipt as { logs: unknown[] };
    return { ...rest, logs: logs.length > 1 ? logs.slice(1) : logs };
  });
  await comparedBehind({ methods: ['eth_getTransactionReceipt'], fault: cut });
  await settled();
  expect([await usdc(first), await usdc(second)]).toEqual([['log 42'], ['log 43']]);
});

it('credits nothing of which one of two nodes alone tells, where the block that it came in is known', async () => {
  const [subject, address] = await issue();
  await bury();
  await olderThanADay(subject);
  await test.send(address, '1');
  await test.mine();
  await pastTheWatcher();
  await test.mine(40);
  const late = await test.anvil.testClient.getBlock();
  await bury();
  // As after a time in which the node did not tell: found by the balance, in a later block than it came in.
  await foundByBalance('tr_late_twice', late, subject, address, '1');
  const early = new Set<string>();
  for (let height = 0n; height < late.number; height += 1n)
    early.add((await test.anvil.testClient.getBlock({ blockNumber: height })).hash);
  Object.assign(test.network, { secondRpcUrl: test.anvil.rpcUrl });
  await comparedBehind({
    ...richer(address),
    asking: ({ params: [, at] }) => !early.has((at as { blockHash?: string }).blockHash ?? ''),
  });
  Object.assign(test.network, { secondRpcUrl: undefined });
  expect((await test.transfers(subject)).map(({ amountAtoms }) => amountAtoms)).toEqual([parseEther('1')]);
  await settled();
});

it.each([
  [4444, 'pruned history unavailable', ['eth_getLogs']],
  [-32_001, 'Receipt not available for From block 3', ['eth_getLogs']],
] as const)(
  'goes on behind a node that has no logs of old blocks (%d %s), and says what that keeps it from',
  async (code, message, methods) => {
    const [[subject, address], [other, toOther]] = [await issue(), await issue()];
    await bury();
    for (const one of [subject, other]) await olderThanADay(one);
    await test.send(address, '1');
    await test.sendToken(toOther, 42n);
    await test.mine();
    await pastTheWatcher();
    await bury();
    // It forgets a block with each question, and answers of one in which its bloom finds nothing.
    let first = 10;
    const old: Rule = {
      methods: [...methods],
      asking: ({ params: [filter] }) => {
        const { fromBlock } = filter as { fromBlock?: string };
        const asked = Number(fromBlock ?? '0x99');
        return asked < first++ && asked % 4 !== 3;
      },
      fault: { kind: 'refuse', code, message },
    };
    await test.chains.dataSource.query(
      `INSERT INTO chain_difference (network, address, asset, kind, chain_atoms, recorded_atoms, height, txids, seen_at)
       VALUES ('ethereum', $1, 'USDC', 'unexplained', 7, 0, 5, '{}', now() - interval '1 hour')`,
      [address.toLowerCase()],
    );
    const node = await HostileNode.start(test.anvil.rpcUrl);
    node.plan([old]);
    await behind(node.url, compare);
    // What could not be judged stands.
    expect(await found()).toContain('unexplained USDC');
    first = 10;
    expect(await behind(node.url, check)).toMatchObject({
      incomparable: { 'logs that the node does not tell': expect.any(Number) as number },
    });
    await node.stop();
    expect((await test.transfers(subject)).map(({ amountAtoms }) => amountAtoms)).toEqual([parseEther('1')]);
    await settled();
    expect(await usdc(other)).toEqual(['log 42']);
  },
);

it('goes on behind a node that has pruned old blocks, and takes nothing there for missing', async () => {
  const [[coins, toCoins], [tokens, toTokens], [, seen]] = [await issue(), await issue(), await issue()];
  await test.sendToken(seen, 5n);
  await bury();
  for (const one of [coins, tokens]) await olderThanADay(one);
  await pay(toCoins, '1');
  await test.mine(40);
  const kept = Number(await test.anvil.testClient.getBlockNumber());
  await conjure(toTokens, 77n);
  await test.mine();
  await pastTheWatcher();
  await bury();
  const node = await HostileNode.start(test.anvil.rpcUrl);
  node.plan([
    {
      methods: ['eth_getBlockByNumber'],
      asking: ({ params: [height] }) => Number(height) > 0 && Number(height) < kept,
      fault: { kind: 'refuse', code: 4444, message: 'pruned history unavailable' },
    },
  ]);
  try {
    for (const _ of [1, 2, 3, 4]) await behind(node.url, compare);
    expect(await behind(node.url, check)).toMatchObject({
      verdict: 'different',
      incomparable: { 'logs that the node does not tell': expect.any(Number) as number },
    });
    expect(await found()).not.toContain('missing USDC');
  } finally {
    await node.stop();
  }
  expect((await test.transfers(coins)).map(({ amountAtoms }) => amountAtoms)).toEqual([parseEther('1')]);
  await settled();
  expect(await usdc(tokens)).toEqual(['token 77']);
});

it.each([
  ['says in the words of its gateway', 4, GATEWAY],
  ['answers with more than is read', 64, { kind: 'huge', bytes: 65 * 1_048_576 } satisfies Fault],
])('asks for fewer blocks where a node %s that they are too many', async (_what, most, fault) => {
  await test.mine(2 * most);
  const [subject, address] = await issue();
  await test.sendToken(address, 42n);
  await test.mine();
  await pastTheWatcher();
  await bury();
  const node = await HostileNode.start(test.anvil.rpcUrl);
  node.plan([{ ...logLimit(most), fault }]);
  try {
    await behind(node.url, compare);
  } finally {
    await node.stop();
  }
  expect(await usdc(subject)).toEqual(['log 42']);
  await settled();
});

it('reads the receipts of a block whose logs a node refuses for good', async () => {
  const [subject, address] = await issue();
  await test.sendToken(address, 42n);
  await test.mine();
  await pastTheWatcher();
  const { number, hash } = await test.anvil.testClient.getBlock();
  await bury();
  const node = await HostileNode.start(test.anvil.rpcUrl);
  node.plan([refusedLogs(Number(number), hash)]);
  try {
    expect(await behind(node.url, check)).toMatchObject({
      differences: [{ kind: 'unrecorded', chainAtoms: 42n }],
    });
    await behind(node.url, compare);
    expect(await usdc(subject)).toEqual(['log 42']);
    node.plan([
      refusedLogs(Number(number), hash),
      refusing('eth_getBlockReceipts', 'eth_getTransactionReceipt'),
    ]);
    expect(await behind(node.url, check)).toMatchObject({
      verdict: 'unasked',
      reason: expect.stringContaining(`the logs of block ${number}`) as string,
    });
  } finally {
    await node.stop();
  }
  await settled();
});
