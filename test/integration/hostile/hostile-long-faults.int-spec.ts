import { type Hex, parseEther } from 'viem';
import { RpcNode } from '../../../src/modules/chains/evm/node/rpc-node.js';
import { BUYER, ChainTest } from '../../chain/chains-fixture.js';
import { forgetting, REFUSALS } from '../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import type { Rule } from '../../chain/hostile/hostile-plan.js';
import { deployPayer, type Payer } from '../../chain/payer.js';
import type { SteppedWatcher } from '../../chain/term.js';
import { SENT_FROM } from '../../support/nodes/chain-check.js';

// One kind of call fails for a long time while all others are answered: longer than a watcher waits for what it can do
// without. Afterwards everything that came meanwhile stands in its own block.

const CALLS: readonly (readonly string[])[] = [
  ['eth_call'],
  ['eth_getLogs'],
  ['eth_getTransactionReceipt'],
  ['eth_getBlockReceipts'],
  ['debug_traceBlockByHash', 'trace_block'],
  ['eth_getBlockByNumber'],
  ['eth_getTransactionCount'],
];
const FAULTS: Readonly<Record<string, (methods: readonly string[]) => Rule>> = {
  'are refused for good': (methods) => ({ methods, fault: REFUSALS.pruned }),
  'are refused for now': (methods) => ({ methods, fault: REFUSALS.limit }),
  'are forgotten': (methods) => forgetting(...methods),
  hang: (methods) => ({ methods, fault: { kind: 'hang', ms: Infinity } }),
};
const CASES = CALLS.flatMap((methods) => Object.keys(FAULTS).map((fault) => ({ methods, fault })));
/** What never answers costs so much each time. */
const TIMEOUT_MS = 200;
/** Looks while the fault lasts, and how much later each seems to be: longer in all than anything that may pass is waited for. */
const LOOKS = 3;
const LATER_MS = 4_000;

let test: ChainTest;
let proxy: HostileNode;
let pay: Payer;

beforeAll(async () => {
  test = await ChainTest.start();
  test.leaveUntold(SENT_FROM);
  proxy = await HostileNode.start(test.anvil.rpcUrl);
  pay = await deployPayer(test);
});
afterEach(() => {
  proxy.honest();
  jest.restoreAllMocks();
});
afterAll(async () => {
  await proxy?.stop();
  await test?.stop();
});

const watch = () => test.watcherOn(new RpcNode(proxy.url, { timeoutMs: TIMEOUT_MS }));
/** An honest node may take its time. */
const catchUp = () => test.catchUpAnew(() => test.watcherOn(new RpcNode(proxy.url)));

function laterAndLater(): () => void {
  const real = performance.now.bind(performance);
  let skippedMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => real() + skippedMs);
  return () => {
    skippedMs += LATER_MS;
  };
}

async function tryToLook(watcher: SteppedWatcher, later: () => void): Promise<void> {
  for (let failures = 0; failures < LOOKS;) {
    try {
      if ((await watcher.step()) !== 'more') return;
    } catch {
      failures += 1;
      later();
    }
  }
}

async function recorded(subject: string): Promise<string[]> {
  const transfers = await test.transfers(subject);
  return transfers
    .map(({ asset, amountAtoms, blockHeight }) => `${amountAtoms} ${asset} in ${blockHeight}`)
    .sort();
}

it.each(CASES)(
  'while calls of $methods $fault',
  async ({ methods, fault }) => {
    const { testClient } = test.anvil;
    const later = laterAndLater();
    const subject = `pi_${methods.join()}_${fault}`;
    const address = await test.issue(subject);
    const came: [amount: string, txid: Hex][] = [['500000000000000000 ETH', await test.send(address, '0.5')]];
    await test.mine(2);
    await catchUp();
    await testClient.impersonateAccount({ address });
    const gasPrice = (await testClient.getBlock()).baseFeePerGas! * 2n;
    const atoms = parseEther('1') + 21_000n * gasPrice;
    const watcher = watch();
    proxy.plan([FAULTS[fault]!(methods)]);
    const rounds: (() => Promise<unknown>)[] = [
      async () => came.push([`${atoms} ETH`, await pay(address, atoms)]),
      async () => came.push(['5 USDC', await test.sendToken(address, 5n)]),
      // What came is moved on, so that its balance is what it was before.
      () =>
        testClient.sendTransaction({
          account: address,
          to: BUYER,
          value: parseEther('1'),
          gas: 21_000n,
          gasPrice,
        }),
    ];
    for (const round of rounds) {
      await round();
      await test.mine();
      await tryToLook(watcher, later);
    }
    proxy.honest();
    await test.mine();
    await catchUp();
    const expected = came.map(async ([amount, hash]) => {
      const { blockNumber } = await testClient.getTransactionReceipt({ hash });
      return `${amount} in ${blockNumber}`;
    });
    expect(await recorded(subject)).toEqual((await Promise.all(expected)).sort());
  },
  300_000,
);
