import type { AssetConfig, Depth, NetworkConfig } from './config.types.js';
import { parseUrl } from '../kernel/parse-url.js';

const ID = /^[a-z][a-z0-9-]{1,31}$/;
const SYMBOL = /^[A-Z0-9]{2,12}$/;
const CONTRACT = /^0x[0-9a-fA-F]{40}$/;
const HASH = /^0x[0-9a-f]{64}$/;

/** Faster would only tire the node; slower than ten minutes, and a payment's window has passed unseen. */
const POLL_INTERVAL_MS = { min: 100, max: 600_000 };

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads `NETWORKS_FILE`: a JSON array of EVM networks in the shape of `NetworkConfig`. Optional: `explorerTx`,
 * `secondRpcUrl`, `pollIntervalMs`, `confirmationDepth` (1), `settlementDepths` (safe, safe, finalized, finalized),
 * `genesisHash`, `finalityFallbackS`.
 * Decimals have no default: USDC has 6 on Ethereum and 18 on BNB Chain, and guessing costs money.
 * An entry `{ tokensOf, assets }` adds tokens to one of the networks that are configured already.
 * @returns those, with what was added, and the new ones
 */
export function parseNetworks(
  text: string,
  problems: string[],
  configured: readonly NetworkConfig[] = [],
): NetworkConfig[] {
  const parsed: unknown = JSON.parse(text);
  if (!Array.isArray(parsed)) {
    problems.push('NETWORKS_FILE must hold a JSON array');
    return [...configured];
  }
  const known = new Map(configured.map((network) => [network.id, network]));
  const added = parsed.flatMap((item: unknown, index) => {
    const before = problems.length;
    const problem = (message: string) => problems.push(`NETWORKS_FILE, network ${index + 1}: ${message}`);
    if (!isObject(item)) {
      problem('must be an object');
      return [];
    }
    if ('tokensOf' in item) {
      const extended = withTokens(item, known, problem);
      if (extended) known.set(extended.id, extended);
      return [];
    }
    const network = parseNetwork(item, problem);
    return problems.length === before ? [network] : [];
  });
  return [...known.values(), ...added];
}

/** Without a second entry for its chain, which would record each payment twice. */
function withTokens(
  item: Json,
  known: ReadonlyMap<string, NetworkConfig>,
  problem: (message: string) => void,
): NetworkConfig | undefined {
  const network = known.get(String(item['tokensOf']));
  if (network?.family !== 'evm') {
    problem('tokensOf must name an EVM network that is configured by its RPC URL');
    return undefined;
  }
  const listed = assetsOf(item, problem);
  if (listed.some(({ contract }) => contract === null))
    problem('tokensOf adds tokens, each with its contract');
  const assets = [...network.assets, ...listed];
  checkTogether(assets, (ok, message) => ok || problem(message));
  return { ...network, assets };
}

function assetsOf(item: Json, problem: (message: string) => void): AssetConfig[] {
  const listed: unknown[] = Array.isArray(item['assets']) ? item['assets'] : [];
  if (listed.length === 0 || !listed.every(isObject)) problem('assets must list at least one asset');
  return listed.filter(isObject).map((asset) => parseAsset(asset, problem));
}

