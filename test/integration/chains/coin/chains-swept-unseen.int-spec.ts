import { type Hex, parseEther } from 'viem';
import { ReconciliationService } from '../../../../src/modules/chains/reconciliation/reconciliation.service.js';
import { BUYER, ChainTest } from '../../../chain/chains-fixture.js';
import { REFUSALS } from '../../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../../chain/hostile/hostile-node.js';
import type { Call, Rule } from '../../../chain/hostile/hostile-plan.js';
import { deployPayer, type Payer } from '../../../chain/payer.js';
import { persist } from '../../../chain/persist.js';
import { presentTerm } from '../../../chain/term.js';
import { SENT_FROM } from '../../../support/nodes/chain-check.js';

// Its balance does not tell of coin that came and was moved on while nobody told balances; its owner's transactions do.

const NO_TRACES: Rule = {
  methods: ['debug_traceBlockByHash', 'trace_block'],
  fault: REFUSALS.noMethod,
};
const NO_BALANCES: Rule = { methods: ['eth_call'], fault: REFUSALS.pruned };
const FEE_GAS = 21_000n;

let test: ChainTest;
let proxy: HostileNode;
let pay: Payer;

beforeAll(async () => {
  test = await ChainTest.start();
  test.leaveUntold(SENT_FROM);
  proxy = await HostileNode.start(test.anvil.rpcUrl);
  pay = await deployPayer(test);
});
beforeEach(() => proxy.honest());
afterAll(async () => {
  await proxy?.stop();
  await test?.stop();
});

const look = () => test.catchUp(test.watcher(proxy.url));
/** An address that holds coin, with what moves as much on as a contract is going to pay it. */
async function holder(subject: string) {
  const { testClient } = test.anvil;
  const address = await test.issue(subject);
  await test.send(address, '0.5');
  await test.mine();
  await look();
  await testClient.impersonateAccount({ address });
  const gasPrice = (await testClient.getBlock()).baseFeePerGas! * 2n;
  const atoms = parseEther('1') + FEE_GAS * gasPrice;
  const sweep = () =>
    testClient.sendTransaction({
      account: address,
      to: BUYER,
      value: parseEther('1'),
      gas: FEE_GAS,
      gasPrice,
    });
  return { address, atoms, sweep };
}

/** The states of blocks up to this one are gone. */
function prunedUpTo(height: number): Promise<Rule> {
  const heights = Array.from({ length: height + 1 }, (_, i) => BigInt(i));
  const blocks = heights.map((blockNumber) => test.anvil.testClient.getBlock({ blockNumber }));
  return Promise.all(blocks).then((gone) => {
    const asking = ({ params }: Call) => gone.some(({ hash }) => JSON.stringify(params).includes(hash));
    return { ...NO_BALANCES, asking };
  });
}

const heightOf = async (txid: Hex) =>
  Number((await test.anvil.testClient.getTransactionReceipt({ hash: txid })).blockNumber);
const tip = async () => Number(await test.anvil.testClient.getBlockNumber());

/** Blocks of a chain whose clock is ahead are observed at once, when we saw them. */
const byHeight = async (subject: string) =>
  [...(await test.transfers(subject))].sort((a, b) => (a.blockHeight ?? 0) - (b.blockHeight ?? 0));

const NODES = [
  { node: 'with traces', always: [] },
  { node: 'without traces', always: [NO_TRACES] },
];

describe.each(NODES)('coin that came and was moved on unseen, on a node $node', ({ node, always }) => {
  it('stands in the block that it came in, once balances are told, restarts or not', async () => {
    const subject = `pi_kept_${node}`;
    const { address, atoms, sweep } = await holder(subject);
    proxy.plan([...always, NO_BALANCES]);
    await test.mine(3);
    await look();
    const paid = [await pay(address, atoms)];
    await test.mine();
    await look();
    await sweep();
    await test.mine();
    paid.push(await pay(address, atoms));
    await test.mine(4);
    await look();
    await sweep();
    await test.mine(3);
    await look();
    expect(await test.anvil.testClient.getBalance({ address })).toBe(parseEther('0.5'));
    proxy.plan(always);
    await test.mine();
    await look();
    const [, ...found] = await byHeight(subject);
    expect(found.map(({ amountAtoms, blockHeight }) => [amountAtoms, blockHeight])).toEqual([
      [atoms, await heightOf(paid[0]!)],
      [atoms, await heightOf(paid[1]!)],
    ]);
  });

  it('is not lost where the states of those blocks are gone by then', async () => {
    const subject = `pi_lost_${node}`;
    const { address, atoms, sweep } = await holder(subject);
    proxy.plan([...always, NO_BALANCES]);
    for (let times = 0; times < 2; times += 1) {
      await pay(address, atoms);
      await test.mine();
      await sweep();
      await test.mine();
      await look();
    }
    proxy.plan([...always, await prunedUpTo(await tip())]);
    await test.mine();
    await persist(test, test.watcher(proxy.url));
    const [, ...found] = await byHeight(subject);
    expect(found.map(({ amountAtoms, blockHeight }) => [amountAtoms, blockHeight])).toEqual([
      [2n * atoms, await tip()],
    ]);
  });
});

it('is not told of by the comparison as well, which sees what the watcher has yet to look at', async () => {
  const { dataSource, app } = test.chains;
  const subject = 'pi_compared';
  const address = await test.issue(subject);
  await test.mine();
  await look();
  proxy.plan([NO_TRACES, NO_BALANCES]);
  await test.mine();
  await look();
  const gasPrice = (await test.anvil.testClient.getBlock()).baseFeePerGas! * 2n;
  const atoms = parseEther('1') + FEE_GAS * gasPrice;
  await pay(address, atoms);
  await test.mine();
  await test.anvil.testClient.impersonateAccount({ address });
  await test.anvil.testClient.sendTransaction({
    account: address,
    to: BUYER,
    value: parseEther('1'),
    gas: FEE_GAS,
    gasPrice,
  });
  await test.mine(8);
  await look();
  expect(await test.anvil.testClient.getBalance({ address })).toBe(0n);
  const reconciliation = app.get(ReconciliationService, { strict: false });
  const compare = async () => {
    await dataSource.query(
      'UPDATE reconciliation SET recent_at = NULL, position = NULL, round_started_at = NULL',
    );
    while (await reconciliation.step(await presentTerm(dataSource, test.network.id)));
  };
  await compare();
  expect(await test.transfers(subject)).toEqual([]);
  const kinds = (await reconciliation.differences(test.network.id)).map(({ kind }) => kind);
  expect(kinds).toEqual(['swept']);
  proxy.plan([NO_TRACES, await prunedUpTo(await tip())]);
  await test.mine(8);
  await persist(test, test.watcher(proxy.url));
  await compare();
  expect((await test.transfers(subject)).map(({ amountAtoms }) => amountAtoms)).toEqual([atoms]);
});
