import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { DataSource } from 'typeorm';
import { loadConfig } from '../../../src/config/load-config.js';
import { ANYBODYS } from '../../../src/database/by.js';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import type { AlertKind } from '../../../src/modules/alerts/alerts.types.js';
import { NetworkHealthService } from '../../../src/modules/chains/network-health.service.js';
import { NetworksService } from '../../../src/modules/chains/networks/networks.service.js';
import { ChainAlerts } from '../../../src/modules/intents/reporting/chain-alerts.js';
import { OptionAlerts } from '../../../src/modules/intents/reporting/option-alerts.js';
import { UnwatchedAssets } from '../../../src/modules/intents/reporting/unwatched-assets.service.js';
import { ReviewsService } from '../../../src/modules/intents/review/reviews.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { PublicRates } from '../../../src/modules/rates/public-rates.js';
import { RateBook } from '../../../src/modules/rates/rates.service.js';
import { Readiness } from '../../../src/platform/health/readiness.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { by } from '../../support/intents/by.js';
import { applyAllChanges } from '../../support/intents/decided.js';
import { Money } from '../../support/intents/money.js';
import { SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { MailServer } from '../../support/servers/mail-server.js';
import { eventually } from '../../support/servers/receiver.js';
import { OPERATOR_LOOKS, Service } from '../../support/service/service.js';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const TIP = 1_000;

let mailServer: MailServer;
let pager: Server;
const paged: { body: string; headers: Record<string, string> }[] = [];
let pagerAnswers: number[] = [];
let service: Service;
let dataSource: DataSource;
let money: Money;
let alerts: AlertsService;
let reviews: ReviewsService;

beforeAll(async () => {
  mailServer = await MailServer.start();
  pager = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      paged.push({
        body: Buffer.concat(chunks).toString(),
        headers: request.headers as Record<string, string>,
      });
      response.writeHead(pagerAnswers.shift() ?? 204).end();
    });
  });
  await new Promise<void>((resolve) => pager.listen(0, '127.0.0.1', resolve));
  // The chain is written by hand below; no node answers, and the cursor says that none is missed.
  service = await Service.start({
    chain: SILENT_CHAIN,
    standsAt: TIP,
    stillJobs: OPERATOR_LOOKS,
    env: {
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'pay@example.com',
      OPERATOR_WEBHOOK_URL: `http://127.0.0.1:${(pager.address() as AddressInfo).port}/page`,
      OPERATOR_WEBHOOK_SECRET: SECRET,
    },
  });
  dataSource = service.app.get(DataSource);
  alerts = service.app.get(AlertsService);
  reviews = service.app.get(ReviewsService);
  money = new Money(service);
});
afterAll(async () => {
  await service.stop();
  await mailServer.stop();
  await new Promise((resolve) => pager.close(resolve));
});

async function shop(alertEmails: string[] = []): Promise<string> {
  const { merchantId } = await service.shop();
  await service.app.get(MerchantsService).set(merchantId, { alertEmails }, by('test'));
  return merchantId;
}

async function expired(merchantId: string): Promise<string> {
  const id = await money.picked(merchantId);
  await money.endWindowIn(id, -1);
  expect(await money.status(id)).toBe('expired');
  return id;
}

const decided = () => applyAllChanges(service);

/** Whether each alert of a kind about a subject is over, newest first. */
async function over(merchantId: string | null, kind: AlertKind, subject: string): Promise<boolean[]> {
  const { items } = await alerts.list({ merchantId, pageSize: 100 });
  return items
    .filter((alert) => alert.kind === kind && alert.subject === subject)
    .map(({ resolvedAt }) => resolvedAt !== null);
}

