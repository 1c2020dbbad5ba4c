import { DestinationsService } from '../../../src/modules/chains/wallets/destinations.service.js';
import { ExtendedKeysService } from '../../../src/modules/chains/wallets/extended-keys.service.js';
import { EvmWorld } from '../../chain/hostile/evm-world.js';
import { hostileRuns } from '../../chain/hostile/hostile-runs.js';
import { by } from '../../support/intents/by.js';
import { xpubOf } from '../../support/nodes/wallet.js';
import { runsOf } from '../../support/run/seed.js';
import { Service } from '../../support/service/service.js';

/**
 * Random honest payments on real chains that the service sees through hostile nodes. Out of reach here, because one
 * node alone cannot be caught at it, is a lie that fits together: another fork, blocks whose contents are not those
 * of their hash, payments left out of blocks, receipts and blooms at once, balances, finality that is too early but
 * below the tip. A second node is for that (chains-second-node.int-spec.ts).
 */
const NETWORKS = runsOf('HOSTILE_NETWORKS', 2);
const LIFE_MS = 120_000;
const RUNS = runsOf('HOSTILE_RUNS', 4);

let worlds: EvmWorld[];
let service: Service;
let merchantId: string;

beforeAll(async () => {
  worlds = [];
  for (let n = 0; n < NETWORKS; n += 1) worlds.push(await EvmWorld.start(n));
  service = await Service.start({ networks: worlds.map(({ network }) => network) });
  merchantId = (await service.shop()).merchantId;
  for (const { network, keyless } of worlds) {
    const wallet = { merchantId, network: network.id };
    if (keyless) {
      const destinations = service.app.get(DestinationsService, { strict: false });
      await destinations.set({ ...wallet, address: keyless.destination }, by('test'));
    } else {
      await service.app.get(ExtendedKeysService).set({ ...wallet, xpub: xpubOf(merchantId) }, by('test'));
    }
  }
});
afterAll(async () => {
  try {
    await service?.stop();
  } finally {
    await Promise.all(worlds.map((world) => world.stop()));
  }
});

it(
  'loses no payment and settles none before it is final, whatever a node does that can be caught',
  async () => expect(await hostileRuns(service, merchantId, worlds, RUNS)).toEqual([]),
  RUNS * LIFE_MS,
);
