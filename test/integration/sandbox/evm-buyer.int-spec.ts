import { setTimeout as sleep } from 'node:timers/promises';
import { EvmBuyer } from '../../../src/modules/sandbox/buyers/evm-buyer.service.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';

const RECEIVER = '0x00000000000000000000000000000000000a11ce';

let anvil: TestAnvil;
let buyer: EvmBuyer;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  const { rpcUrl, chainId, tokens, miner } = anvil;
  const chain = { rpcUrl, chainId, buyerPrivateKey: '', coin: 'ETH', tokens };
  buyer = new EvmBuyer(chain, anvilAccount(2), miner);
});
afterAll(() => anvil.stop());

it('pays through a contract although a block is dropped while the contract is being deployed', async () => {
  let paid: Promise<unknown> = Promise.resolve();
  await buyer.whilePaused(async () => {
    paid = buyer.payThroughContract({ to: RECEIVER, asset: 'ETH', atoms: 7n });
    // Whoever deploys out of turn does it now, sees its contract in this block, and pays an address without one.
    await sleep(300);
    await buyer.mine();
    await sleep(300);
    await buyer.dropLastBlock();
  });
  await paid;
  expect(await anvil.testClient.getBalance({ address: RECEIVER })).toBe(7n);
});

it('leaves the chain at the time of day, however often a block is dropped', async () => {
  let minedMs = 0;
  await buyer.whilePaused(async () => {
    for (let i = 0; i < 3; i++) {
      await sleep(1_500);
      await buyer.dropLastBlock();
    }
    minedMs = Date.now();
    await buyer.mine();
  });
  // A block has whole seconds.
  expect((await buyer.chainTime()).getTime()).toBeGreaterThan(minedMs - 2_500);
});
