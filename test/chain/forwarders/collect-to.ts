import type { Address } from 'viem';
import { DestinationsService } from '../../../src/modules/chains/wallets/destinations.service.js';
import { by } from '../../support/intents/by.js';
import { type ChainTest, MERCHANT } from '../chains-fixture.js';
import { deployFactory } from './collecting.js';

/** The merchant's wallet is this one address from now on, and the collecting contract is on the chain. */
export async function collectTo(test: ChainTest, destination: Address): Promise<void> {
  const mining = deployFactory(test.anvil.rpcUrl);
  const timer = setInterval(() => void test.mine(), 100);
  await mining.finally(() => clearInterval(timer));
  await test.chains.app
    .get(DestinationsService, { strict: false })
    .set({ merchantId: MERCHANT, network: 'ethereum', address: destination }, by('test'));
}
