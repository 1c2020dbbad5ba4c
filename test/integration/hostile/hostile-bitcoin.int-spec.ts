import { ExtendedKeysService } from '../../../src/modules/chains/wallets/extended-keys.service.js';
import { BitcoinWorld } from '../../chain/hostile/bitcoin-world.js';
import { hostileRuns } from '../../chain/hostile/hostile-runs.js';
import { by } from '../../support/intents/by.js';
import { describeOnNode } from '../../support/nodes/litecoind.js';
import { vpubOf } from '../../support/nodes/wallet.js';
import { runsOf } from '../../support/run/seed.js';
import { Service } from '../../support/service/service.js';

const LIFE_MS = 120_000;
const RUNS = runsOf('HOSTILE_RUNS', 4);
/** What a regtest ever mints is spent after some 150 lives: others get a chain of their own. */
const LIVES_OF_A_CHAIN = 100;
const PARTS = Array.from({ length: Math.ceil(RUNS / LIVES_OF_A_CHAIN) }, (_, part) => {
  const first = part * LIVES_OF_A_CHAIN;
  return { first, runs: Math.min(LIVES_OF_A_CHAIN, RUNS - first) };
});

/**
 * As hostile-evm.int-spec.ts, with a mempool. Out of reach with one node: another chain of the same name, and blocks
 * whose contents are not those of their hash.
 */
describeOnNode('own-nodes').each(PARTS)('a Bitcoin-like network, from life $first on', ({ first, runs }) => {
  // Not several, as there: their regtests have one first block, and by that they are one chain.
  let world: BitcoinWorld;
  let service: Service;
  let merchantId: string;

  beforeAll(async () => {
    world = await BitcoinWorld.start();
    // At the end of the long form some thousand blocks are compared.
    const env = { RECONCILE_REQUESTS_PER_SECOND: '100' };
    service = await Service.start({ networks: [world.network], env });
    merchantId = (await service.shop()).merchantId;
    const wallet = { merchantId, network: world.network.id, xpub: vpubOf(merchantId) };
    await service.app.get(ExtendedKeysService).set(wallet, by('test'));
  });
  afterAll(async () => {
    try {
      await service?.stop();
    } finally {
      await world?.stop();
    }
  }, 600_000);

  it(
    'loses no payment and settles none before its depth, whatever a node does that can be caught',
    async () => expect(await hostileRuns(service, merchantId, [world], runs, first)).toEqual([]),
    runs * LIFE_MS,
  );
});
