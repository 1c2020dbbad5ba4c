import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Address } from 'viem';
import { z } from 'zod';
import type { NetworkConfig } from '../../config/config.types.js';
import { sandboxBitcoin, sandboxEthereum, sandboxLitecoin, sandboxPolygon } from '../../config/networks.js';
import { textLike } from '../../kernel/foreign-json.js';
import { readOwnJson } from '../../platform/process/own-json.js';

const TOKEN = z.object({
  address: textLike<Address>(/^0x[0-9a-fA-F]{40}$/, 'must be an address'),
  decimals: z.literal(6),
});

/** A local EVM chain. */
const EVM = z.object({
  rpcUrl: z.string(),
  chainId: z.number(),
  buyerPrivateKey: z.string(),
  /** Symbol of the chain's own coin. */
  coin: z.string(),
  tokens: z.object({ USDC: TOKEN, USDT: TOKEN.optional() }),
});
export type SandboxEvm = z.output<typeof EVM>;

/** A local node of a Bitcoin-like coin. Both addresses carry the node's credentials. */
const COIN = z.object({
  rpcUrl: z.string(),
  chain: z.literal('regtest'),
  asset: z.string(),
  /** The buyer's wallet on the node: `sendtoaddress` pays from it. */
  buyerWalletUrl: z.string(),
});
export type SandboxCoin = z.output<typeof COIN>;

/** What scripts and tests may know of a running sandbox. They depend on the shape. */
const SANDBOX = z.object({
  baseUrl: z.string(),
  checkoutUrl: z.string(),
  databaseUrl: z.string(),
  merchantId: z.string(),
  apiKey: z.string(),
  dashboard: z.object({ url: z.string(), email: z.string(), password: z.string() }),
  webhook: z.object({ url: z.string(), secret: z.string() }),
  networks: z.object({
    ethereum: EVM.extend({ tokens: z.object({ USDC: TOKEN, USDT: TOKEN }) }),
    /** A second one, for money that goes to the wrong network. */
    polygon: EVM,
    /** Only where their node was found. */
    litecoin: COIN.optional(),
    bitcoin: COIN.optional(),
  }),
});
export type SandboxFile = z.output<typeof SANDBOX>;

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

/** @throws when no sandbox runs on this folder, or one of another version */
export function readSandboxFile(dataDir: string): SandboxFile {
  const path = pathIn(dataDir);
  const file = readOwnJson(path, SANDBOX);
  if (file) return file;
  const sandbox = existsSync(path) ? 'sandbox of this version' : 'sandbox';
  throw new Error(`No ${sandbox} is running on ${dataDir}. Start one with: npm start`);
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
