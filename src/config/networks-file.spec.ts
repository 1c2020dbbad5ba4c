import { PRESETS } from './networks.js';
import { parseNetworks } from './networks-file.js';

const USDC = { symbol: 'USDC', decimals: 6, contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' };
const ETH = { symbol: 'ETH', decimals: 18 };
const GOOD = {
  id: 'optimism',
  name: 'Optimism',
  chainId: 10,
  rpcUrl: 'https://node.example.com',
  assets: [ETH, USDC],
  blockIntervalS: 2,
  safeAfterS: 180,
  finalizedAfterS: 1200,
};

function problemsOf(...items: unknown[]): string[] {
  const problems: string[] = [];
  parseNetworks(JSON.stringify(items), problems);
  return problems;
}

it('takes a network with everything that it must say, and the defaults for the rest', () => {
  const problems: string[] = [];
  expect(parseNetworks(JSON.stringify([GOOD]), problems)).toMatchObject([
    { id: 'optimism', confirmationDepth: 1, pollIntervalMs: 4_000, assets: [{ contract: null }, USDC] },
  ]);
  expect(problems).toEqual([]);
});

it.each([
  ['pollIntervalMs must be', { pollIntervalMs: 99 }],
  ['pollIntervalMs must be', { pollIntervalMs: '4000' }],
  ['pollIntervalMs must be', { pollIntervalMs: 2 ** 31 }],
  ['confirmationDepth must be', { confirmationDepth: 0 }],
  ['confirmationDepth must be', { confirmationDepth: 'latest' }],
  ['genesisHash must be', { genesisHash: '0x12' }],
  ['finalityFallbackS must be', { finalityFallbackS: 1199 }],
  ['rpcUrl must be', { rpcUrl: 'ws://node.example.com' }],
  ['rpcUrl must be', { rpcUrl: 'file:///etc/passwd' }],
  ['the same symbol', { assets: [USDC, { ...USDC, contract: `0x${'1'.repeat(40)}` }] }],
  [
    'the same contract',
    { assets: [USDC, { ...USDC, symbol: 'USD', contract: USDC.contract.toLowerCase() }] },
  ],
  ['at most one without a contract', { assets: [ETH, { ...ETH, symbol: 'WEI' }] }],
  ['assets\\[0\\] must be an object', { assets: [null] }],
  ['assets must list', { assets: [] }],
  ['assets\\[1\\].dust must be', { assets: [ETH, { ...USDC, dust: 10_000 }] }],
  ['explorerTx must be', { explorerTx: 'javascript:alert(1)' }],
])('refuses a file with the reason that %s: %j', (reason, changes) => {
  expect(problemsOf({ ...GOOD, ...changes })).toEqual([
    expect.stringMatching(`^NETWORKS_FILE, network 1: .*${reason}`),
  ]);
});

it('refuses what is no network at all, and names which', () => {
  expect(problemsOf(GOOD, null)).toEqual(['NETWORKS_FILE, network 2: must be an object']);
});

it('says everything that is wrong at once, each by its place', () => {
  const { chainId: _, ...rest } = GOOD;
  const bad = {
    ...rest,
    rpcUrl: 'ftp://key@node',
    assets: [ETH, { ...USDC, decimals: '6', contract: '0x' }],
  };
  expect(problemsOf(bad, { ...GOOD, settlementDepths: [1, 'safe', 'soon', 0] })).toEqual([
    'NETWORKS_FILE, network 1: chainId must be a whole number from 1 to 9007199254740991',
    'NETWORKS_FILE, network 1: rpcUrl must be an http(s) URL',
    'NETWORKS_FILE, network 1: assets[1].decimals must be a whole number from 0 to 36',
    "NETWORKS_FILE, network 1: assets[1].contract must be an address, or null for the network's coin",
    'NETWORKS_FILE, network 2: settlementDepths[2] must be a number of blocks up to 100, safe or finalized',
    'NETWORKS_FILE, network 2: settlementDepths[3] must be a number of blocks up to 100, safe or finalized',
  ]);
});

it('names the line of what is no JSON, and quotes nothing of it', () => {
  const problems: string[] = [];
  parseNetworks('[{\n"rpcUrl": "https://node.example.com/secret" "id": 1}]', problems);
  expect(problems).toEqual(['NETWORKS_FILE is no JSON: line 2']);
});

describe('tokens for a network that is configured', () => {
  const base = { ...PRESETS.find(({ id }) => id === 'base')!, rpcUrl: 'https://node.example.com' };
  const bitcoin = { ...PRESETS.find(({ id }) => id === 'bitcoin')!, rpcUrl: 'https://coin.example.com' };
  const DAI = { symbol: 'DAI', decimals: 18, contract: '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb' };
  const parse = (...items: unknown[]) => {
    const problems: string[] = [];
    const networks = parseNetworks(JSON.stringify(items), problems, [base, bitcoin]);
    return { problems, networks };
  };

  it('are added to those of the preset, beside new networks', () => {
    const { problems, networks } = parse({ tokensOf: 'base', assets: [DAI] }, GOOD);
    expect(problems).toEqual([]);
    expect(networks.map(({ id, assets }) => [id, assets.map(({ symbol }) => symbol)])).toEqual([
      ['base', ['ETH', 'USDC', 'EURC', 'DAI']],
      ['bitcoin', ['BTC']],
      ['optimism', ['ETH', 'USDC']],
    ]);
    expect(networks[0]).toMatchObject({ chainId: 8453, rpcUrl: base.rpcUrl });
  });

  it.each([
    ['tokensOf must name', { tokensOf: 'polygon', assets: [DAI] }],
    ['tokensOf must name', { tokensOf: 'bitcoin', assets: [DAI] }],
    ['the same symbol', { tokensOf: 'base', assets: [{ ...DAI, symbol: 'USDC' }] }],
    ['the same contract', { tokensOf: 'base', assets: [DAI, { ...DAI, symbol: 'DAI2' }] }],
    ['each with its contract', { tokensOf: 'base', assets: [{ symbol: 'GAS', decimals: 18 }] }],
    ['assets is missing', { tokensOf: 'base' }],
  ])('are refused with the reason that %s: %j', (reason, item) => {
    expect(parse(item).problems.join()).toMatch(reason);
  });
});
