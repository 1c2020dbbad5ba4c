import { DataSource } from 'typeorm';
import type { Address } from 'viem';
import { addCheckCommand } from '../../../../src/cli/commands/instance/check.commands.js';
import type { AssetConfig } from '../../../../src/config/config.types.js';
import { COUNTED_BLOCKS } from '../../../../src/config/depths.js';
import { sandboxEthereum, sandboxPolygon } from '../../../../src/config/networks.js';
import { ANYBODYS } from '../../../../src/database/by.js';
import { AlertsService } from '../../../../src/modules/alerts/alerts.service.js';
import { NetworkHealthService } from '../../../../src/modules/chains/network-health.service.js';
import { ExtendedKeysService } from '../../../../src/modules/chains/wallets/extended-keys.service.js';
import { StatusWriter } from '../../../../src/modules/intents/lifecycle/status-writer.js';
import { OptionAlerts } from '../../../../src/modules/intents/reporting/option-alerts.js';
import { UnwatchedAssets } from '../../../../src/modules/intents/reporting/unwatched-assets.service.js';
import { RefundsService } from '../../../../src/modules/intents/review/refunds.service.js';
import { Jobs } from '../../../../src/platform/jobs/jobs.js';
import { Metrics } from '../../../../src/platform/observability/metrics.js';
import { BUYER, ERC20 } from '../../../chain/chains-fixture.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database/database.js';
import { by } from '../../../support/intents/by.js';
import { Money } from '../../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../../support/nodes/anvil.js';
import { xpubOf } from '../../../support/nodes/wallet.js';
import { eventually } from '../../../support/servers/receiver.js';
import { commandLine } from '../../../support/service/command-line.js';
import { OPERATOR_LOOKS, Service, type ServiceOptions } from '../../../support/service/service.js';

const LOOKS_BEFORE_ALERT = 3;

let database: TestDatabase;
let ethereum: TestAnvil;
let polygon: TestAnvil;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database?.drop());
beforeAll(async () => {
  [ethereum, polygon] = await Promise.all([
    startTestAnvil({ blockTimeS: 1 }),
    startTestAnvil({ blockTimeS: 1, chainId: 31_338 }),
  ]);
});
afterAll(() => Promise.all([ethereum?.stop(), polygon?.stop()]));

const start = (options: ServiceOptions) =>
  Service.start({ databaseUrl: database.url, stillJobs: OPERATOR_LOOKS, ...options });
const without = (symbol: string): ServiceOptions => ({
  chain: ethereum,
  network: { assets: ethereumAssets().filter((asset) => asset.symbol !== symbol) },
});
function ethereumAssets(): readonly AssetConfig[] {
  const { USDC, USDT } = ethereum.tokens;
  return sandboxEthereum('', { USDC: USDC.address, USDT: USDT.address }).assets;
}
const onPolygon = () => [sandboxPolygon(polygon.rpcUrl, { USDC: polygon.tokens.USDC.address })];

const query = <Row>(service: Service, sql: string, values: unknown[] = []) =>
  service.app.get(DataSource).query<Row[]>(sql, values);

/** Who picked has an address, whatever becomes of the asset. */
async function picked(service: Service, network = 'ethereum', asset = 'USDC') {
  const { merchantId } = await service.shop();
  if (network !== 'ethereum') {
    const wallet = { merchantId, network, xpub: xpubOf(merchantId) };
    await service.app.get(ExtendedKeysService).set(wallet, by('test'));
  }
  const id = await new Money(service).picked(merchantId, network, asset);
  const [quote] = await query<{ address: Address; atoms: string }>(
    service,
    'SELECT watched_address AS address, amount_atoms AS atoms FROM quote WHERE intent_id = $1',
    [id],
  );
  return { id, merchantId, ...quote! };
}

const pay = (token: Address, to: Address, atoms: bigint) =>
  ethereum.testClient.writeContract({
    account: BUYER,
    address: token,
    abi: ERC20,
    functionName: 'transfer',
    args: [to, atoms],
    gas: 200_000n,
  });

