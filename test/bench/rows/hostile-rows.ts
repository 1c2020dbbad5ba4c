import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { CERTIFICATE, KEY } from '../../support/servers/loopback-certificate.js';
import type { Helper } from '../helper.js';
import { type Runtime, runtime } from '../runtime.js';
import { apiHeaders, type LoadShape, portOf, type Stage } from '../stage.js';
import type { Row } from '../table.js';

/** Of one merchant, which may have no more. */
const ENDPOINTS = 10;
const MERCHANTS = 4;
/** Of each merchant. */
const PER_SECOND = 5;
/** Of each merchant in a round: of all four the 99th percentile is the tenth slowest of a thousand. */
const REQUESTS = 250;
const QUICK_REQUESTS = 20;
const TURNS = join(import.meta.dirname, '../processes/turns.mjs');

interface HostileReceiver {
  readonly name: string;
  readonly isSecure: boolean;
  readonly port: number;
}

/**
 * Creating intents at a constant rate while forty receivers answer as they should, and again while each of them does
 * its worst. In one run, in turns.
 */
export async function hostile(stage: Stage): Promise<Row[]> {
  const { url: databaseUrl, pool } = await stage.database();
  const receivers = stage.helper('../../support/servers/hostile-receivers.mjs');
  const all = await receivers.call<HostileReceiver[]>('listen', { key: KEY, cert: CERTIFICATE });
  const urlsOf = (merchant: number) =>
    Array.from({ length: ENDPOINTS }, (_, i) => {
      const { port, isSecure } = all[(merchant * ENDPOINTS + i) % all.length]!;
      return `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}/${i}`;
    });
  const env = { NODE_EXTRA_CA_CERTS: certificateFile(stage) };
  const service = await stage.service(databaseUrl, { preload: TURNS, env });
  const longestTurn = async (): Promise<Turn> => {
    service.send({ turns: true });
    const answer = await service.answer('turns');
    if (answer === null) throw new Error(`the service has ended:\n${service.printed}`);
    return answer['turns'] as Turn;
  };
  const shops: { load: Helper; shape: LoadShape }[] = [];
  for (let merchant = 0; merchant < MERCHANTS; merchant++) {
    const { key } = await service.shop(`bench ${merchant}`, urlsOf(merchant));
    shops.push({ load: stage.helper('load-process.mjs'), shape: shapeOf(service.url, key, stage.quick) });
  }
  // Before calm nothing is left to send, before an attack all that earlier ones have kept from arriving is due.
  const round = async (due: 'now' | 'tomorrow'): Promise<Round> => {
    await pool.query(`UPDATE delivery SET next_attempt_at = $1::timestamptz WHERE state = 'pending'`, [due]);
    const before = await runtime(service.url); // whose delays are not this round's
    await longestTurn();
    const loads = await Promise.all(shops.map(({ load, shape }) => stage.load(load, shape)));
    const { ownMs: turnMs } = await longestTurn();
    const { cpuMs, ...delay } = await runtime(service.url);
    const durationsMs = loads.flatMap((load) => load.durationsMs ?? []).sort((a, b) => a - b);
    return {
      p50Ms: percentileOf(durationsMs, 0.5),
      p99Ms: percentileOf(durationsMs, 0.99),
      delay,
      turnMs,
      cpuMs: (cpuMs - before.cpuMs) / (1.1 * durationsMs.length),
    };
  };
  const attack = async (): Promise<Round> => {
    await receivers.call('attack', true);
    const attacked = await round('now');
    await receivers.call('attack', false);
    return attacked;
  };
  const [calm, attacked]: [Round[], Round[]] = [[], []];
  await attack(); // what it keeps from arriving is due in the first that counts
  for (let i = 0; i < stage.repeats; i++) {
    calm.push(await round('tomorrow'));
    await requireTold(pool);
    attacked.push(await attack());
  }
  const row = (what: string, of: (round: Round) => number): Row => ({
    name: `${what}, ${MERCHANTS * ENDPOINTS} hostile receivers`,
    unit: 'ms',
    values: attacked.map(of),
    ceiling: { what: 'the same while they behave', values: calm.map(of) },
  });
  return [
    row('create p50', ({ p50Ms }) => p50Ms),
    row('create p99', ({ p99Ms }) => p99Ms),
    row("event loop's delay p99", ({ delay }) => delay.p99Ms),
    row("event loop's longest delay", ({ delay }) => delay.maxMs),
    row("processor of the event loop's longest turn", ({ turnMs }) => turnMs),
    row('processor for a creation and its deliveries', ({ cpuMs }) => cpuMs),
  ];
}

/** What the longest turn of the event loop since the last look had of the processor, and of the clock (`turns.mjs`). */
export interface Turn {
  readonly ownMs: number;
  readonly tookMs: number;
}

interface Round {
  /** Of the creations of all merchants together. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly delay: Omit<Runtime, 'cpuMs'>;
  /** What the longest turn of the event loop had of the processor. */
  readonly turnMs: number;
  /** For each creation, those included that warm up. */
  readonly cpuMs: number;
}

/** As `percentile` of the load (`calls.mjs`) tells it. */
const percentileOf = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** @throws Error where an endpoint was told nothing while it took everything: under attack it would not be reached either */
async function requireTold(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ url: string }>(
    `SELECT url FROM webhook_endpoint e
      WHERE NOT EXISTS (SELECT FROM delivery d WHERE d.endpoint_id = e.id AND d.state = 'delivered')`,
  );
  if (rows.length > 0) throw new Error(`nothing has arrived at ${rows.map(({ url }) => url).join(', ')}`);
}

/** Of those receivers that speak TLS, for a process that is to trust it. */
function certificateFile(stage: Stage): string {
  const folder = mkdtempSync(join(tmpdir(), 'rappen-bench-'));
  stage.onClear(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'certificate.pem');
  writeFileSync(file, CERTIFICATE);
  return file;
}

function shapeOf(url: string, key: string, quick: boolean): LoadShape {
  return {
    port: portOf(url),
    connections: 2,
    requests: quick ? QUICK_REQUESTS : REQUESTS,
    perSecond: PER_SECOND,
    keeps: true,
    method: 'POST',
    paths: ['/api/v1/intents'],
    headers: apiHeaders(url, key),
    body: JSON.stringify({ amount: 49.9, currency: 'CHF', title: 'Order', idempotencyKey: 'order-{n}' }),
    expected: 201,
  };
}
