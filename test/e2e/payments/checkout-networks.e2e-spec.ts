import { DataSource } from 'typeorm';
import { type Address, parseUnits } from 'viem';
import { Checkout } from '../../../src/cli/pay/checkout-client.js';
import { sandboxPolygon } from '../../../src/config/networks.js';
import { ANYBODYS } from '../../../src/database/by.js';
import { NetworkHealthService } from '../../../src/modules/chains/network-health.service.js';
import { ExtendedKeysService } from '../../../src/modules/chains/wallets/extended-keys.service.js';
import { ReviewsService } from '../../../src/modules/intents/review/reviews.service.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { BUYER, ERC20 } from '../../chain/chains-fixture.js';
import { DOWN } from '../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import { Api } from '../../support/api/api.js';
import { chosen } from '../../support/checkout/choose.js';
import { amountOf } from '../../support/intents/amount.js';
import { by } from '../../support/intents/by.js';
import { sweepAll } from '../../support/intents/decided.js';
import { Money } from '../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { xpubOf } from '../../support/nodes/wallet.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service, type Shop } from '../../support/service/service.js';

let ethereum: TestAnvil;
let polygon: TestAnvil;
let proxy: HostileNode;
let service: Service;
let shop: Shop;

beforeAll(async () => {
  [ethereum, polygon] = await Promise.all([
    startTestAnvil({ blockTimeS: 1 }),
    startTestAnvil({ blockTimeS: 1, chainId: 31338 }),
  ]);
  proxy = await HostileNode.start(ethereum.rpcUrl);
  service = await Service.start({
    chain: { rpcUrl: proxy.url, tokens: ethereum.tokens },
    networks: [sandboxPolygon(polygon.rpcUrl, { USDC: polygon.tokens.USDC.address })],
  });
  shop = await service.shop();
  const { merchantId } = shop;
  await service.app
    .get(ExtendedKeysService)
    .set({ merchantId, network: 'polygon', xpub: xpubOf(merchantId) }, by('test'));
});
afterAll(async () => {
  try {
    await service?.stop();
  } finally {
    await proxy?.stop();
    await Promise.all([ethereum?.stop(), polygon?.stop()]);
  }
});

const USDC = { network: 'ethereum', asset: 'USDC' };

async function opened(): Promise<Checkout> {
  const { body } = await new Api(service, shop.key).create({ amount: 49.9, currency: 'CHF' });
  return new Checkout(service.config.checkoutUrl, body.id);
}

const idOf = ({ page }: Checkout) => page.split('/').at(-1)!;

/** What the page says, without its mark-up. */
async function says({ page }: Checkout): Promise<string> {
  const html = await (await fetch(page, { headers: { accept: 'text/html' } })).text();
  return html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

function pay(chain: TestAnvil, to: string, usdc: string): Promise<string> {
  return chain.testClient.writeContract({
    account: BUYER,
    address: chain.tokens.USDC.address,
    abi: ERC20,
    functionName: 'transfer',
    args: [to as Address, parseUnits(usdc, 6)] as const,
  });
}

it('closes what is paid on a network that it cannot see, says so, and finds what was paid meanwhile', async () => {
  const [early, late] = [await opened(), await opened()];
  const { depositAddress, missing } = await chosen(early, USDC);
  const dataSource = service.app.get(DataSource);
  const failures = () => service.app.get(NetworkHealthService).watchers()[0]!.failures;

  proxy.plan([DOWN]);
  await eventually(failures, (seen) => seen > 0);
  // Not watched for longer than is believed; nobody moves this clock while the node is down.
  await dataSource.query(
    `UPDATE chain_cursor SET synced_at = clock_timestamp() - interval '31 seconds' WHERE network = 'ethereum'`,
  );
  expect(await says(late)).toContain('Network cannot be reached');
  // Whoever picked it before is not asked to send there any more, and may take what is open.
  expect(await says(early)).toMatch(/Ethereum cannot be seen right now.* Do not send now.* Polygon/);
  expect(await says(early)).not.toContain('Send exactly');
  expect(await early.status()).toMatchObject({ state: 'blind', status: 'initiated' });
  await expect(late.pick(USDC)).rejects.toThrow('option-closed');
  expect((await late.status()).depositAddress).toBeNull();
  const ready = await (await fetch(`${service.url}/health/ready`)).json();
  expect(JSON.stringify(ready)).toContain('"state":"lagging"');
  expect(await service.app.get(Metrics).text()).toContain('rappen_network_open{network="ethereum"} 0');
  expect((await chosen(late, { network: 'polygon', asset: 'USDC' })).network).toBe('polygon');

  await pay(ethereum, depositAddress!, missing!);
  proxy.honest();
  await eventually(
    () => early.status(),
    ({ status }) => status === 'settled',
    60_000,
  );
  expect((await chosen(late, USDC)).network).toBe('ethereum');
});

it('says to the buyer and to the merchant what it found at the same address on another network', async () => {
  const checkout = await opened();
  const { depositAddress } = await chosen(checkout, USDC);
  await pay(polygon, depositAddress!, '25');
  expect(
    await eventually(
      () => says(checkout),
      (text) => text.includes('25 USDC'),
    ),
  ).toContain('on Polygon');
  expect(await checkout.status()).toMatchObject({ status: 'initiated', received: '0.00000000' });

  const id = idOf(checkout);
  await new Money(service).endWindowIn(id, -1);
  await sweepAll(service);
  const entry = await eventually(
    () =>
      service.app
        .get(ReviewsService)
        .show(ANYBODYS, id)
        .catch(() => null),
    (found) => found !== null,
  );
  expect(entry).toMatchObject({
    status: 'expired',
    reason: 'other-network',
    transfers: [{ amount: amountOf('25', 6), asset: 'USDC', networkName: 'Polygon' }],
  });
  // Told as arrived once it is final, and not before.
  await eventually(
    () => says(checkout),
    (text) => /25 USDC on Polygon arrived/.test(text),
  );
});
