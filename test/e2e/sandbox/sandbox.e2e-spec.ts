import { existsSync, statSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { kill } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { forwarder, forwarderFactory } from '../../../src/modules/chains/forwarders.types.js';
import { fingerprint } from '../../../src/modules/sandbox/local/processes.js';
import type { SandboxFile } from '../../../src/modules/sandbox/sandbox-home.service.js';
import { Staff } from '../../support/dashboard/staff.js';
import { nodeTool } from '../../support/nodes/litecoind.js';
import { rpc } from '../../support/nodes/node-rpc.js';
import { itWith } from '../../support/run/tools.js';
import { eventually, Receiver } from '../../support/servers/receiver.js';
import { SandboxProcess } from '../../support/service/sandbox.js';

interface Listed {
  readonly events: readonly {
    readonly verified: boolean;
    readonly webhookId: string;
    readonly body: { sequence: number; data: { intent: { id: string; status: string } } };
  }[];
}

let process: SandboxProcess;
let sandbox: SandboxFile;

beforeAll(async () => {
  process = await SandboxProcess.create();
  sandbox = await process.start();
});
afterAll(() => process.dispose());

const api = (path: string, init: RequestInit = {}) =>
  fetch(`${sandbox.baseUrl}/api/v1/intents${path}`, {
    ...init,
    headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
  });

async function create(): Promise<{ id: string; checkoutUrl: string }> {
  const response = await api('', { method: 'POST', body: JSON.stringify({ amount: 49.9, currency: 'CHF' }) });
  return (await response.json()) as { id: string; checkoutUrl: string };
}

const running = (servers: ReturnType<SandboxProcess['servers']>) =>
  servers.filter(({ pid }) => fingerprint(pid) !== undefined).map(({ name }) => name);

/** Where there is code, of the contracts behind deposit addresses without keys. */
async function deployed(): Promise<string[]> {
  const { ethereum, polygon } = sandbox.networks;
  const found: string[] = [];
  for (const { rpcUrl } of [ethereum, polygon]) {
    for (const { address } of [forwarderFactory, forwarder]) {
      const code = await rpc<string>(rpcUrl, 'eth_getCode', [address, 'latest']);
      if (code.length > 1_000) found.push(address);
    }
  }
  return found;
}

/** A person who types what the summary says. */
async function signedIn(): Promise<Staff> {
  const person = Staff.stranger({ url: sandbox.baseUrl }, sandbox.dashboard.email);
  expect((await person.signIn(sandbox.dashboard.password)).location).toBe('/dashboard');
  return person;
}

const statusOf = async (id: string) => ((await (await api(`/${id}`)).json()) as { status: string }).status;
const settled = (id: string) =>
  eventually(
    () => statusOf(id),
    (status) => status === 'settled',
    60_000,
  );

async function received(id: string) {
  const { events } = (await (await fetch(sandbox.webhook.url)).json()) as Listed;
  return events.filter(({ body, verified }) => verified && body.data.intent.id === id);
}

it('keeps the states of 64 blocks of each of its chains: each costs memory', () => {
  const chains = process.servers().filter(({ name }) => name.startsWith('anvil'));
  expect(chains).toHaveLength(2);
  for (const { pid } of chains) expect(`${fingerprint(pid)} `).toContain(' --prune-history 64 ');
});

it('prints a summary with a curl that works when pasted', async () => {
  const curl = /curl -s [\s\S]*?}'/.exec(process.printed)?.[0] ?? '';
  const { spawnSync } = await import('node:child_process');
  const { stdout } = spawnSync('sh', ['-c', curl], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'initiated',
    amount: 49.9,
    currency: 'CHF',
    title: 'Order 1001',
  });
});

it('prints a login that opens the dashboard, as the demo shop’s owner and as an operator', async () => {
  const { url, email, password } = sandbox.dashboard;
  for (const text of [url, email, password]) expect(process.printed).toContain(text);
  const person = await signedIn();
  const { status, html } = await person.get('/dashboard');
  expect([status, html.includes('Demo Shop'), html.includes('/dashboard/operator')]).toEqual([
    200,
    true,
    true,
  ]);
});

it('writes sandbox.json for its owner only', () => {
  expect(statSync(join(process.dataDir, 'sandbox.json')).mode & 0o777).toBe(0o600);
  expect(sandbox.networks.ethereum.tokens.USDC.decimals).toBe(6);
});

it('deploys the factory of deposit addresses on both of its EVM chains', async () => {
  const both = [forwarderFactory.address, forwarder.address];
  expect(await deployed()).toEqual([...both, ...both]);
});