describe('the merchant hears of money that waits for a decision', () => {
  it('once it is in the queue, by mail, and no more once it is decided', async () => {
    const merchantId = await shop(['review@shop.example']);
    const id = await expired(merchantId);
    await money.record(id, { percent: 40 });
    await decided();
    expect(await over(merchantId, 'review-entry', id)).toEqual([false]);
    const [mail] = await eventually(
      () => mailServer.mailsTo('review@shop.example'),
      ({ length }) => length > 0,
    );
    expect(mail?.headers['subject']).toBe('A payment of CHF 10.00 waits for your decision');
    expect(mail?.text.replace(/\s+/g, ' ')).toContain('Less arrived than was asked for');
    await reviews.dismiss({ whose: ANYBODYS, id, by: by('ann') }, { note: 'refunded' });
    expect(await over(merchantId, 'review-entry', id)).toEqual([true]);
  });

  it('again when new money opens a dismissed entry', async () => {
    const merchantId = await shop();
    const id = await expired(merchantId);
    await money.record(id, { percent: 40 });
    await decided();
    await reviews.dismiss({ whose: ANYBODYS, id, by: by('ann') }, { note: 'refunded' });
    await money.record(id, { percent: 10 });
    await decided();
    expect(await over(merchantId, 'review-entry', id)).toEqual([false, true]);
    await reviews.accept({ whose: ANYBODYS, id, by: by('ann') }, { reason: 'enough' });
    expect(await over(merchantId, 'review-entry', id)).toEqual([true, true]);
  });

  it('not before any of it is final, and no more once what was final has left the chain', async () => {
    const merchantId = await shop();
    const id = await expired(merchantId);
    const transferId = await money.record(id, { percent: 40, blockHeight: TIP });
    await decided();
    expect(await reviews.list(merchantId)).toMatchObject([{ intentId: id, final: false }]);
    expect(await over(merchantId, 'review-entry', id)).toEqual([]);
    await money.change(id, transferId, 'block_height = 1');
    await decided();
    expect(await over(merchantId, 'review-entry', id)).toEqual([false]);
    await money.change(
      id,
      transferId,
      `state = 'orphaned', block_height = NULL, missing_since = clock_timestamp()`,
    );
    await decided();
    expect(await over(merchantId, 'review-entry', id)).toEqual([true]);
  });

  it('not when a standing rule accepts it, at once or as soon as it is final', async () => {
    const merchantId = await shop();
    const [atOnce, later] = [await expired(merchantId), await expired(merchantId)];
    await money.record(atOnce, { blockTime: 'i.expires_at' });
    await money.record(later, { blockTime: 'i.expires_at', blockHeight: TIP });
    await decided();
    expect(await money.status(atOnce)).toBe('settled');
    expect(await reviews.list(merchantId)).toMatchObject([{ intentId: later, final: false }]);
    expect((await alerts.list({ merchantId })).total).toBe(0);
  });

  it('in the metrics: how many wait, and for how long', async () => {
    const id = await expired(await shop());
    await money.record(id, { percent: 40 });
    await decided();
    const text = await service.app.get(Metrics).text();
    expect(text).toMatch(/rappen_review_entries [1-9]/);
    expect(text).toMatch(/rappen_review_oldest_age_seconds 0\.\d|rappen_review_oldest_age_seconds [1-9]/);
  });
});

