import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import type { SandboxFile } from '../../../src/modules/sandbox/sandbox-home.service.js';
import { stablePort } from '../../support/servers/ports.js';
import { eventually } from '../../support/servers/receiver.js';
import { SandboxProcess } from '../../support/service/sandbox.js';

const ROOT = join(import.meta.dirname, '../../..');
const SECRET = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;

let sandbox: SandboxProcess;
let facts: SandboxFile;
let laptop: Laptop;
const listeners: ChildProcess[] = [];

beforeAll(async () => {
  sandbox = await SandboxProcess.create();
  facts = await sandbox.start();
  laptop = new Laptop(await stablePort());
  await laptop.start();
});
afterAll(async () => {
  for (const child of listeners) child.kill('SIGKILL');
  await laptop.stop();
  await sandbox.dispose();
});

/** A developer's server, which verifies with the secret that the listener printed. */
class Laptop {
  secret = SECRET;
  status = 204;
  /** "<intent> <status>" of what verified, in the order of arrival. */
  readonly got: string[] = [];
  refused = 0;
  private server: Server | null = null;

  constructor(private readonly port: number) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.take(Buffer.concat(chunks).toString(), request.headers as Record<string, string>);
        response.writeHead(this.status).end();
      });
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  of(intentId: string): string[] {
    return this.got.filter((line) => line.startsWith(intentId)).map((line) => line.split(' ')[1] ?? '');
  }

  private take(body: string, headers: Record<string, string>): void {
    try {
      const event = new Webhook(this.secret).verify(body, headers) as {
        data: { intent: { id: string; status: string } };
      };
      this.got.push(`${event.data.intent.id} ${event.data.intent.status}`);
    } catch {
      this.refused += 1;
    }
  }
}

/** `npm run listen` as a developer starts it. */
function listen(...args: string[]) {
  const child = spawn(process.execPath, ['dist/cli/listen.js', '--forward-to', laptop.url, ...args], {
    cwd: ROOT,
    env: sandbox.env,
  });
  listeners.push(child);
  const printed = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed.text += text));
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const says = (part: string | RegExp) =>
    eventually(
      () => printed.text,
      (text) => (typeof part === 'string' ? text.includes(part) : part.test(text)),
      60_000,
    );
  return {
    printed,
    says,
    ended,
    stop: async () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}

async function create(): Promise<string> {
  const response = await fetch(`${facts.baseUrl}/api/v1/intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${facts.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 5, currency: 'CHF' }),
  });
  return ((await response.json()) as { id: string }).id;
}

const arrives = (intentId: string, ...statuses: string[]) =>
  eventually(
    () => laptop.of(intentId),
    (got) => got.join() === statuses.join(),
    60_000,
  );

it('leaves nothing running when npm itself is stopped, and signs with one secret wherever it forwards to', async () => {
  const secretOf = async (forwardTo: string) => {
    const args = ['run', '--silent', 'listen', '--', '--forward-to', forwardTo];
    const npm = spawn('npm', args, { cwd: ROOT, env: sandbox.env });
    let printed = '';
    npm.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    // Only when nobody holds its output any more is it closed.
    const closed = new Promise((resolve) => npm.once('close', resolve));
    await eventually(
      () => printed,
      (text) => text.includes('Ctrl-C stops'),
      60_000,
    );
    npm.kill('SIGTERM');
    await closed;
    return /whsec_\S+/.exec(printed)?.[0];
  };
  const secret = await secretOf('http://localhost:4001/hook');
  expect(secret).toMatch(/^whsec_/);
  expect(await secretOf('http://localhost:4002/hook')).toBe(secret);
});

describe('npm run listen', () => {
  it('forwards what happens from now on, signed with the secret that it prints, and tells each', async () => {
    const before = await create();
    const listener = listen();
    await listener.says('Ctrl-C stops');
    laptop.secret = /whsec_\S+/.exec(listener.printed.text)?.[0] ?? '';
    const id = await create();
    await arrives(id, 'initiated');
    await listener.says(new RegExp(`initiated  ${id} #1  204 in \\d+ ms`));
    expect(laptop.of(before)).toEqual([]);
    expect(laptop.refused).toBe(0);
    expect(await listener.stop()).toBe(0);
    expect(listener.printed.text).toContain('Stopped. Forwarded: 1.');
  });

  describe('started again', () => {
    let listener: ReturnType<typeof listen>;

    it('goes on where it stopped, with the same secret', async () => {
      const missed = [await create(), await create()];
      listener = listen();
      for (const id of missed) await arrives(id, 'initiated');
      const all = laptop.got.length;
      await arrives(await create(), 'initiated');
      expect(laptop.got).toHaveLength(all + 1);
      expect(laptop.refused).toBe(0);
    });

    it('loses nothing when the developer’s server is down, and passes on what it refuses', async () => {
      await laptop.stop();
      const id = await create();
      await listener.says('nobody answers (ECONNREFUSED)');
      laptop.status = 500;
      await laptop.start();
      await listener.says(`${id} #1  500 in`);
      laptop.status = 204;
      await arrives(await create(), 'initiated');
      expect(laptop.of(id)).toEqual(['initiated']);
    });

    it('waits for a sandbox that is restarted, and loses nothing', async () => {
      const last = await create();
      await sandbox.stop();
      await listener.says('The sandbox is away');
      facts = await sandbox.start();
      const next = await create();
      await arrives(last, 'initiated');
      await arrives(next, 'initiated');
      expect(await listener.stop()).toBe(0);
    });
  });

  it('sends only the events that are asked for, and everything since a time again', async () => {
    const since = new Date().toISOString();
    const id = await create();
    await sandbox.run('dist/cli/main.js', 'intent', 'cancel', id);
    const all = listen('--since', since);
    await arrives(id, 'initiated', 'cancelled');
    await all.stop();
    laptop.secret = SECRET;
    const some = listen('--since', since, '--events', 'cancelled,settled', '--secret', SECRET);
    await arrives(id, 'initiated', 'cancelled', 'cancelled');
    await some.stop();
    expect(laptop.refused).toBe(0);
  });

  it.each([
    [['--events', 'paid'], 'There is no paid'],
    [['--merchant', 'mer_unknown'], 'There is no merchant mer_unknown'],
  ])('says what is wrong with %j', async (args, words) => {
    const listener = listen(...args);
    expect(await listener.ended).toBe(1);
    expect(listener.printed.text).toContain(words);
  });
});