it('takes an intent from creation to settled with `npm run pay`, and its receiver verifies four events', async () => {
  const intent = await create();
  const paid = await process.run('dist/cli/pay.js', intent.checkoutUrl);
  expect(paid).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Sent 62.37500000 USDC on ethereum') as string,
  });
  await settled(intent.id);
  const events = await eventually(
    () => received(intent.id),
    (seen) => seen.length === 4,
  );
  expect(events.map(({ body }) => [body.sequence, body.data.intent.status]).sort()).toEqual([
    [1, 'initiated'],
    [2, 'pending'],
    [3, 'confirmed'],
    [4, 'settled'],
  ]);
  const page = await fetch(sandbox.webhook.url, { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  expect(await page.text()).toContain('<bdi>payment.status: settled</bdi>');
});

itWith(nodeTool('own-nodes'))('takes a payment in litecoin on a real node to settled', async () => {
  const intent = await create();
  const paid = await process.run('dist/cli/pay.js', intent.id, '--asset', 'LTC', '--network', 'litecoin');
  expect(paid.stdout).toContain('Sent 0.62375000 LTC on litecoin');
  expect(paid.code).toBe(0);
  await settled(intent.id);
});

it('watches several networks by one connection and is warned of nothing by Node, which stopping it asks too', async () => {
  expect(Object.keys(sandbox.networks).length).toBeGreaterThan(1);
  expect(process.isWarned).toBe(false);
  const ended = Object.defineProperty(await SandboxProcess.create(), 'isWarned', { value: true });
  await expect(ended.dispose()).rejects.toThrow('Node warned of something');
});

it('serves the operator’s command line, as JSON and nothing else', async () => {
  const run = async (...args: string[]) => {
    const { stdout, code } = await process.run('dist/cli/main.js', ...args, '--json');
    expect(code).toBe(0);
    return JSON.parse(stdout) as Record<string, string>;
  };
  const merchant = await run('merchant', 'create', '--name', 'Second Shop');
  expect(merchant).toMatchObject({ name: 'Second Shop', status: 'pending' });
  const key = await run(
    'key',
    'create',
    '--merchant',
    merchant['id'] ?? '',
    '--scopes',
    'read',
    '--label',
    'CI',
  );
  expect(key['key']).toMatch(/^svc_live_[0-9A-Za-z]{32}$/);
  const read = () =>
    fetch(`${sandbox.baseUrl}/api/v1/intents`, { headers: { 'x-api-key': key['key'] ?? '' } });
  expect((await read()).status).toBe(403);
  await run('merchant', 'approve', merchant['id'] ?? '');
  expect((await read()).status).toBe(200);
  await run('key', 'revoke', key['id'] ?? '');
  expect((await read()).status).toBe(401);
  const hook = await run(
    'webhook',
    'create',
    '--merchant',
    merchant['id'] ?? '',
    '--url',
    sandbox.webhook.url,
  );
  expect(hook['secret']).toMatch(/^whsec_/);
  const findings = (await run('check')) as unknown as { violations: number }[];
  expect(findings.every(({ violations }) => violations === 0)).toBe(true);
});

it('links to the sandbox that runs from its command line, whatever the ports', async () => {
  const intent = await create();
  const run = async (...args: string[]) =>
    JSON.parse((await process.run('dist/cli/main.js', ...args, '--json')).stdout) as Record<string, string>;
  expect(await run('intent', 'show', intent.id)).toMatchObject({ checkoutUrl: intent.checkoutUrl });
  const invited = ['--email', 'new@staff.example', '--merchant', sandbox.merchantId, '--role', 'reviewer'];
  const links = [
    await run('user', 'invite', ...invited),
    await run('user', 'reset', '--email', sandbox.dashboard.email),
  ];
  for (const { url } of links) {
    expect(url?.startsWith(`${sandbox.baseUrl}/dashboard/`)).toBe(true);
    expect((await fetch(url!)).status).toBe(200);
  }
});

it('fails on standard error with exit status 1', async () => {
  const failed = await process.run('dist/cli/main.js', 'merchant', 'approve', 'mer_none', '--json');
  expect(failed).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('no merchant') as string,
  });
});

it('refuses a private key as a wallet and does not repeat it', async () => {
  const xprv =
    'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';
  const args = ['wallet', 'set', '--merchant', sandbox.merchantId, '--network', 'ethereum', '--xpub', xprv];
  const refused = await process.run('dist/cli/main.js', ...args);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/private/);
  expect(refused.stderr).not.toContain(xprv);
});