/** What the instance says, everywhere where it says something, once all that it looks for has been caught up with. */
async function said(service: Service) {
  const { app, url } = service;
  await eventually(
    () => app.get(NetworkHealthService).all(),
    (all) => all.every((of) => of.state === 'open' && Object.keys(of.closedAssets).length === 0),
  );
  for (let look = 0; look < LOOKS_BEFORE_ALERT; look += 1) await app.get(OptionAlerts).look();
  const response = await fetch(`${url}/health/ready`);
  const { checks } = (await response.json()) as { checks: Record<string, unknown> };
  const metrics = await app.get(Metrics).registry.metrics();
  const { items } = await app.get(AlertsService).list({ merchantId: null, open: true });
  return {
    status: response.status,
    ready: checks['unwatchedAssets'],
    metric: metrics.split('\n').filter((line) => line.startsWith('rappen_unwatched_asset{')),
    alerts: items.map(({ kind, subject }) => [kind, subject]),
  };
}
/** What is not looked for any more, and never will be: somebody says so. */
async function acknowledge(service: Service): Promise<void> {
  const alerts = service.app.get(AlertsService);
  const { items } = await alerts.list({ merchantId: null, open: true });
  const told = { note: 'the chain exists no more', whose: ANYBODYS } as const;
  const open = items.filter(({ kind }) => kind === 'asset-unwatched');
  await service.app.get(DataSource).transaction(async (tx) => {
    for (const { id } of open) await alerts.acknowledge(tx, id, by('test'), told);
  });
}
const NOTHING = { status: 200, ready: { ok: true, detail: [] }, metric: [], alerts: [] };

/** The job follows the chain; what was passed is passed once its cursor has moved. */
async function passed(service: Service, anvil: TestAnvil, network = 'ethereum'): Promise<void> {
  const height = Number(await anvil.testClient.getBlockNumber()) + 2;
  await anvil.testClient.mine({ blocks: 2 });
  await eventually(
    async () => (await service.app.get(NetworkHealthService).all()).find((of) => of.network === network),
    (of) => (of?.height ?? 0) >= height,
  );
}

const causeOf = async (service: Service, id: string) => {
  const sql = 'SELECT cause FROM transition WHERE intent_id = $1 ORDER BY sequence DESC LIMIT 1';
  const [row] = await query<{ cause: string }>(service, sql, [id]);
  return row?.cause;
};

it('an asset that is taken out is not seen, which is said until it is back; then what was paid is found', async () => {
  const before = await start({ chain: ethereum });
  const { id, address, atoms } = await picked(before);
  expect(await said(before)).toEqual(NOTHING);
  await before.stop();

  const left = await start(without('USDC'));
  left.leaveUncompared('it does not look for USDC');
  try {
    await pay(ethereum.tokens.USDC.address, address, BigInt(atoms));
    await passed(left, ethereum);
    expect(await query(left, 'SELECT FROM transfer')).toEqual([]);
    const one = { network: 'ethereum', asset: 'USDC' };
    expect(await said(left)).toEqual({
      status: 200,
      ready: { ok: false, detail: [one] },
      metric: ['rappen_unwatched_asset{network="ethereum",asset="USDC"} 1'],
      alerts: [['asset-unwatched', 'ethereum:USDC']],
    });
    const alert = await left.app.get(AlertsService).standing('asset-unwatched', 'ethereum:USDC');
    expect(alert?.summary).toBe('USDC on Ethereum is not looked for any more');
    await new Money(left).endWindowIn(id, -1);
    expect([await new Money(left).status(id), await causeOf(left, id)]).toEqual([
      'expired',
      'window-lapsed-unseen',
    ]);
    const unwatched = left.app.get(UnwatchedAssets);
    expect(await unwatched.check('ethereum')).toMatchObject([
      {
        network: 'ethereum',
        incomparable: { 'addresses for USDC, which is not configured any more': 1 },
        needsAttention: true,
      },
    ]);
    await acknowledge(left);
    expect(await unwatched.check('ethereum')).toMatchObject([
      {
        incomparable: { 'addresses for USDC, which is not configured any more': 1 },
        needsAttention: false,
      },
    ]);
    expect(await said(left)).toEqual(NOTHING);
  } finally {
    await left.stop();
  }

  const back = await start({ chain: ethereum });
  back.leaveUncompared('the window was moved by hand');
  try {
    await eventually(
      () => query(back, 'SELECT FROM transfer WHERE subject = $1', [id]),
      ({ length }) => length === 1,
    );
    await query(back, `UPDATE alert SET last_raised_at = now() - interval '3 minutes'`);
    expect(await said(back)).toEqual(NOTHING);
  } finally {
    await back.stop();
  }
});

