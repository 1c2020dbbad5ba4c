import { DataSource } from 'typeorm';
import type { Address } from 'viem';
import { sandboxPolygon } from '../../../src/config/networks.js';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import type { NetworkHealth } from '../../../src/modules/chains/health.types.js';
import { NetworkHealthService } from '../../../src/modules/chains/network-health.service.js';
import { NetworksService } from '../../../src/modules/chains/networks/networks.service.js';
import { ExtendedKeysService } from '../../../src/modules/chains/wallets/extended-keys.service.js';
import { BuyerActionsService } from '../../../src/modules/intents/checkout/buyer-actions.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { OptionAlerts } from '../../../src/modules/intents/reporting/option-alerts.js';
import { UnwatchedAssets } from '../../../src/modules/intents/reporting/unwatched-assets.service.js';
import { RateBook } from '../../../src/modules/rates/rates.service.js';
import { Readiness } from '../../../src/platform/health/readiness.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { BUYER, ERC20 } from '../../chain/chains-fixture.js';
import { compileContracts } from '../../chain/contracts.js';
import { DOWN, elsewhere, REFUSALS, refusing } from '../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import type { Rule } from '../../chain/hostile/hostile-plan.js';
import { choose } from '../../support/checkout/choose.js';
import { by } from '../../support/intents/by.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { xpubOf } from '../../support/nodes/wallet.js';
import { eventually } from '../../support/servers/receiver.js';
import { OPERATOR_LOOKS, Service } from '../../support/service/service.js';

const ASSETS = ['ETH', 'USDC', 'USDT'];
const NO_ANSWER = 'its node does not answer as it should';
const { payout } = compileContracts();

interface Blindness {
  readonly node: string;
  readonly rules: () => readonly Rule[];
  /** Which ways to pay close; all of them when the network does. */
  readonly closes: readonly string[];
  /** What the readiness says of the network; `null` when nothing keeps it from being watched. */
  readonly reason: string | null;
}

const ALL = { closes: ASSETS, reason: NO_ANSWER };
const BLINDNESSES: readonly Blindness[] = [
  { node: 'is down', rules: () => [DOWN], ...ALL },
  { node: 'refuses balances for now', rules: () => [refusing('eth_call')], ...ALL },
  {
    node: 'cannot tell balances',
    rules: () => [{ methods: ['eth_call'], fault: REFUSALS.pruned }],
    closes: ['ETH'],
    reason: null,
  },
  {
    node: 'has no traces',
    rules: () => [{ methods: ['debug_traceBlockByHash', 'trace_block'], fault: REFUSALS.noMethod }],
    closes: [],
    reason: null,
  },
  {
    node: 'refuses logs, and tells the receipts',
    rules: () => [refusing('eth_getLogs')],
    closes: [],
    reason: null,
  },
  {
    node: 'refuses logs and receipts',
    rules: () => [refusing('eth_getLogs', 'eth_getBlockReceipts', 'eth_getTransactionReceipt')],
    closes: ASSETS,
    reason: 'the node refuses the logs of block',
  },
  {
    node: 'refuses the finalized block',
    rules: () => [{ ...refusing('eth_getBlockByNumber'), holding: '"finalized"' }],
    ...ALL,
  },
  {
    node: 'is of another chain',
    rules: () => [elsewhere(polygon.rpcUrl)],
    closes: ASSETS,
    reason: 'serves chain 31338, not 31337',
  },
  {
    node: 'is of a chain with another first block',
    rules: () => [elsewhere(impostor.rpcUrl)],
    closes: ASSETS,
    reason: 'serves a chain whose first block is',
  },
];

let ethereum: TestAnvil;
let polygon: TestAnvil;
let impostor: TestAnvil;
let node: HostileNode;
let service: Service;
let merchantId: string;
let contract: Address;
const paid: string[] = [];

beforeAll(async () => {
  [ethereum, polygon] = await Promise.all([
    startTestAnvil({ blockTimeS: 1 }),
    startTestAnvil({ blockTimeS: 1, chainId: 31_338 }),
  ]);
  // Its first block is of another second.
  impostor = await startTestAnvil({ blockTimeS: 1 });
  node = await HostileNode.start(ethereum.rpcUrl);
  const { testClient } = ethereum;
  const hash = await testClient.deployContract({ account: BUYER, ...payout, args: [] });
  contract = (await testClient.waitForTransactionReceipt({ hash })).contractAddress!;
  const networks = [sandboxPolygon(polygon.rpcUrl, { USDC: polygon.tokens.USDC.address })];
  const chain = { rpcUrl: node.url, tokens: ethereum.tokens };
  service = await Service.start({ chain, networks, stillJobs: OPERATOR_LOOKS });
  ({ merchantId } = await service.shop());
  const wallet = { merchantId, network: 'polygon', xpub: xpubOf(merchantId) };
  await service.app.get(ExtendedKeysService).set(wallet, by('test'));
});
afterAll(async () => {
  try {
    await service?.stop();
  } finally {
    await node?.stop();
    await Promise.all([ethereum?.stop(), polygon?.stop(), impostor?.stop()]);
  }
});

const dataSource = () => service.app.get(DataSource);

async function intent(): Promise<string> {
  const request = { amountMinor: 1000n, currency: 'CHF', title: null } as const;
  const intents = service.app.get(IntentsService);
  return (await intents.create(merchantId, { ...request, idempotencyKey: null, returnUrl: null })).intent.id;
}
const pick = async (network: string, asset: string) =>
  service.app.get(BuyerActionsService).pick(await intent(), network, asset);