describe('a settled payment whose money leaves the chain', () => {
  const GONE = `state = 'orphaned', block_height = NULL, block_hash = NULL, block_time = NULL, missing_since = clock_timestamp()`;
  const BACK = (height: number) =>
    `state = 'included', block_height = ${height}, block_hash = '0xc', block_time = now(), missing_since = NULL`;

  async function settled(merchantId: string): Promise<{ id: string; transfer: string }> {
    const id = await money.picked(merchantId);
    const transfer = await money.record(id);
    await decided();
    expect(await money.status(id)).toBe('settled');
    return { id, transfer };
  }

  it.each([
    ['is orphaned', GONE],
    [
      'is replaced',
      GONE.replace('orphaned', 'replaced').replace(
        'missing_since = clock_timestamp()',
        'missing_since = NULL',
      ),
    ],
    ['pays less in its new block', `${BACK(TIP)}, amount_atoms = amount_atoms - 1`],
  ])('stays settled, and its merchant is told when it %s', async (_how, change) => {
    const merchantId = await shop();
    const { id, transfer } = await settled(merchantId);
    await money.change(id, transfer, change);
    await decided();
    expect(await money.walkOf(id)).toEqual(['initiated', 'pending', 'confirmed', 'settled']);
    expect(await over(merchantId, 'reorganised-after-settlement', id)).toEqual([false]);
  });

  it('needs nobody any more once the money is back, in whichever block', async () => {
    const merchantId = await shop();
    const { id, transfer } = await settled(merchantId);
    await money.change(id, transfer, GONE);
    await decided();
    await money.change(id, transfer, BACK(TIP));
    await decided();
    expect(await over(merchantId, 'reorganised-after-settlement', id)).toEqual([true]);
    expect(await reviews.list(merchantId)).toEqual([]);
  });

  it('is no matter of an over-payment that the settlement did not rest on', async () => {
    const merchantId = await shop();
    const { id } = await settled(merchantId);
    const extra = await money.record(id, { percent: 10, blockHeight: TIP });
    await decided();
    await money.change(id, extra, GONE);
    await decided();
    expect(await over(merchantId, 'reorganised-after-settlement', id)).toEqual([]);
  });
});

