import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Rappen } from '@rappen/client';
import { Api } from '../../support/api/api.js';
import { Service, type Shop } from '../../support/service/service.js';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const NPM_MS = 180_000;

let service: Service;
let shop: Shop;
/** An empty project into which the package was installed from its archive, without a registry. */
let project: string;
let archive: string;

beforeAll(async () => {
  service = await Service.start();
  shop = await service.shop();
  project = mkdtempSync(join(tmpdir(), 'rappen-client-'));
  const args = ['pack', '--silent', '--pack-destination', project, '-w', '@rappen/client'];
  await run('npm', args, { cwd: ROOT });
  archive = readdirSync(project).find((name) => name.endsWith('.tgz')) ?? '';
  writeFileSync(join(project, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }');
  const offline = ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`];
  await run('npm', offline, { cwd: project });
}, NPM_MS);
afterAll(async () => {
  rmSync(project, { recursive: true });
  await service.stop();
});

const tool = (path: string) => join(ROOT, 'node_modules', path);

/** What a program prints, run by this Node in the project. @throws with its output where it fails */
async function node(...args: string[]): Promise<string> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const options = { cwd: project, env: { ...env, RAPPEN_URL: service.url, RAPPEN_API_KEY: shop.key } };
  return run(process.execPath, args, options).then(
    ({ stdout }) => stdout.trim(),
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${error.stdout}\n${error.stderr}`);
    },
  );
}

/** Creates an intent, has a forgery refused, and prints the intent's id. */
const PROGRAM = `
const rappen = new Rappen({ baseUrl: process.env['RAPPEN_URL'] ?? '', apiKey: process.env['RAPPEN_API_KEY'] ?? '' });
async function main() {
  const { intent } = await rappen.createIntent({ amount: 49.9, currency: 'CHF' });
  const { payment } = await rappen.getIntent(intent.id);
  const { items } = await rappen.listIntents({ pageSize: 1 });
  if (payment !== null || items[0]?.id !== intent.id) throw new Error('not what was created');
  try {
    verifyWebhook('whsec_' + 'A'.repeat(32), { 'webhook-id': 'evt_1' }, '{}');
  } catch (error) {
    if (!(error instanceof WebhookRefused)) throw error;
    process.stdout.write(intent.id);
  }
}
void main();
`;
const NAMES = 'Rappen, verifyWebhook, WebhookRefused';
const USE = `import { ${NAMES} } from '@rappen/client';${PROGRAM}`;

async function expectCreated(id: string): Promise<void> {
  const { status, body } = await new Api(service, shop.key).get(id);
  expect([status, body.amount]).toEqual([200, 49.9]);
}

it('holds what it needs and nothing of ours beside it', async () => {
  const { stdout } = await run('tar', ['-tzf', join(project, archive)]);
  const files = stdout.trim().split('\n');
  const others = files.filter((file) => !/^package\/dist\/(esm|cjs)\/[a-z-]+(\.d\.ts|\.js)$/.test(file));
  expect(others.sort()).toEqual([
    'package/CHANGELOG.md',
    'package/LICENSE',
    'package/README.md',
    'package/dist/cjs/package.json',
    'package/package.json',
  ]);
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    '@rappen',
  ]);
});

it('is imported by ESM', async () => {
  writeFileSync(join(project, 'use.mjs'), USE);
  await expectCreated(await node('use.mjs'));
});

it('is required by CommonJS', async () => {
  writeFileSync(join(project, 'use.cjs'), `const { ${NAMES} } = require('@rappen/client');${PROGRAM}`);
  await expectCreated(await node('use.cjs'));
});

it('is typed under strict for both kinds of nodenext, and so is the code of its README', async () => {
  const folder = join(project, 'nodenext');
  mkdirSync(folder);
  for (const ending of ['mts', 'cts']) writeFileSync(join(folder, `use.${ending}`), USE);
  writeFileSync(join(folder, 'readme.mts'), codeOfReadme());
  // What the service would refuse is an error here, or the directive is one.
  const wrong = [
    "amount: '1', currency: 'CHF'",
    "amount: 1, currency: 'JPY'",
    "amount: 1, currency: 'CHF', x: 1",
  ];
  const lines = wrong.map((fields) => `// @ts-expect-error\nvoid rappen.createIntent({ ${fields} });\n`);
  const client = `import { Rappen } from '@rappen/client';
    const rappen = new Rappen({ baseUrl: '', apiKey: '' });\n`;
  writeFileSync(join(folder, 'wrong.cts'), client + lines.join(''));
  await compile(folder, { module: 'nodenext', skipLibCheck: false });
  await expectCreated(await node(join(folder, 'use.mjs')));
  await expectCreated(await node(join(folder, 'use.cjs')));
});

it('is typed under strict for commonjs, as TypeScript resolved modules before exports', async () => {
  const folder = join(project, 'commonjs');
  mkdirSync(folder);
  writeFileSync(join(folder, 'use.cts'), USE);
  await compile(folder, { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' });
  await expectCreated(await node(join(folder, 'use.cjs')));
});

it('names everything that it can do in its README', () => {
  const methods = Object.getOwnPropertyNames(Rappen.prototype).filter((name) => name !== 'constructor');
  expect(methods.length).toBeGreaterThan(5);
  for (const name of [...methods, 'verifyWebhook']) expect(readme()).toContain(`\`${name}(`);
});

it('is content to publint and to attw', async () => {
  const file = join(project, archive);
  expect(await node(tool('publint/src/cli.js'), file, '--strict')).toContain('All good');
  expect(await node(tool('@arethetypeswrong/cli/dist/index.js'), file, '--no-color')).toContain(
    'No problems found',
  );
});

async function compile(folder: string, options: object): Promise<void> {
  const compilerOptions = {
    strict: true,
    target: 'es2022',
    skipLibCheck: true,
    noUncheckedIndexedAccess: true,
    types: ['node'],
    typeRoots: [tool('@types')],
    ...options,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  await node(tool('typescript/bin/tsc'), '-p', folder);
}

const readme = () => readFileSync(join(project, 'node_modules/@rappen/client/README.md'), 'utf8');

/** Its blocks one after the other, as somebody reads them. */
function codeOfReadme(): string {
  const blocks = [...readme().matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = '']) => code);
  if (blocks.length < 4) throw new Error('the README has lost its code');
  return blocks.join('\n');
}