/** In USDC by its buyer's own transaction, or in ether that a contract pays. */
async function waiting(asset: 'USDC' | 'ETH'): Promise<() => Promise<unknown>> {
  const id = await intent();
  await choose(service, id, 'ethereum', asset);
  const [quote] = await dataSource().query<[{ to: Address; atoms: string }]>(
    'SELECT address AS to, amount_atoms AS atoms FROM quote WHERE intent_id = $1',
    [id],
  );
  paid.push(id);
  const { testClient, tokens } = ethereum;
  const value = BigInt(quote.atoms);
  const common = { account: BUYER, gas: 1_000_000n };
  return asset === 'ETH'
    ? () =>
        testClient.writeContract({
          ...common,
          address: contract,
          abi: payout.abi,
          functionName: 'pay',
          args: [[quote.to], [value]],
          value,
        })
    : () =>
        testClient.writeContract({
          ...common,
          address: tokens.USDC.address,
          abi: ERC20,
          functionName: 'transfer',
          args: [quote.to, value] as const,
        });
}

/** What the readiness' body says of a network. */
async function health(network: string): Promise<NetworkHealth> {
  const response = await fetch(`${service.url}/health/ready`);
  expect(response.status).toBe(200);
  const { checks } = (await response.json()) as { checks: { networks: { detail: NetworkHealth[] } } };
  return checks.networks.detail.find((one) => one.network === network)!;
}

/** Everything that says whether we see, at one moment. */
async function said(alerts: OptionAlerts) {
  for (let looks = 0; looks < 3; looks += 1) await alerts.look();
  const metrics = await service.app.get(Metrics).text();
  const { items } = await service.app.get(AlertsService).list({ merchantId: null, pageSize: 100 });
  const options = await Promise.all(ASSETS.map((asset) => pick('ethereum', asset)));
  const value = (name: string) =>
    Number(new RegExp(`^${name}\\{network="ethereum"\\} (\\S+)$`, 'm').exec(metrics ?? '')?.[1]);
  return {
    state: (await health('ethereum')).state,
    open: value('rappen_network_open'),
    coinBlind: value('rappen_network_coin_blind'),
    closedAssets: value('rappen_network_closed_assets'),
    alerts: items.filter(({ resolvedAt }) => resolvedAt === null).map(({ subject }) => subject),
    closed: ASSETS.filter((_, i) => options[i] === 'option-closed'),
    elsewhere: await pick('polygon', 'USDC'),
  };
}

const NOTHING_SAID = { state: 'open', open: 1, coinBlind: 0, closedAssets: 0, alerts: [], closed: [] };

function whatIsSaid({ closes }: Blindness) {
  if (closes.length === 0) return NOTHING_SAID;
  if (closes.length === ASSETS.length)
    return { ...NOTHING_SAID, state: 'lagging', open: 0, alerts: ['ethereum'], closed: ASSETS };
  const alerts = closes.map((asset) => `ethereum:${asset}`);
  return { ...NOTHING_SAID, coinBlind: 1, closedAssets: closes.length, alerts, closed: closes };
}

it.each(BLINDNESSES)(
  'a node that $node: readiness, metrics, alerts and ways to pay say so, until it is over',
  async (blindness) => {
    const { app } = service;
    const [readiness, seen] = [app.get(Readiness), app.get(NetworkHealthService)];
    const networks = app.get(NetworksService);
    const alerts = new OptionAlerts(
      dataSource(),
      readiness,
      seen,
      networks,
      app.get(RateBook),
      app.get(AlertsService),
      app.get(UnwatchedAssets),
    );
    const pay = [await waiting('USDC'), await waiting('ETH')];
    node.plan(blindness.rules());
    for (const send of pay) await send();
    const { reason, closes } = blindness;
    if (reason !== null) {
      await eventually(
        async () => (await health('ethereum')).reason,
        (text) => text?.includes(reason) === true,
      );
      // Not watched for longer than is believed: nobody moves this clock while it fails.
      await dataSource().query(
        `UPDATE chain_cursor SET synced_at = clock_timestamp() - interval '31 seconds' WHERE network = 'ethereum'`,
      );
    } else {
      await eventually(
        async () => Object.keys((await health('ethereum')).closedAssets),
        (closed) => closed.join() === closes.join() && node.strikes > 0,
      );
    }
    expect(await said(alerts)).toEqual({ ...whatIsSaid(blindness), elsewhere: 'picked' });

    node.honest();
    await eventually(
      async () => health('ethereum'),
      ({ state, closedAssets, reason: left }) =>
        state === 'open' && left === null && Object.keys(closedAssets).length === 0,
    );
    await dataSource().query(`UPDATE alert SET last_raised_at = now() - interval '3 minutes'`);
    expect(await said(alerts)).toEqual({ ...NOTHING_SAID, elsewhere: 'picked' });
  },
);

it('everything that was paid meanwhile is settled', async () => {
  const unsettled = () =>
    dataSource().query<{ id: string; status: string }[]>(
      `SELECT id, status FROM intent WHERE id = ANY ($1) AND status <> 'settled'`,
      [paid],
    );
  expect(paid).toHaveLength(2 * BLINDNESSES.length);
  await eventually(unsettled, ({ length }) => length === 0);
});
