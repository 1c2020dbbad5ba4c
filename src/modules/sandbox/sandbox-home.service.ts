import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NetworkConfig } from '../../config/config.types.js';
import { sandboxBitcoin, sandboxEthereum, sandboxLitecoin, sandboxPolygon } from '../../config/networks.js';
import type { Token, Tokens } from './local/evm/tokens.js';

/** A local EVM chain. */
export interface SandboxEvm {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly buyerPrivateKey: string;
  /** Symbol of the chain's own coin. */
  readonly coin: string;
  readonly tokens: Partial<Tokens> & { readonly USDC: Token };
}

/** A local node of a Bitcoin-like coin. Both addresses carry the node's credentials. */
export interface SandboxCoin {
  readonly rpcUrl: string;
  readonly chain: 'regtest';
  readonly asset: string;
  /** The buyer's wallet on the node: `sendtoaddress` pays from it. */
  readonly buyerWalletUrl: string;
}

/** What scripts and tests may know of a running sandbox. They depend on the shape. */
export interface SandboxFile {
  readonly baseUrl: string;
  readonly checkoutUrl: string;
  readonly databaseUrl: string;
  readonly merchantId: string;
  readonly apiKey: string;
  readonly dashboard: { readonly url: string; readonly email: string; readonly password: string };
  readonly webhook: { readonly url: string; readonly secret: string };
  readonly networks: {
    readonly ethereum: SandboxEvm & { readonly tokens: Tokens };
    /** A second one, for money that goes to the wrong network. */
    readonly polygon: SandboxEvm;
    /** Only where their node was found. */
    readonly litecoin?: SandboxCoin;
    readonly bitcoin?: SandboxCoin;
  };
}

/** The same networks as the service takes them. */
export function sandboxNetworks({
  ethereum,
  polygon,
  litecoin,
  bitcoin,
}: SandboxFile['networks']): NetworkConfig[] {
  const { USDC, USDT } = ethereum.tokens;
  return [
    sandboxEthereum(ethereum.rpcUrl, { USDC: USDC.address, USDT: USDT.address }),
    sandboxPolygon(polygon.rpcUrl, { USDC: polygon.tokens.USDC.address }),
    ...(litecoin ? [sandboxLitecoin(litecoin.rpcUrl)] : []),
    ...(bitcoin ? [sandboxBitcoin(bitcoin.rpcUrl)] : []),
  ];
}

const OWNER_ONLY = 0o600;

/** Written whole and last: whoever finds the file finds a sandbox that answers. */
export function writeSandboxFile(dataDir: string, content: SandboxFile): void {
  writePrivate(pathIn(dataDir), JSON.stringify(content, null, 2) + '\n');
}

/** @throws when no sandbox runs on this folder */
export function readSandboxFile(dataDir: string): SandboxFile {
  try {
    return JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as SandboxFile;
  } catch {
    throw new Error(`No sandbox is running on ${dataDir}. Start one with: npm start`);
  }
}

export function removeSandboxFile(dataDir: string): void {
  rmSync(pathIn(dataDir), { force: true });
}

/** Writes a file that only its owner may read, so that it is never seen half-written. */
export function writePrivate(path: string, content: string | Buffer): void {
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, content, { mode: OWNER_ONLY });
  chmodSync(partial, OWNER_ONLY);
  renameSync(partial, path);
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'sandbox.json');
}

/** The sandbox's own encryption key, made at its first start and kept: without it its secrets cannot be read. */
export function sandboxSecretKey(dataDir: string): Buffer {
  const path = join(dataDir, 'secret.key');
  if (!existsSync(path)) writePrivate(path, randomBytes(32));
  return readFileSync(path);
}
