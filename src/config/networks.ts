import type { AssetConfig, BitcoinChain, NetworkConfig } from './config.types.js';
import { EVM_GENESIS } from './genesis.js';

type Preset = Omit<NetworkConfig, 'rpcUrl'>;

const coin = (symbol: string, dustAtoms: bigint): AssetConfig => ({
  symbol,
  decimals: 18,
  contract: null,
  dustAtoms,
});
const stablecoin = (symbol: string, contract: string): AssetConfig => ({
  symbol,
  decimals: 6,
  contract,
  dustAtoms: 10_000n, // a cent
});
const ETHER_DUST = 10_000_000_000_000n; // 0.00001 ETH: moving less costs more than it is worth

/** For rollups and side chains: their sequencer's word is not finality. */
const ROLLUP_DEPTHS = ['safe', 'safe', 'finalized', 'finalized'] as const;

const evm = (id: string, name: string, chainId: number) => ({ id, name, family: 'evm' as const, chainId });

const BITCOIN = { id: 'bitcoin', name: 'Bitcoin', family: 'bitcoin', chainId: null } as const;
const LITECOIN = { id: 'litecoin', name: 'Litecoin', family: 'litecoin', chainId: null } as const;
// The least that nodes relay to a P2WPKH output: measured, 293 and 2,939 are refused. Litecoin's dust fee is tenfold.
const BTC: AssetConfig = { symbol: 'BTC', decimals: 8, contract: null, dustAtoms: 294n };
const LTC: AssetConfig = { symbol: 'LTC', decimals: 8, contract: null, dustAtoms: 2_940n };

/** Blocks of proof of work have no finality but depth, so no depth of theirs is a tag and these are never shown. */
const NO_TAGS = { safeAfterS: 0, finalizedAfterS: 0 } as const;

/**
 * Networks that need nothing but an RPC address (`ETHEREUM_RPC_URL`, …). Contracts are the issuers' own
 * (native USDC, never the bridged USDC.e).
 */
export const PRESETS: readonly Preset[] = [
  {
    ...evm('ethereum', 'Ethereum', 1),
    genesisHash: EVM_GENESIS.ethereum,
    assets: [
      coin('ETH', ETHER_DUST),
      stablecoin('USDC', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
      stablecoin('USDT', '0xdAC17F958D2ee523a2206206994597C13D831ec7'),
      stablecoin('EURC', '0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c'),
    ],
    confirmationDepth: 1,
    settlementDepths: [12, 32, 'finalized', 'finalized'],
    blockIntervalS: 12,
    safeAfterS: 420,
    finalizedAfterS: 960,
    pollIntervalMs: 4_000,
    explorerTx: 'https://etherscan.io/tx/{txid}',
  },
  {
    ...evm('base', 'Base', 8453),
    genesisHash: EVM_GENESIS.base,
    assets: [
      coin('ETH', ETHER_DUST),
      stablecoin('USDC', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
      stablecoin('EURC', '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42'),
    ],
    confirmationDepth: 1,
    settlementDepths: ROLLUP_DEPTHS,
    blockIntervalS: 2,
    safeAfterS: 180,
    finalizedAfterS: 1_200,
    pollIntervalMs: 2_000,
    explorerTx: 'https://basescan.org/tx/{txid}',
  },
  {
    ...evm('polygon', 'Polygon', 137),
    genesisHash: EVM_GENESIS.polygon,
    assets: [
      coin('POL', 10_000_000_000_000_000n),
      stablecoin('USDC', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
      stablecoin('USDT', '0xc2132D05D31c914a87C6611C10748AEb04B58e8F'),
    ],
    confirmationDepth: 1,
    settlementDepths: ROLLUP_DEPTHS,
    blockIntervalS: 2,
    safeAfterS: 10,
    finalizedAfterS: 10,
    pollIntervalMs: 2_000,
    explorerTx: 'https://polygonscan.com/tx/{txid}',
  },
  {
    ...evm('arbitrum', 'Arbitrum', 42161),
    genesisHash: EVM_GENESIS.arbitrum,
    assets: [
      coin('ETH', ETHER_DUST),
      stablecoin('USDC', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'),
      stablecoin('USDT', '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'),
    ],
    confirmationDepth: 1,
    settlementDepths: ROLLUP_DEPTHS,
    blockIntervalS: 1,
    safeAfterS: 600,
    finalizedAfterS: 1_200,
    pollIntervalMs: 2_000,
    explorerTx: 'https://arbiscan.io/tx/{txid}',
  },
  {
    ...BITCOIN,
    ...NO_TAGS,
    chain: 'main',
    assets: [BTC],
    confirmationDepth: 1,
    settlementDepths: [1, 2, 3, 6],
    blockIntervalS: 600,
    pollIntervalMs: 2_000,
    explorerTx: 'https://mempool.space/tx/{txid}',
  },
  {
    ...LITECOIN,
    ...NO_TAGS,
    chain: 'main',
    assets: [LTC],
    confirmationDepth: 1,
    settlementDepths: [3, 6, 12, 24],
    blockIntervalS: 150,
    pollIntervalMs: 2_000,
    explorerTx: 'https://litecoinspace.org/tx/{txid}',
  },
];

/** The sandbox's chain: one block a second, final after eight, so that anything settles within a minute. */
export function sandboxEthereum(
  rpcUrl: string,
  tokens: { readonly USDC: string; readonly USDT: string },
): NetworkConfig {
  return {
    ...evm('ethereum', 'Ethereum', 31337),
    rpcUrl,
    assets: [coin('ETH', ETHER_DUST), stablecoin('USDC', tokens.USDC), stablecoin('USDT', tokens.USDT)],
    confirmationDepth: 1,
    settlementDepths: [3, 6, 'finalized', 'finalized'],
    blockIntervalS: 1,
    safeAfterS: 4,
    finalizedAfterS: 8,
    pollIntervalMs: 250,
    explorerTx: null,
  };
}

/**
 * A second local chain, so that money can go to the wrong one. The same depths in seconds as the first, with half
 * the blocks: it is there to be missed, and costs less so.
 */
export function sandboxPolygon(rpcUrl: string, tokens: { readonly USDC: string }): NetworkConfig {
  return {
    ...evm('polygon', 'Polygon', 31338),
    rpcUrl,
    assets: [coin('POL', 10_000_000_000_000_000n), stablecoin('USDC', tokens.USDC)],
    confirmationDepth: 1,
    settlementDepths: [2, 3, 'finalized', 'finalized'],
    blockIntervalS: 2,
    safeAfterS: 4,
    finalizedAfterS: 8,
    pollIntervalMs: 500,
    explorerTx: null,
  };
}

/** A local Bitcoin-like node that mines every two seconds: six blocks are twelve seconds. */
const SANDBOX_BLOCKS = {
  ...NO_TAGS,
  chain: 'regtest' satisfies BitcoinChain,
  isOffline: true,
  confirmationDepth: 1,
  settlementDepths: [2, 3, 6, 6],
  blockIntervalS: 2,
  pollIntervalMs: 500,
  explorerTx: null,
} as const;

export function sandboxBitcoin(rpcUrl: string): NetworkConfig {
  return { ...BITCOIN, ...SANDBOX_BLOCKS, rpcUrl, assets: [BTC] };
}

export function sandboxLitecoin(rpcUrl: string): NetworkConfig {
  return { ...LITECOIN, ...SANDBOX_BLOCKS, rpcUrl, assets: [LTC] };
}
