import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { loadConfig } from './load-config.js';

const read = (name: string): string => readFileSync(`docs/deploy/${name}`, 'utf8');
/** Every variable is in the manual's table, which is compared with what is asked for. */
const KNOWN = [...readFileSync('docs/operations.md', 'utf8').matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)].map(
  ([, name]) => name,
);

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly env_file?: string;
  readonly volumes?: readonly string[];
  readonly depends_on?: object;
  readonly networks?: readonly string[];
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
  readonly networks: object;
}
const compose = load(read('compose.yaml')) as Compose;
const { services } = compose;

const assigned = (text: string): [string, string][] =>
  [...text.matchAll(/^#?([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]);
/** Of the instance at a port. */
const ofSystemd = (port: string) =>
  [...read('rappen@.service').matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [
    name!,
    value!.replaceAll('%i', port),
  ]);

it.each([
  [
    'compose.yaml',
    () => Object.keys({ ...services['rappen']?.environment, ...services['migrate']?.environment }),
  ],
  ['rappen.env.example', () => assigned(read('rappen.env.example')).map(([name]) => name)],
  ['rappen@.service', () => ofSystemd('3000').map(([name]) => name)],
])('names only variables that the service reads: %s', (_name, names) => {
  expect(names().length).toBeGreaterThan(0);
  for (const name of names()) expect(KNOWN).toContain(name);
});

it('is a whole configuration once its blanks are filled in', () => {
  const blanks: Record<string, string> = {
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ETHEREUM_RPC_URL: 'https://node.example.com/',
    ETHEREUM_RPC_URL_2: 'https://other.example.com/',
  };
  const filled = assigned(read('rappen.env.example')).map(([name, value]) => [name, value || blanks[name]]);
  const file = Object.fromEntries(filled) as Record<string, string>;
  const url = services['rappen']?.environment?.['DATABASE_URL']?.replace('${APP_PASSWORD:?}', 'x');
  const ofCompose = { ...services['rappen']?.environment, DATABASE_URL: url, NODE_ENV: 'production' };
  expect(loadConfig({ ...file, ...ofCompose })).toMatchObject({ trustProxy: 1, metrics: { port: 9464 } });
  for (const port of [3000, 3001]) {
    const ofUnit = Object.fromEntries(ofSystemd(String(port))) as Record<string, string>;
    expect(loadConfig({ ...file, ...ofUnit, DATABASE_URL: url })).toMatchObject({
      mode: 'production',
      host: '127.0.0.1',
      port,
      trustProxy: 1,
      metrics: { port: 10_000 + port },
    });
  }
});

it('gives the service neither the owner of the tables nor a name that nothing sets', () => {
  expect(JSON.stringify(services['rappen'])).not.toContain('OWNER');
  expect(read('rappen.env.example')).not.toContain('OWNER');
  const names = [...read('compose.yaml').matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name!);
  const set = assigned(read('compose.env.example')).map(([name]) => name);
  expect([...new Set(names)].sort()).toEqual(set.sort());
});

it('refers in compose.yaml to what is there', () => {
  for (const { volumes = [], depends_on: needs = {}, networks = [] } of Object.values(services)) {
    for (const volume of volumes) {
      const [from = ''] = volume.split(':');
      if (from.startsWith('./')) expect(existsSync(`docs/deploy/${from}`)).toBe(true);
      else expect(Object.keys(compose.volumes)).toContain(from);
    }
    const needed = Array.isArray(needs) ? (needs as string[]) : Object.keys(needs);
    for (const name of needed) expect(Object.keys(services)).toContain(name);
    for (const name of networks) expect(Object.keys(compose.networks)).toContain(name);
  }
});

it.each(['nginx.conf', 'Caddyfile'])('%s lets no metrics out, and has a place for event streams', (name) => {
  expect(read(name)).toMatch(/\/metrics/);
  const [, pattern] = /(?:location ~ |path_regexp )(\S+)/.exec(read(name)) ?? [];
  expect('/pay/pi_01hx/events').toMatch(new RegExp(pattern!));
  expect('/pay/pi_01hx').not.toMatch(new RegExp(pattern!));
});

it('nginx.conf bounds how many connections an address holds, as ADR 38 leaves it to the proxy', () => {
  const [, zone] = /^limit_conn_zone \$binary_remote_addr zone=(\w+):\d+m;$/m.exec(read('nginx.conf')) ?? [];
  expect(read('nginx.conf')).toMatch(new RegExp(`^ +limit_conn ${zone} \\d+;$`, 'm'));
});

describe('nodes.md', () => {
  /** Methods as the chains' code writes them, its tests left out. */
  function called(pattern: RegExp): string[] {
    const folder = 'src/modules/chains';
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
    const texts = sources.map((file) => readFileSync(`${folder}/${file}`, 'utf8'));
    return [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name!)))].sort();
  }
  const listed = (pattern: RegExp) => [...read('nodes.md').matchAll(pattern)].map(([, name]) => name!).sort();
  const COIN = /'(get[a-z]{5,}|estimatesmartfee|scantxoutset|validateaddress)'/g;

  it('lists the methods that are asked of a node, and no other', () => {
    expect(called(/'((?:eth|debug|trace)_\w+)'/g)).toEqual(listed(/^\| `((?:eth|debug|trace)_\w+)` \|/gm));
    expect(called(COIN)).toEqual(listed(/^\| `([a-z]+)` \|/gm));
  });

  it.each(['bitcoin.conf', 'litecoin.conf'])('%s allows just those', (name) => {
    const [, allowed = ''] = /^rpcwhitelist=rappen:(.*)$/m.exec(read(name)) ?? [];
    expect(allowed.split(',')).toEqual(called(COIN));
  });
});
