import type { SandboxFile } from '../../../src/modules/sandbox/sandbox-home.service.js';
import { SandboxProcess } from '../../support/service/sandbox.js';

interface Filled {
  readonly statuses: Readonly<Record<string, number>>;
  readonly reviews: Readonly<Record<string, number>>;
  readonly created: number;
  readonly problems: readonly string[];
}

// A fill of a dozen orders waits for many blocks. It gives up by itself where nothing goes on, and says what did not.
jest.setTimeout(1_800_000);

let process: SandboxProcess;
let sandbox: SandboxFile;

beforeAll(async () => {
  process = await SandboxProcess.create();
  sandbox = await process.start();
});
afterAll(() => process.dispose());

const cli = (...args: string[]) => process.run('dist/cli/main.js', ...args);

async function fill(count: number): Promise<Filled> {
  const { stdout } = await cli('demo', 'fill', '--count', String(count), '--json');
  return JSON.parse(stdout) as Filled;
}

async function listed<T>(...args: string[]): Promise<T[]> {
  return JSON.parse((await cli(...args, '--json')).stdout) as T[];
}

it('leaves payments of every kind in the running sandbox, and no invariant broken', async () => {
  const filled = await fill(12);
  expect(filled).toMatchObject({ created: 12, problems: [] });
  // What was confirmed last may have settled by the time of the count.
  const { initiated, confirmed, settled, ...others } = filled.statuses;
  expect({ initiated, ...others }).toEqual({ initiated: 1, pending: 1, failed: 1, expired: 4, cancelled: 2 });
  expect(confirmed! + settled!).toBe(3);
  expect(Object.keys(filled.reviews).sort()).toEqual([
    'after-settlement',
    'cancelled',
    'failed',
    'late',
    'other-asset',
    'underpaid',
  ]);
  expect((await cli('check')).code).toBe(0);
});

it('may be run again, and takes the next order numbers', async () => {
  expect(await fill(1)).toMatchObject({ created: 1, problems: [] });
  const headers = { authorization: `Bearer ${sandbox.apiKey}` };
  const response = await fetch(`${sandbox.baseUrl}/api/v1/intents?pageSize=100`, { headers });
  const { items } = (await response.json()) as { items: { title: string }[] };
  const numbers = items.map(({ title }) => Number(/^Order (\d+): /.exec(title)?.[1]));
  expect(numbers.sort()).toEqual(Array.from({ length: 13 }, (_, at) => 1001 + at));
});

it('leaves a webhook endpoint that is down beside the one that works', async () => {
  const { merchantId, webhook } = sandbox;
  const endpoints = await listed<{ id: string; url: string }>('webhook', 'list', '--merchant', merchantId);
  expect(endpoints.map(({ url }) => url)).toEqual([webhook.url, `${webhook.url}/broken`]);
  const deliveries = (at: number) =>
    listed<{ state: string; lastAttempt: { httpStatus: number } | null }>(
      'webhook',
      'deliveries',
      endpoints[at]!.id,
    );
  expect((await deliveries(0)).some(({ lastAttempt }) => lastAttempt?.httpStatus === 204)).toBe(true);
  expect((await deliveries(1)).some(({ lastAttempt }) => lastAttempt?.httpStatus === 503)).toBe(true);
});

it('refuses production, and says why', async () => {
  const refused = await process.run('dist/cli/main.js', 'demo', 'fill', '--count', 'many');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('whole number from 1 to 200');
  const { spawnSync } = await import('node:child_process');
  const env = { ...process.env, NODE_ENV: 'production' };
  const inProduction = spawnSync(globalThis.process.execPath, ['dist/cli/main.js', 'demo', 'fill'], {
    env,
    encoding: 'utf8',
  });
  expect(inProduction).toMatchObject({ status: 1, stdout: '' });
  expect(inProduction.stderr).toMatch(/^demo fill works in the sandbox only: /);
});