function parseNetwork(item: Json, problem: (message: string) => void): NetworkConfig {
  const check = (ok: boolean, message: string) => ok || problem(message);
  check(typeof item['id'] === 'string' && ID.test(item['id']), 'id must be a short lower-case name');
  check(typeof item['name'] === 'string' && item['name'] !== '', 'name is required');
  check(
    Number.isSafeInteger(item['chainId']) && Number(item['chainId']) > 0,
    'chainId must be a positive integer',
  );
  check(typeof item['rpcUrl'] === 'string' && isHttpUrl(item['rpcUrl']), 'rpcUrl must be an http(s) URL');
  const { secondRpcUrl } = item;
  check(
    secondRpcUrl === undefined ||
      (typeof secondRpcUrl === 'string' && isHttpUrl(secondRpcUrl) && secondRpcUrl !== item['rpcUrl']),
    'secondRpcUrl must be the http(s) URL of another node',
  );
  const seconds = ['blockIntervalS', 'safeAfterS', 'finalizedAfterS'] as const;
  for (const name of seconds) check(isPositive(item[name]), `${name} must be a number of seconds`);
  const { genesisHash, finalityFallbackS } = item;
  check(
    genesisHash === undefined || (typeof genesisHash === 'string' && HASH.test(genesisHash)),
    'genesisHash must be the hash of block 0, in lower case',
  );
  check(
    finalityFallbackS === undefined ||
      (isPositive(finalityFallbackS) && Number(finalityFallbackS) >= Number(item['finalizedAfterS'])),
    'finalityFallbackS must be a number of seconds, and no fewer than finalizedAfterS',
  );
  const depths = (item['settlementDepths'] ?? ['safe', 'safe', 'finalized', 'finalized']) as Depth[];
  check(
    Array.isArray(depths) && depths.length === 4 && depths.every(isDepth),
    'settlementDepths must be four depths',
  );
  const { confirmationDepth = 1, pollIntervalMs = 4_000 } = item;
  check(isDepth(confirmationDepth), 'confirmationDepth must be a number of blocks, safe or finalized');
  const { min, max } = POLL_INTERVAL_MS;
  check(
    Number.isSafeInteger(pollIntervalMs) && Number(pollIntervalMs) >= min && Number(pollIntervalMs) <= max,
    `pollIntervalMs must be a whole number from ${min} to ${max}`,
  );
  const assets = assetsOf(item, problem);
  checkTogether(assets, check);
  return {
    id: item['id'] as string,
    name: item['name'] as string,
    family: 'evm',
    chainId: item['chainId'] as number,
    rpcUrl: item['rpcUrl'] as string,
    ...(secondRpcUrl === undefined ? {} : { secondRpcUrl: secondRpcUrl as string }),
    ...(genesisHash === undefined ? {} : { genesisHash: genesisHash as string }),
    ...(finalityFallbackS === undefined ? {} : { finalityFallbackS: finalityFallbackS as number }),
    assets,
    confirmationDepth: confirmationDepth as Depth,
    settlementDepths: [depths[0]!, depths[1]!, depths[2]!, depths[3]!],
    blockIntervalS: item['blockIntervalS'] as number,
    safeAfterS: item['safeAfterS'] as number,
    finalizedAfterS: item['finalizedAfterS'] as number,
    pollIntervalMs: pollIntervalMs as number,
    explorerTx: (item['explorerTx'] ?? null) as string | null,
  };
}

/** A transfer must belong to exactly one asset, and a symbol name exactly one. */
function checkTogether(
  assets: readonly AssetConfig[],
  check: (ok: boolean, message: string) => unknown,
): void {
  const contracts = assets.flatMap(({ contract }) =>
    typeof contract === 'string' ? [contract.toLowerCase()] : [],
  );
  const coins = assets.filter(({ contract }) => contract === null);
  check(isUnique(assets.map(({ symbol }) => symbol)), 'two assets have the same symbol');
  check(isUnique(contracts), 'two assets have the same contract');
  check(coins.length <= 1, "at most one asset is the network's own coin (contract null)");
}

function parseAsset(item: Json, problem: (message: string) => void): AssetConfig {
  const { symbol, decimals, contract = null, dust = '1' } = item;
  if (typeof symbol !== 'string' || !SYMBOL.test(symbol)) problem('an asset needs a symbol of capitals');
  if (!Number.isInteger(decimals) || Number(decimals) < 0 || Number(decimals) > 36) {
    problem(`asset ${String(symbol)} needs its decimals`);
  }
  if (contract !== null && !(typeof contract === 'string' && CONTRACT.test(contract))) {
    problem(`asset ${String(symbol)}: contract must be an address, or null for the network's coin`);
  }
  const dustAtoms = typeof dust === 'string' && /^\d+$/.test(dust) ? BigInt(dust) : 1n;
  return {
    symbol: symbol as string,
    decimals: decimals as number,
    contract: contract as string | null,
    dustAtoms,
  };
}

export function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(parseUrl(text)?.protocol ?? '');
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isUnique(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function isDepth(value: unknown): boolean {
  return value === 'safe' || value === 'finalized' || (Number.isSafeInteger(value) && Number(value) > 0);
}