it('what came in an asset that nobody quoted is announced once it is final, also where that is taken out meanwhile', async () => {
  const far = { settlementDepths: [90, 90, 90, 90] } as const;
  const before = await start({ chain: ethereum, network: far });
  const { id, address, merchantId } = await picked(before);
  await new Money(before).endWindowIn(id, -1);
  expect(await new Money(before).status(id)).toBe('expired');
  await pay(ethereum.tokens.USDT.address, address, 3_000_000n);
  await eventually(
    () => query(before, 'SELECT FROM transfer WHERE subject = $1', [id]),
    ({ length }) => length === 1,
  );
  const announced = (service: Service) =>
    query(service, 'SELECT asset, decimals, amount_atoms::text AS atoms FROM unsettled_money');
  expect(await announced(before)).toEqual([]);
  await before.stop();

  const left = await start({ chain: ethereum, network: { ...without('USDT').network, ...far } });
  try {
    await ethereum.testClient.mine({ blocks: COUNTED_BLOCKS });
    expect(
      await eventually(
        () => announced(left),
        ({ length }) => length === 1,
      ),
    ).toEqual([{ asset: 'USDT', decimals: 6, atoms: '3000000' }]);
    // What is sent back of it is found, too.
    const wish = { network: null, asset: null, amount: '3', address: BUYER, note: 'came late' };
    const refunds = left.app.get(RefundsService);
    const refund = await refunds.ask(merchantId, id, wish, by('ann'));
    const sent = await pay(ethereum.tokens.USDT.address, BUYER, 3_000_000n);
    await refunds.send({ whose: merchantId, id: refund.id, by: by('ann') }, sent);
    await ethereum.testClient.mine({ blocks: COUNTED_BLOCKS });
    const look = () => {
      left.app.get(Jobs).wake('follow-refunds');
      return refunds.get(merchantId, refund.id);
    };
    await eventually(look, ({ state }) => state === 'final');
  } finally {
    left.leaveUncompared('it does not look for USDT');
    await left.stop();
  }
});

it('nothing is said of an asset that nobody was given an address for', async () => {
  const before = await start({ chain: ethereum });
  await picked(before);
  await before.stop();
  const left = await start(without('USDT'));
  try {
    await passed(left, ethereum);
    expect(await said(left)).toEqual(NOTHING);
    const [verdict] = await left.app.get(UnwatchedAssets).check();
    expect(verdict!.incomparable).toEqual({});
  } finally {
    await left.stop();
  }
});

it('a network that is taken out is said once for all of its assets, and is not compared', async () => {
  const before = await start({ chain: ethereum, networks: onPolygon() });
  await picked(before);
  await picked(before, 'polygon', 'USDC');
  await picked(before, 'polygon', 'POL');
  await before.stop();
  const left = await start({ chain: ethereum });
  try {
    // Until then another instance could be the one that watches it.
    const sql = `UPDATE chain_cursor SET synced_at = synced_at - interval '1 minute' WHERE network = 'polygon'`;
    await query(left, sql);
    const { ready, alerts } = await said(left);
    expect(ready).toEqual({
      ok: false,
      detail: [
        { network: 'polygon', asset: 'POL' },
        { network: 'polygon', asset: 'USDC' },
      ],
    });
    expect(alerts).toEqual([['asset-unwatched', 'polygon']]);
    const unwatched = left.app.get(UnwatchedAssets);
    expect((await unwatched.check()).map(({ network }) => network)).toEqual(['ethereum', 'polygon']);
    expect(await unwatched.check('polygon')).toMatchObject([
      {
        verdict: 'unasked',
        reason: 'it is not in the configuration any more, and buyers were given 2 addresses there',
        incomparable: { 'addresses for USDC, which is not configured any more': 1 },
        needsAttention: true,
      },
    ]);
    await acknowledge(left);
    expect(await unwatched.check('polygon')).toMatchObject([{ verdict: 'unasked', needsAttention: false }]);
    expect(await said(left)).toEqual(NOTHING);
  } finally {
    await left.stop();
  }
});

