import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
/** Where a sandbox would begin to write. */
const DATA_DIR = join(tmpdir(), `rappen-refused-start-${process.pid}`);

/** The built service with nothing of this process' own environment; resolves when it has ended. */
async function started(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], DATA_DIR, ...env },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

const refusedBy = (...problems: string[]) => ({
  code: 1,
  stdout: '',
  stderr: `The configuration has ${problems.length} problem(s):\n${problems.map((one) => `- ${one}\n`).join('')}`,
});

const PRODUCTION = {
  NODE_ENV: 'production',
  BASE_URL: 'https://api.rappen.example',
  CHECKOUT_URL: 'https://pay.rappen.example',
  DATABASE_URL: 'postgres://127.0.0.1:9/none',
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  ETHEREUM_RPC_URL: 'http://127.0.0.1:9',
};

it('ends with what is wrong in its configuration in plain lines, and with 1', async () => {
  expect(await started({ ...PRODUCTION, PORT: 'abc' })).toEqual(
    refusedBy('PORT must be a whole number from 1 to 65535'),
  );
  expect(await started({ ...PRODUCTION, BASE_URL: '', SECRET_KEY: 'short' })).toEqual(
    refusedBy(
      'BASE_URL is required',
      'SECRET_KEY must be 32 bytes in base64 or hex: openssl rand -base64 32',
    ),
  );
});

it('ends as a sandbox, too, before it has begun anything', async () => {
  expect(await started({ PORT: 'abc' })).toEqual(refusedBy('PORT must be a whole number from 1 to 65535'));
  expect(existsSync(DATA_DIR)).toBe(false);
});

it('ends with one plain line for a port that is taken', async () => {
  const other = createServer().listen(0);
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const { code, stdout, stderr } = await started({ PORT: String(port) });
  other.close();
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toBe(`Port ${port} is taken. Choose another, for example: PORT=${port + 10} npm start\n`);
});
