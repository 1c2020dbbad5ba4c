import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Pool } from 'pg';
import { PRODUCT } from '../../../src/app.product.js';
import { newSecret } from '../../../src/kernel/webhook-signature.js';
import { WebhooksService } from '../../../src/modules/webhooks/webhooks.service.js';
import { SecretBox } from '../../../src/platform/secrets/secret-box.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { by } from '../../support/intents/by.js';
import { eventually, Receiver } from '../../support/servers/receiver.js';
import { Service, type Shop } from '../../support/service/service.js';

const ROOT = join(import.meta.dirname, '../../..');
/** More than two transactions of a rekeying. */
const IDLE_ENDPOINTS = 250;

const key = () => randomBytes(32).toString('base64');
const [OLD, NEW] = [key(), key()];
const [oldBox, newBox] = [OLD, NEW].map(
  (text) => new SecretBox(PRODUCT.sealed, Buffer.from(text, 'base64')),
) as [SecretBox, SecretBox];

let database: TestDatabase;
let pool: Pool;
let receiver: Receiver;
let shop: Shop;
let service: Service;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.url, max: 2 });
  receiver = await Receiver.start();
  await serve(OLD);
  shop = await service.shop();
  const endpoint = { merchantId: shop.merchantId, url: receiver.url };
  receiver.secret = (await service.app.get(WebhooksService).createEndpoint(endpoint, by('test'))).secret;
  await pool.query(`INSERT INTO merchant (id, name, status) VALUES ('mer_idle', 'Idle', 'approved')`);
  for (let i = 0; i < IDLE_ENDPOINTS; i++) {
    const id = `we_idle_${String(i).padStart(4, '0')}`;
    const sealed = oldBox.seal(newSecret(), { table: 'webhook_endpoint', column: 'secret', rowId: id });
    await pool.query(
      `INSERT INTO webhook_endpoint (id, merchant_id, url, secret, previous_secret, previous_secret_until)
       VALUES ($1, 'mer_idle', 'http://127.0.0.1:9/', $2, $2, clock_timestamp() + interval '1 day')`,
      [id, sealed],
    );
  }
  const totp = oldBox.seal('JBSWY3DPEHPK3PXP', { table: 'person', column: 'totp_secret', rowId: 'per_1' });
  await pool.query(
    `INSERT INTO person (id, email, totp_secret, totp_enabled_at) VALUES ('per_1', 'a@example.com', $1, now())`,
    [totp],
  );
  const pending = oldBox.seal('GEZDGNBVGY3TQOJQ', {
    table: 'session',
    column: 'pending_totp_secret',
    rowId: 'ses_1',
  });
  await pool.query(
    `INSERT INTO session (id, token_hash, person_id, stage, address, user_agent, pending_totp_secret)
     VALUES ('ses_1', 'a hash', 'per_1', 'full', '192.0.2.1', 'a test', $1)`,
    [pending],
  );
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
  await pool.end();
  await database.drop();
});

/** Another start of the service, with these keys. */
async function serve(secretKey: string, previous = ''): Promise<void> {
  const next = await Service.start({
    databaseUrl: database.url,
    secretKey: Buffer.from(secretKey, 'base64'),
    env: { SECRET_KEY_PREVIOUS: previous },
  });
  await service?.stop();
  service = next;
}

function cli(env: Record<string, string>, ...args: string[]) {
  const production = {
    NODE_ENV: 'production',
    BASE_URL: 'https://api.example.com',
    CHECKOUT_URL: 'https://pay.example.com',
    DATABASE_URL: database.url,
    ETHEREUM_RPC_URL: 'http://127.0.0.1:9',
  };
  const child = spawn(process.execPath, ['dist/cli/main.js', 'secrets', ...args, '--json'], {
    cwd: ROOT,
    env: { ...process.env, ...production, SECRET_KEY_PREVIOUS: '', ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  );
  return { child, ended };
}

const BOTH = { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD };

interface Stored {
  readonly id: string;
  readonly secret: string;
}
const stored = async () => {
  const { rows } = await pool.query<Stored>(
    `SELECT id, secret || coalesce(previous_secret, '') AS secret FROM webhook_endpoint
     UNION ALL SELECT id, totp_secret FROM person
     UNION ALL SELECT id, pending_totp_secret FROM session ORDER BY id`,
  );
  return rows;
};

/** Idle endpoints whose secret the new key opens. */
const done = async () => {
  const { rows } = await pool.query<Stored>(
    `SELECT id, secret FROM webhook_endpoint WHERE id LIKE 'we_idle%'`,
  );
  const isNew = ({ id, secret }: Stored) =>
    newBox.keyOf(secret, { table: 'webhook_endpoint', column: 'secret', rowId: id }) === 'present';
  return rows.filter(isNew).length;
};

/** An intent whose first event arrives and verifies. */
async function deliver(): Promise<void> {
  const response = await fetch(`${service.url}/api/v1/intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 5, currency: 'CHF' }),
  });
  expect(response.status).toBe(201);
  const { id } = (await response.json()) as { id: string };
  await eventually(
    () => receiver.statusesOf(id),
    (statuses) => statuses.length === 1,
  );
}

describe('secrets rekey', () => {
  it('refuses a wrong key, says what it cannot open, and changes nothing', async () => {
    const before = await stored();
    const wrong = await cli({ SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: key() }, 'rekey').ended;
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toContain(
      '503 of 503 stored secrets open neither with SECRET_KEY nor with SECRET_KEY_PREVIOUS',
    );
    expect(wrong.stderr).toContain('Nothing has been changed.');
    const none = await cli({ SECRET_KEY: NEW }, 'rekey').ended;
    expect(none.code).toBe(1);
    expect(await stored()).toEqual(before);
  });

  it('leaves every secret whole when it is killed half-way', async () => {
    await serve(NEW, OLD);
    const holder = await pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(`SELECT id FROM webhook_endpoint WHERE id = 'we_idle_0150' FOR UPDATE`);
      const { child, ended } = cli(BOTH, 'rekey');
      await eventually(done, (count) => count > 0);
      child.kill('SIGKILL');
      await ended;
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    const half = await done();
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(IDLE_ENDPOINTS);
    await deliver();
    const { stdout } = await cli(BOTH, 'status').ended;
    expect(JSON.parse(stdout)).toMatchObject({ unknown: 0 });
  });

  it('does the rest when it is run again, while events are being delivered', async () => {
    const { ended } = cli(BOTH, 'rekey');
    let running = true;
    const delivering = (async () => {
      do await deliver();
      while (running);
    })();
    const { code, stdout } = await ended.finally(() => (running = false));
    await delivering;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ present: 503, previous: 0, unknown: 0 });
    expect(receiver.refused).toBe(0);
    const again = await cli(BOTH, 'rekey').ended;
    expect(JSON.parse(again.stdout)).toMatchObject({ rekeyed: 0, present: 503 });
  });

  it('makes the old key superfluous', async () => {
    await serve(NEW);
    await deliver();
    const { stdout } = await cli({ SECRET_KEY: NEW }, 'status').ended;
    expect(JSON.parse(stdout)).toEqual({ present: 503, previous: 0, unknown: 0 });
    const { rows } = await pool.query<{ totp: string }>('SELECT totp_secret AS totp FROM person');
    const place = { table: 'person', column: 'totp_secret', rowId: 'per_1' };
    expect(newBox.open(rows[0]?.totp ?? '', place)).toBe('JBSWY3DPEHPK3PXP');
    expect(receiver.refused).toBe(0);
  });
});