describe('the operator hears', () => {
  // People know a network by its name, and a moment by its minute; ids are for programs, and for the commands that are told.
  afterEach(async () => {
    const said = await dataSource.query<{ text: string }[]>(
      `SELECT summary || ' ' || detail AS text FROM alert WHERE merchant_id IS NULL`,
    );
    const forPrograms = said
      .map(({ text }) => text)
      .filter((text) => /(?<!--network )\bethereum\b|\dT\d/.test(text));
    expect(forPrograms).toEqual([]);
  });

  const raisedLongAgo = () =>
    dataSource.query(
      `UPDATE alert SET last_raised_at = now() - interval '3 minutes' WHERE merchant_id IS NULL`,
    );
  const seenAgo = (ago: string) =>
    dataSource.query(`UPDATE chain_cursor SET synced_at = now() - $1::interval`, [ago]);

  function watch(rates: RateBook = service.app.get(RateBook)): OptionAlerts {
    const { app } = service;
    const [health, networks] = [app.get(NetworkHealthService), app.get(NetworksService)];
    const unwatched = app.get(UnwatchedAssets);
    return new OptionAlerts(dataSource, app.get(Readiness), health, networks, rates, alerts, unwatched);
  }

  it('of a network that has not been seen for a while, by a signed webhook, until it is', async () => {
    const watching = watch();
    await seenAgo('10 minutes');
    await watching.look();
    await watching.look();
    expect(await over(null, 'network-unavailable', 'ethereum')).toEqual([]);
    pagerAnswers = [500];
    await watching.look();
    expect(await over(null, 'network-unavailable', 'ethereum')).toEqual([false]);
    await eventually(
      () =>
        dataSource.query<unknown[]>(`SELECT 1 FROM alert_notice WHERE attempts = 1 AND lease_token IS NULL`),
      ({ length }) => length === 1,
    );
    await dataSource.query('UPDATE alert_notice SET next_attempt_at = now()');
    await eventually(
      () => alerts.list({ merchantId: null }),
      ({ items }) => items[0]?.postedAt != null,
    );
    expect(paged).toHaveLength(2);
    for (const { body, headers } of paged) {
      expect(new Webhook(SECRET).verify(body, headers)).toMatchObject({
        type: 'alert.raised',
        data: { kind: 'network-unavailable', subject: 'ethereum', data: { state: 'lagging', height: TIP } },
      });
    }
    await seenAgo('-1 day');
    await watching.look();
    expect(await over(null, 'network-unavailable', 'ethereum')).toEqual([false]);
    await raisedLongAgo();
    await watching.look();
    expect(await over(null, 'network-unavailable', 'ethereum')).toEqual([true]);
    const [, , end] = await eventually(
      () => paged,
      ({ length }) => length === 3,
    );
    expect(new Webhook(SECRET).verify(end!.body, end!.headers)).toMatchObject({
      type: 'alert.resolved',
      data: { kind: 'network-unavailable', subject: 'ethereum', resolvedAt: expect.any(String) as string },
    });
    expect(end!.headers['webhook-id']).not.toBe(paged[0]!.headers['webhook-id']);
  });

  it('of a network that is halted, which does not pass by itself, until it goes on', async () => {
    const watching = watch();
    // The watcher tries again, and says each time that no node answers.
    await dataSource.query(
      `CREATE FUNCTION halt() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN NEW.halted := true; NEW.reason := 'It shares no block.'; RETURN NEW; END $$;
       CREATE TRIGGER halt BEFORE INSERT OR UPDATE ON watch_failure FOR EACH ROW EXECUTE FUNCTION halt();
       INSERT INTO watch_failure (network, reason) VALUES ('ethereum', '')
       ON CONFLICT (network) DO UPDATE SET halted = true`,
    );
    for (const _ of [1, 2, 3]) await watching.look();
    expect(await over(null, 'network-halted', 'ethereum')).toEqual([false]);
    expect(await alerts.standing('network-halted', 'ethereum')).toMatchObject({
      detail: expect.stringContaining('It shares no block.') as string,
      data: { network: 'ethereum', reason: 'It shares no block.' },
    });
    await dataSource.query(
      'DROP TRIGGER halt ON watch_failure; DROP FUNCTION halt(); DELETE FROM watch_failure',
    );
    await raisedLongAgo();
    await watching.look();
    expect(await over(null, 'network-halted', 'ethereum')).toEqual([true]);
  });

  it('of addresses that are not compared with every block, while there are some', async () => {
    const watching = watch();
    const unwatched = (count: number) =>
      dataSource.query('UPDATE chain_cursor SET coin_unwatched = $1', [count]);
    await unwatched(3);
    for (const _ of [1, 2, 3]) await watching.look();
    expect(await over(null, 'coin-unwatched', 'ethereum')).toEqual([false]);
    await unwatched(0);
    await raisedLongAgo();
    await watching.look();
    expect(await over(null, 'coin-unwatched', 'ethereum')).toEqual([true]);
  });

  it('of a network on which nothing becomes final any more, until something does', async () => {
    const watching = watch();
    await dataSource.query(
      `INSERT INTO chain_block (network, height, hash, recorded_at)
       SELECT 'ethereum', height, '0x' || height, now() - ($1 - height) * interval '7 minutes'
         FROM generate_series($1::int - 9, $1::int) AS height`,
      [TIP],
    );
    const look = async () => {
      for (const _ of [1, 2, 3]) await watching.look();
      return over(null, 'finality-stalled', 'ethereum');
    };
    const metric = async (name: string) => {
      const text = await service.app.get(Metrics).registry.metrics();
      return Number(new RegExp(`^${name}\\{network="ethereum"\\} (\\S+)$`, 'm').exec(text)?.[1]);
    };
    const finalAt = (height: number) =>
      dataSource.query(
        'UPDATE chain_cursor SET safe_height = greatest($1, height - 4), finalized_height = $1',
        [height],
      );
    await finalAt(TIP - 5); // The block above has been known for 28 minutes.
    expect(await look()).toEqual([]);
    await finalAt(TIP - 8); // 49 minutes
    expect(await look()).toEqual([false]);
    expect(await metric('rappen_network_unfinal_seconds')).toBeCloseTo(49 * 60, -2);
    expect(await metric('rappen_network_finality_stalled')).toBe(1);
    // Behind its node it is another trouble, which is said by itself.
    await seenAgo('10 minutes');
    expect(await metric('rappen_network_finality_stalled')).toBe(0);
    await seenAgo('-1 day');
    await finalAt(TIP);
    await raisedLongAgo();
    expect(await look()).toEqual([true]);
    expect(await metric('rappen_network_unfinal_seconds')).toBe(0);
    await finalAt(TIP - 8);
    await dataSource.query('DELETE FROM chain_block');
  });

  it('of a network that has given up blocks that were held to be final, for a week', async () => {
    const watching = watch();
    const look = async () => {
      for (const _ of [1, 2, 3]) await watching.look();
      return over(null, 'finality-given-up', 'ethereum');
    };
    const givenUpAgo = (ago: string | null) =>
      dataSource.query(
        `UPDATE chain_cursor SET given_up_at = now() - $1::interval, given_up_height = CASE WHEN $1 IS NOT NULL THEN 7 END`,
        [ago],
      );
    expect(await look()).toEqual([]);
    await givenUpAgo('6 days');
    expect(await look()).toEqual([false]);
    await givenUpAgo('8 days');
    await raisedLongAgo();
    expect(await look()).toEqual([true]);
    await givenUpAgo(null);
  });

  it('of a network of which no comparison has ended for long, until one has', async () => {
    const look = () => service.app.get(ChainAlerts).look();
    const endedAgo = (ago: string | null) =>
      dataSource.query(
        `INSERT INTO reconciliation (network, finished_at) VALUES ('ethereum', now() - $1::interval)
         ON CONFLICT (network) DO UPDATE SET finished_at = excluded.finished_at`,
        [ago],
      );
    const watchedFor = (ago: string) =>
      dataSource.query('UPDATE chain_cursor SET watched_since = now() - $1::interval', [ago]);
    // However late this process began: a service that is started anew each day would never say it.
    await endedAgo(null);
    await watchedFor('71 hours');
    await look();
    expect(await over(null, 'chain-uncompared', 'ethereum')).toEqual([]);
    await watchedFor('73 hours');
    for (const _ of [1, 2]) await look();
    expect(await over(null, 'chain-uncompared', 'ethereum')).toEqual([false]);
    await endedAgo('71 hours');
    await raisedLongAgo();
    await look();
    expect(await over(null, 'chain-uncompared', 'ethereum')).toEqual([true]);
    await dataSource.query(`DELETE FROM alert WHERE kind = 'chain-uncompared'`);
    await endedAgo('73 hours');
    for (const _ of [1, 2]) await look();
    expect(await over(null, 'chain-uncompared', 'ethereum')).toEqual([false]);
    const [alert] = await dataSource.query<{ summary: string }[]>(
      "SELECT summary FROM alert WHERE kind = 'chain-uncompared' AND subject = 'ethereum'",
    );
    expect(alert?.summary).toMatch(/^Ethereum has not been .* since \d{4}-\d\d-\d\d \(UTC\)$/);
    await endedAgo('1 minute');
    await raisedLongAgo();
    await look();
    expect(await over(null, 'chain-uncompared', 'ethereum')).toEqual([true]);
  });

  it('of a difference in an asset that is configured no more, by the decimals that it had, and of no other amount', async () => {
    await dataSource.query(
      `INSERT INTO known_asset (network, asset_key, symbol, decimals) VALUES ('ethereum', '0xgone', 'GONE', 6)`,
    );
    await dataSource.query(
      `INSERT INTO chain_difference (network, address, asset, kind, chain_atoms, recorded_atoms, height, txids)
       SELECT 'ethereum', '0xdeposit', a, 'unexplained', 12500000, 0, 7, '{}' FROM unnest('{GONE,NEVER}'::text[]) a`,
    );
    await service.app.get(ChainAlerts).look();
    const { summary, detail } = (await alerts.standing('chain-difference', 'ethereum'))!;
    expect(summary).toBe('2 differences from the chain on Ethereum');
    expect(detail).toContain('12.5 GONE at 0xdeposit');
    expect(detail).toContain('12500000 NEVER (smallest units) at 0xdeposit');
    await dataSource.query('DELETE FROM chain_difference');
    await dataSource.query(`DELETE FROM known_asset WHERE symbol = 'GONE'`);
    await dataSource.query(`DELETE FROM alert WHERE kind = 'chain-difference'`);
  });

  it('of the end of what stood of a network or an asset that is configured no more, once no instance has it', async () => {
    const subjects = [
      ['network-unavailable', 'gone'],
      ['network-unavailable', 'ethereum:GONE'],
      ['network-halted', 'gone'],
      ['chain-difference', 'gone'],
      ['chain-uncompared', 'gone'],
    ] as const;
    const tx = dataSource.manager;
    for (const [kind, subject] of subjects)
      await alerts.raise(tx, { kind, subject, merchantId: null, summary: 'x', detail: 'x' });
    const standing = () => Promise.all(subjects.map(([kind, subject]) => alerts.standing(kind, subject)));
    const look = async () => {
      await watch().look();
      await service.app.get(ChainAlerts).look();
    };
    await look();
    expect(await standing()).not.toContain(null);
    await raisedLongAgo();
    await look();
    expect(await standing()).toEqual(subjects.map(() => null));
  });

  it('nothing of the end of a trouble that it has not heard of, nor of a merchant’s', async () => {
    const { length } = paged;
    const trouble = { kind: 'network-halted', subject: 'x', summary: 'x', detail: 'x' } as const;
    for (const merchantId of [null, await shop()]) {
      await dataSource.transaction(async (tx) => {
        await alerts.raise(tx, { ...trouble, merchantId });
        await alerts.resolve(tx, trouble.kind, trouble.subject);
      });
    }
    expect(await dataSource.query(`SELECT 1 FROM alert_notice WHERE about = 'resolved'`)).toEqual([]);
    expect(paged).toHaveLength(length);
  });

  it('of the end although somebody had acknowledged it, and although the process was killed in between', async () => {
    const trouble = {
      kind: 'network-halted',
      subject: 'y',
      summary: 'y',
      detail: 'y',
      merchantId: null,
    } as const;
    await dataSource.transaction((tx) => alerts.raise(tx, trouble));
    const posted = () => alerts.list({ merchantId: null });
    const { items } = await eventually(posted, (page) => page.items[0]?.postedAt != null);
    const known = { note: 'Looking into it', whose: null };
    const alert = await alerts.acknowledge(dataSource.manager, items[0]!.id, by('ann'), known);
    expect(alert).toMatchObject({ acknowledgedBy: 'ann', acknowledgedNote: 'Looking into it' });
    // A dead process' lease: claimed, and never heard of again.
    await dataSource.transaction(async (tx) => {
      await alerts.resolve(tx, trouble.kind, trouble.subject);
      await tx.query(
        `UPDATE alert_notice SET attempts = 1, lease_token = gen_random_uuid(),
                next_attempt_at = clock_timestamp() - interval '1 second' WHERE about = 'resolved'`,
      );
    });
    await eventually(
      () => paged.map(({ headers }) => headers['webhook-id']),
      (ids) => ids.includes(`${alert.id}_resolved`),
    );
    await eventually(
      () => alerts.unsent(),
      (left) => left.every(({ channel }) => channel !== 'webhook'),
    );
  });

  it('of assets without a price, in one alert for all, until another look finds them all', async () => {
    const { rates: config } = loadConfig({}, { ...service.config, secretKey: Buffer.alloc(32) });
    const silent = new PublicRates(config, service.config.networks);
    const watching = watch(silent);
    for (const _ of [1, 2, 3, 4]) await watching.look();
    expect(await over(null, 'rates-unavailable', 'rates')).toEqual([false]);
    await silent.onApplicationShutdown();
    // Another instance has prices: it does not call off what this one has just seen.
    await watch().look();
    expect(await over(null, 'rates-unavailable', 'rates')).toEqual([false]);
    await raisedLongAgo();
    await watch().look();
    expect(await over(null, 'rates-unavailable', 'rates')).toEqual([true]);
  });
});
