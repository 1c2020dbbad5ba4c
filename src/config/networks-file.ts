import { z } from 'zod';
import { messageOf } from '../kernel/error-fields.js';
import { judgeForeign, textLike } from '../kernel/foreign-json.js';
import { parseUrl } from '../kernel/text/parse-url.js';
import type { AssetConfig, Depth, NetworkConfig } from './config.types.js';
import { COUNTED_BLOCKS } from './depths.js';

/** Faster would only tire the node; slower than ten minutes, and a payment's window has passed unseen. */
const POLL_INTERVAL_MS = { min: 100, max: 600_000 };
const MOST_DECIMALS = 36;

const httpUrl = z.custom<string>(
  (value) => typeof value === 'string' && isHttpUrl(value),
  'must be an http(s) URL',
);
const seconds = z.custom<number>(isPositive, 'must be a number of seconds');
const depth = z.custom<Depth>(
  isDepth,
  `must be a number of blocks up to ${COUNTED_BLOCKS}, safe or finalized`,
);
const wholeNumber = (min: number, max: number) =>
  z.custom<number>(
    (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
    `must be a whole number from ${min} to ${max}`,
  );

const asset = z
  .object({
    symbol: textLike(/^[A-Z0-9]{2,12}$/, 'must be 2 to 12 capitals or digits'),
    decimals: wholeNumber(0, MOST_DECIMALS),
    contract: textLike(/^0x[0-9a-fA-F]{40}$/, "must be an address, or null for the network's coin")
      .nullable()
      .default(null),
    dust: textLike(/^\d{1,78}$/, 'must be a whole number of atoms, as text').default('1'),
  })
  .transform(({ dust, ...rest }): AssetConfig => ({ ...rest, dustAtoms: BigInt(dust) }));

const assets = z.array(asset).min(1, 'must list at least one asset').superRefine(mustBeTellable);

const network = z
  .object({
    id: textLike(/^[a-z][a-z0-9-]{1,31}$/, 'must be a short lower-case name'),
    name: z.string().min(1, 'must not be empty'),
    chainId: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    rpcUrl: httpUrl,
    secondRpcUrl: httpUrl.optional(),
    genesisHash: textLike(/^0x[0-9a-f]{64}$/, 'must be the hash of block 0, in lower case').optional(),
    finalityFallbackS: seconds.optional(),
    assets,
    confirmationDepth: depth.default(1),
    settlementDepths: z
      .tuple([depth, depth, depth, depth], 'must be four depths')
      .default(['safe', 'safe', 'finalized', 'finalized']),
    blockIntervalS: seconds,
    safeAfterS: seconds,
    finalizedAfterS: seconds,
    pollIntervalMs: wholeNumber(POLL_INTERVAL_MS.min, POLL_INTERVAL_MS.max).default(4_000),
    explorerTx: httpUrl.nullable().default(null),
  })
  .refine(({ rpcUrl, secondRpcUrl }) => rpcUrl !== secondRpcUrl, {
    path: ['secondRpcUrl'],
    error: 'must be the http(s) URL of another node',
  })
  .refine(({ finalityFallbackS, finalizedAfterS }) => (finalityFallbackS ?? Infinity) >= finalizedAfterS, {
    path: ['finalityFallbackS'],
    error: 'must be a number of seconds, and no fewer than finalizedAfterS',
  })
  .transform((read): NetworkConfig => ({ ...read, family: 'evm' }));

const tokens = z.object({
  tokensOf: z.string(),
  assets: assets.refine(
    (listed) => listed.every(({ contract }) => contract !== null),
    'must be tokens, each with its contract',
  ),
});

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
  const listed = parseJson(text, problems);
  if (!Array.isArray(listed)) {
    if (listed !== undefined) problems.push('NETWORKS_FILE must hold a JSON array');
    return [...configured];
  }
  const known = new Map(configured.map((network) => [network.id, network]));
  const added = listed.flatMap((item: unknown, index) => {
    const problem = (message: string) => problems.push(`NETWORKS_FILE, network ${index + 1}: ${message}`);
    if (typeof item === 'object' && item !== null && 'tokensOf' in item) {
      const more = valid(tokens, item, problem);
      const extended = more && withTokens(more, known, problem);
      if (extended) known.set(extended.id, extended);
      return [];
    }
    return valid(network, item, problem) ?? [];
  });
  return [...known.values(), ...added];
}

/** A parser's own words would quote the file, and its URLs hold keys: of them only the place is told. */
function parseJson(text: string, problems: string[]): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = /at position (\d+)/.exec(messageOf(error))?.[1];
    const line = position && text.slice(0, Number(position)).split('\n').length;
    problems.push(`NETWORKS_FILE is no JSON${line ? `: line ${line}` : ''}`);
    return undefined;
  }
}

function valid<Schema extends z.ZodType>(
  schema: Schema,
  item: unknown,
  problem: (message: string) => void,
): z.output<Schema> | undefined {
  const read = judgeForeign(schema, item);
  if ('value' in read) return read.value;
  read.problems.forEach(problem);
  return undefined;
}

/** Without a second entry for its chain, which would record each payment twice. */
function withTokens(
  { tokensOf, assets: listed }: z.output<typeof tokens>,
  known: ReadonlyMap<string, NetworkConfig>,
  problem: (message: string) => void,
): NetworkConfig | undefined {
  const extended = known.get(tokensOf);
  if (extended?.family !== 'evm') {
    problem('tokensOf must name an EVM network that is configured by its RPC URL');
    return undefined;
  }
  const all = [...extended.assets, ...listed];
  for (const message of confusions(all)) problem(`assets ${message}`);
  return { ...extended, assets: all };
}

/** A transfer must belong to exactly one asset, and a symbol name exactly one. */
function confusions(assets: readonly AssetConfig[]): string[] {
  const contracts = assets.flatMap(({ contract }) => contract?.toLowerCase() ?? []);
  return [
    ...(isUnique(assets.map(({ symbol }) => symbol)) ? [] : ['must not have the same symbol twice']),
    ...(isUnique(contracts) ? [] : ['must not have the same contract twice']),
    ...(assets.length - contracts.length <= 1
      ? []
      : ["must have at most one without a contract, the network's own coin"]),
  ];
}

function mustBeTellable(assets: readonly AssetConfig[], context: z.RefinementCtx): void {
  for (const message of confusions(assets)) context.addIssue(message);
}

export function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(parseUrl(text)?.protocol ?? '');
}

function isUnique(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function isDepth(value: unknown): boolean {
  if (value === 'safe' || value === 'finalized') return true;
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= COUNTED_BLOCKS;
}