it('`check --chain` exits with 1 for an asset that is taken out too, until somebody has acknowledged it', async () => {
  const service = await start({ chain: ethereum });
  service.leaveUncompared('its quote is changed by hand');
  try {
    await picked(service);
    await passed(service, ethereum);
    const check = async () => {
      const place = { databaseUrl: database.url, ...ethereum };
      const { verdict } = await commandLine(
        place,
        addCheckCommand,
        'check',
        '--chain',
        '--network',
        'ethereum',
      );
      const exitCode = process.exitCode ?? 0;
      process.exitCode = 0;
      return [verdict, exitCode];
    };
    expect(await check()).toEqual(['clean', 0]);
    await query(service, `UPDATE quote SET asset = 'OLD'`);
    expect(await check()).toEqual(['different', 1]);
    for (let look = 0; look < LOOKS_BEFORE_ALERT; look += 1) await service.app.get(OptionAlerts).look();
    await acknowledge(service);
    expect(await check()).toEqual(['clean', 0]);
  } finally {
    await service.stop();
  }
});

it('an instance with an older list takes for seen what the one that watches looks for, and no more', async () => {
  const newer = await start({ chain: ethereum });
  const { id, address } = await picked(newer);
  await passed(newer, ethereum);
  const older = await start(without('USDC'));
  const isUnseen = () => {
    const place = { network: 'ethereum', asset: 'USDC', watchedAddress: address };
    return older.app.get(NetworkHealthService).isAnyUnseen(older.app.get(DataSource), [place]);
  };
  try {
    await passed(older, ethereum);
    expect(await isUnseen()).toBe(false);
    expect(await older.app.get(UnwatchedAssets).all()).toEqual([]);
    await newer.stop();
    await passed(older, ethereum);
    expect(await isUnseen()).toBe(true);
    expect(await older.app.get(UnwatchedAssets).all()).toEqual([{ network: 'ethereum', asset: 'USDC' }]);
    await new Money(older).endWindowIn(id, -1);
    expect([await new Money(older).status(id), await causeOf(older, id)]).toEqual([
      'expired',
      'window-lapsed-unseen',
    ]);
  } finally {
    older.leaveUncompared('it does not look for USDC');
    await older.stop();
  }
});

it('so it does with a whole network that another one watches, and with what waits for depth there', async () => {
  const far = onPolygon().map((network) => ({ ...network, settlementDepths: [90, 90, 90, 90] as const }));
  const newer = await start({ chain: ethereum, networks: far });
  const [{ id, address }, paid] = [await picked(newer, 'polygon'), await picked(newer, 'polygon')];
  await passed(newer, polygon, 'polygon');
  const older = await start({ chain: ethereum });
  const isUnseen = () => {
    const place = { network: 'polygon', asset: 'USDC', watchedAddress: address };
    return older.app.get(NetworkHealthService).isAnyUnseen(older.app.get(DataSource), [place]);
  };
  const decide = () => older.app.get(StatusWriter).advance(paid.id);
  try {
    const money = new Money(newer);
    await money.record(paid.id, { blockHeight: Number(await polygon.testClient.getBlockNumber()) });
    expect(
      await eventually(
        () => money.status(paid.id),
        (status) => status === 'confirmed',
      ),
    ).toBe('confirmed');
    await money.endWindowIn(paid.id, -1);
    expect(await isUnseen()).toBe(false);
    await decide();
    await newer.stop();
    await query(
      older,
      `UPDATE chain_cursor SET synced_at = synced_at - interval '1 minute' WHERE network = 'polygon'`,
    );
    expect(await isUnseen()).toBe(true);
    await expect(decide()).rejects.toThrow('it waits for polygon');
    await new Money(older).endWindowIn(id, -1);
    expect([await new Money(older).status(id), await causeOf(older, id)]).toEqual([
      'expired',
      'window-lapsed-unseen',
    ]);
  } finally {
    await older.stop();
  }
});
