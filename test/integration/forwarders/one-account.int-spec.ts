import { DataSource } from 'typeorm';
import { type Address, getAddress, numberToHex } from 'viem';
import { deriveAddress } from '../../../src/modules/chains/domain/addresses/derive-address.js';
import { DestinationsService } from '../../../src/modules/chains/wallets/destinations.service.js';
import { ExtendedKeysService } from '../../../src/modules/chains/wallets/extended-keys.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { rpc } from '../../../src/modules/sandbox/local/rpc.js';
import { TreasuryService } from '../../../src/modules/treasury/treasury.service.js';
import { deployFactory, PAYER, send, transfer } from '../../chain/forwarders/collecting.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import { by } from '../../support/intents/by.js';
import { Money } from '../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { anvilAt } from '../../support/nodes/chain-check.js';
import { xpubOf } from '../../support/nodes/wallet.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

/** As most hosted nodes: no traces, so that nobody tells whose coin a contract pays. */
const NO_TRACES = {
  methods: ['debug_traceBlockByHash', 'trace_block'],
  fault: { kind: 'refuse', code: -32601, message: 'Method not found' },
} as const;

let anvil: TestAnvil;
let node: HostileNode;
let service: Service;
beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  await deployFactory(anvil.rpcUrl);
  node = await HostileNode.start(anvil.rpcUrl);
  node.plan([NO_TRACES]);
  service = await Service.start({ chain: { ...anvil, rpcUrl: node.url } });
});
// It compares with the chain as well: an own address at an index that was passed over is no difference.
afterAll(async () => {
  await service?.stop();
  await node?.stop();
  await anvil?.stop();
});

const merchant = async (name: string) => {
  const profile = { name, supportContact: 'help@shop.example' };
  return (await service.app.get(MerchantsService).create(profile, 'approved', by('test'))).id;
};
const firstOf = (xpub: string) => deriveAddress({ family: 'evm' }, xpub, 0).address as Address;
const payOutTo = (merchantId: string, address: Address) =>
  service.app.get(DestinationsService).set({ merchantId, network: 'ethereum', address }, by('test'));
const setKey = (merchantId: string, xpub: string) =>
  service.app.get(ExtendedKeysService).set({ merchantId, network: 'ethereum', xpub }, by('test'));
const depositOf = async (merchantId: string, id: string) =>
  getAddress((await service.app.get(IntentsService).get(merchantId, id)).depositAddress ?? '');

/** Pays what an intent of a merchant by one address asks for, waits for it, and collects. */
async function payAndCollect(merchantId: string, id: string, asset: 'ETH' | 'USDC'): Promise<void> {
  const deposit = await depositOf(merchantId, id);
  const [{ atoms }] = await service.app
    .get(DataSource)
    .query<[{ atoms: string }]>('SELECT amount_atoms::text AS atoms FROM quote WHERE intent_id = $1', [id]);
  const value = BigInt(atoms);
  const usdc = getAddress(anvil.tokens.USDC.address);
  await send(anvil.rpcUrl, PAYER, asset === 'ETH' ? { to: deposit, value } : transfer(usdc, deposit, value));
  const money = new Money(service);
  await eventually(
    () => money.status(id),
    (status) => status === 'settled',
    60_000,
  );
  const { transactions } = await service.app.get(TreasuryService).plan(merchantId, 'ethereum', asset);
  expect(transactions).toHaveLength(1);
  for (const { to, data } of transactions) await send(anvil.rpcUrl, PAYER, { to, data });
}

/** Until the watcher is well past all that has been sent. */
async function passed(): Promise<void> {
  const tip = (await anvilAt(anvil.rpcUrl).height()) + 3;
  await rpc(anvil.rpcUrl, 'anvil_mine', [numberToHex(4)]);
  const height = async () => {
    const [row] = await service.app
      .get(DataSource)
      .query<[{ height: string }]>(`SELECT height FROM chain_cursor WHERE network = 'ethereum'`);
    return Number(row.height);
  };
  await eventually(height, (at) => at >= tip, 60_000);
}

/** Nobody has paid it. */
async function expectUnpaid(id: string): Promise<void> {
  expect(await new Money(service).status(id)).toBe('initiated');
  const paid = await service.app.get(DataSource).query('SELECT FROM transfer WHERE subject = $1', [id]);
  expect(paid).toEqual([]);
}

it('a merchant that goes from one address to the extended key of its account collects into no payment', async () => {
  const merchantId = await merchant('One account');
  const xpub = xpubOf('one account');
  const main = firstOf(xpub);
  await payOutTo(merchantId, main);
  const money = new Money(service);
  const first = await money.picked(merchantId, 'ethereum', 'ETH');
  await setKey(merchantId, xpub);
  const second = await money.picked(merchantId, 'ethereum', 'ETH');
  expect(await depositOf(merchantId, second)).not.toBe(main);
  await payAndCollect(merchantId, first, 'ETH');
  await passed();
  await expectUnpaid(second);
});

it('what one merchant collects pays no buyer of another whose key is of the same account', async () => {
  const [a, b] = [await merchant('By its key'), await merchant('By its first address')];
  const xpub = xpubOf('two merchants, one account');
  await payOutTo(b, firstOf(xpub));
  await setKey(a, xpub);
  const money = new Money(service);
  const first = await money.picked(b, 'ethereum', 'USDC');
  const second = await money.picked(a, 'ethereum', 'USDC');
  expect(await depositOf(a, second)).not.toBe(firstOf(xpub));
  await payAndCollect(b, first, 'USDC');
  await passed();
  await expectUnpaid(second);
});