it('takes signals of one moment for one, leaves no server behind, and finds its data again, chain included', async () => {
  const intent = await create();
  const before = sandbox;
  const servers = process.servers();
  expect(servers.length).toBeGreaterThan(2);
  expect(await process.stop('SIGINT', 'SIGINT', 'SIGTERM', 'SIGHUP')).toBe(0);
  expect(running(servers)).toEqual([]);
  expect(existsSync(join(process.dataDir, 'sandbox.json'))).toBe(false);
  sandbox = await process.start();
  expect(sandbox).toMatchObject({
    merchantId: before.merchantId,
    apiKey: before.apiKey,
    webhook: before.webhook,
    dashboard: before.dashboard,
  });
  await signedIn();
  expect(sandbox.networks.ethereum.tokens).toEqual(before.networks.ethereum.tokens);
  expect(await deployed()).toHaveLength(4);
  await process.run('dist/cli/pay.js', intent.id);
  await settled(intent.id);
});

/** Under which other devices reach this machine. */
const ADDRESS = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address;
const network = {
  isFound: ADDRESS !== undefined,
  missing: 'This machine has no address but its own: a sandbox that other devices reach is NOT tested.',
  mayLackInCi: true,
};

itWith(network)('opens its checkout to other devices where BASE_URL and CHECKOUT_URL say so', async () => {
  const [local, { origin: localCheckout }] = [sandbox.baseUrl, new URL((await create()).checkoutUrl)];
  const [reached, reachedCheckout] = [local, localCheckout].map((url) => url.replace('localhost', ADDRESS!));
  const statusAt = (url: string) =>
    fetch(url).then(
      ({ status }) => status,
      () => null,
    );
  expect(await statusAt(`${reached}/health/ready`)).toBeNull();
  await process.stop();
  sandbox = await process.start({ BASE_URL: reached!, CHECKOUT_URL: reachedCheckout! });
  expect(sandbox).toMatchObject({ baseUrl: reached, checkoutUrl: reachedCheckout });
  const { id, checkoutUrl } = await create();
  expect(checkoutUrl).toBe(`${reachedCheckout}/pay/${id}`);
  expect(await (await fetch(checkoutUrl)).text()).toContain('49.90');
  expect(await statusAt(`${localCheckout}/pay/${id}`)).toBe(200);
  await process.run('dist/cli/pay.js', checkoutUrl);
  await settled(id);
});

describe('killed at any moment of a payment', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.start();
    const hook = ['webhook', 'create', '--merchant', sandbox.merchantId, '--url', receiver.url, '--json'];
    const { stdout } = await process.run('dist/cli/main.js', ...hook);
    receiver.secret = (JSON.parse(stdout) as { secret: string }).secret;
  });
  afterAll(() => receiver.stop());

  it.each<[moment: 'created' | 'paying' | 'paid', waitMs: number]>([
    ['created', 200],
    ['paying', 200],
    ['paid', 0],
    ['paid', 1_000],
    ['paid', 2_500],
  ])('loses no transition and no event: %s, and %i ms', async (moment, waitMs) => {
    const pay = (id: string) => process.run('dist/cli/pay.js', id, '--asset', 'ETH');
    const intent = await create();
    const paying = moment === 'created' ? null : pay(intent.id);
    if (moment === 'paid') await paying;
    await pause(waitMs);
    await process.stop('SIGKILL');
    await paying;
    sandbox = await process.start();
    if ((await statusOf(intent.id)) === 'initiated') await pay(intent.id);
    await settled(intent.id);
    await eventually(
      () => receiver.statusesOf(intent.id),
      (seen) => seen.length === 4,
    );
    const statuses = ['initiated', 'pending', 'confirmed', 'settled'];
    expect(receiver.statusesOf(intent.id)).toEqual(statuses);
    expect(receiver.refused).toBe(0);
  });

  it('holds every invariant after all of that', async () => {
    const { code, stdout } = await process.run('dist/cli/main.js', 'check', '--json');
    const broken = (JSON.parse(stdout) as { violations: number }[]).filter((f) => f.violations > 0);
    expect({ code, broken }).toEqual({ code: 0, broken: [] });
  });
});

it('takes its servers along when it is told a second time that it should end, though one of them hangs', async () => {
  const servers = process.servers();
  const chain = servers.find(({ name }) => name.startsWith('anvil/'));
  kill(chain?.pid ?? 0, 'SIGSTOP');
  // Its state cannot be saved now, so that the orderly end takes a minute. A person presses Ctrl-C again and again.
  const impatient = () => (process.signal('SIGINT'), process.hasEnded);
  await eventually(impatient, (ended) => ended);
  await eventually(
    () => running(servers),
    (left) => left.length === 0,
  );
});
