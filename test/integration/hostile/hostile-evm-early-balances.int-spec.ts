import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, parseEther } from 'viem';
import { ChainTest } from '../../chain/chains-fixture.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import { deployPayer, type Payer } from '../../chain/payer.js';

// A node that answers for its newest block out of the state of the next one, as anvil does while it mines.

/** In which it has been looked whether there is a newer block. */
const ADDED_AFTER_MS = 100;

const EARLY = { methods: ['eth_call'], fault: { kind: 'ahead' } } as const;

let test: ChainTest;
let node: HostileNode;
let pay: Payer;

beforeAll(async () => {
  test = await ChainTest.start();
  node = await HostileNode.start(test.anvil.rpcUrl);
  pay = await deployPayer(test);
});
afterAll(async () => {
  await node?.stop();
  await test?.stop();
});
afterEach(() => {
  jest.restoreAllMocks();
  node.honest();
});

const tip = async () => Number(await test.anvil.testClient.getBlockNumber());

describe.each<[string, (address: Address) => Promise<unknown>]>([
  ['by a transaction', (address) => test.send(address, '0.1')],
  ['inside one', (address) => pay(address, parseEther('0.1'))],
])('coin that is paid %s in a block that is mined while balances are asked for', (name, send) => {
  it('is recorded once, in its own block', async () => {
    const address = await test.issue(name);
    const watcher = test.watcher(node.url);
    await test.catchUp(watcher);
    await test.mine();
    await send(address);
    const { strikes } = node.plan([EARLY]);
    // The second in which a newer block is waited for lasts until there is one, however slow the machine is.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const looked = watcher.step();
    while (strikes[0] === 0) await sleep(5);
    await sleep(ADDED_AFTER_MS);
    await test.mine();
    const paidAt = await tip();
    await looked.finally(() => clock.mockRestore());
    expect(await test.transfers(name)).toEqual([]);
    node.honest();
    await test.mine();
    await test.catchUp(watcher);
    expect(await test.transfers(name)).toMatchObject([
      { amountAtoms: parseEther('0.1'), blockHeight: paidAt },
    ]);
  });
});
