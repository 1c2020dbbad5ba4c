import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { GROUPS } from '../../../src/cli/groups.js';
import { hexOf } from '../../../src/kernel/text/hex.js';
import { type SandboxFile, writeSandboxFile } from '../../../src/modules/sandbox/sandbox-home.service.js';

interface Place {
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  readonly tokens: { readonly USDC: { address: string }; readonly USDT: { address: string } };
  /** A chain of its own, where the command asks it. */
  readonly polygon?: Pick<Place, 'rpcUrl' | 'tokens'>;
  readonly litecoin?: { readonly rpcUrl: string };
  /** For a process of its own. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What the file of a sandbox holds for others than the command line. */
const NOT_ASKED_FOR: Omit<SandboxFile, 'databaseUrl' | 'networks'> = {
  baseUrl: 'http://localhost:3000',
  checkoutUrl: 'http://localhost:3001',
  merchantId: '',
  apiKey: '',
  dashboard: { url: '', email: '', password: '' },
  webhook: { url: '', secret: '' },
};
const EVM = { chainId: 31337, buyerPrivateKey: '', coin: 'ETH' };
const COIN = { chain: 'regtest', asset: 'LTC', buyerWalletUrl: '' } as const;

const ROOT = join(import.meta.dirname, '../../..');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built command line as a process of its own. */
export async function commandProcess(place: Place, ...words: string[]): Promise<Ended> {
  const dataDir = dataDirOf(place);
  try {
    const env = { ...process.env, ...place.env, NODE_ENV: '', DATA_DIR: dataDir };
    const child = spawn(process.execPath, ['dist/cli/main.js', ...words], { cwd: ROOT, env });
    const ended = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (ended.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (ended.stderr += text));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, ...ended };
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

/** Where links of `productionCommand` begin. */
export const COMMAND_BASE_URL = 'https://api.example.com';

/** What a command of the built command line says as JSON, as it runs in production beside a service on this database. */
export async function productionCommand(
  { databaseUrl, env: more }: { databaseUrl: string; env?: Readonly<Record<string, string>> },
  ...words: string[]
): Promise<Record<string, string>> {
  const env = {
    ...process.env,
    ...more,
    NODE_ENV: 'production',
    BASE_URL: COMMAND_BASE_URL,
    CHECKOUT_URL: 'https://pay.example.com',
    DATABASE_URL: databaseUrl,
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    ETHEREUM_RPC_URL: 'http://127.0.0.1:9',
  };
  const args = ['dist/cli/main.js', ...words, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  return JSON.parse(stdout) as Record<string, string>;
}

/** A command of `rappen` as a program gives it, in this process, against a database and a chain of a test. */
export async function commandLine(
  place: Place,
  add: (program: Command) => void,
  ...words: string[]
): Promise<Record<string, unknown>> {
  return JSON.parse(await printed(place, add, '--json', ...words)) as Record<string, unknown>;
}

/** What a person reads. */
export async function printed(
  place: Place,
  add: (program: Command) => void,
  ...words: string[]
): Promise<string> {
  const dataDir = dataDirOf(place);
  const before = process.env['DATA_DIR'];
  process.env['DATA_DIR'] = dataDir;
  const written: string[] = [];
  const spy = jest
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => written.push(String(text)) > 0);
  try {
    const program = new Command('cli').option('--json').exitOverride();
    add(program);
    await program.parseAsync(words, { from: 'user' });
  } finally {
    spy.mockRestore();
    if (before === undefined) delete process.env['DATA_DIR'];
    else process.env['DATA_DIR'] = before;
    rmSync(dataDir, { recursive: true });
  }
  return written.join('');
}

/** What loads the command of this name, as the command line does. */
export function commandsOf(noun: string): Promise<(program: Command) => void> {
  return GROUPS.find(({ nouns }) => nouns.some(({ name }) => name === noun))!.load();
}

function dataDirOf({ databaseUrl, rpcUrl, tokens, polygon, litecoin }: Place): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'rappen-cli-'));
  const token = ({ address }: { address: string }) => ({ address: hexOf(address), decimals: 6 as const });
  const chainOf = ({ rpcUrl, tokens: { USDC, USDT } }: Pick<Place, 'rpcUrl' | 'tokens'>) => ({
    ...EVM,
    rpcUrl,
    tokens: { USDC: token(USDC), USDT: token(USDT) },
  });
  const ethereum = chainOf({ rpcUrl, tokens });
  writeSandboxFile(dataDir, {
    ...NOT_ASKED_FOR,
    databaseUrl,
    networks: {
      ethereum,
      polygon: polygon ? chainOf(polygon) : ethereum,
      ...(litecoin && { litecoin: { ...COIN, rpcUrl: litecoin.rpcUrl } }),
    },
  });
  return dataDir;
}
