import type { NetworkConfig } from '../../../config/config.types.js';
import {
  closedAssets,
  type Coverage,
  freshForMs,
  isFinalityStalled,
  networkState,
  stuckAfterS,
  unwatchedOf,
} from './network-state.js';

const network = { blockIntervalS: 12 } as NetworkConfig;

describe('networkState', () => {
  it('is starting without a cursor', () => {
    expect(networkState(network, null)).toBe('starting');
  });

  it('is open at a fresh tip, and closes after five intervals or 30 s without one', () => {
    const at = (syncedAgoMs: number) => networkState(network, { height: 100, nodeHeight: 101, syncedAgoMs });
    expect(at(59_999)).toBe('open');
    expect(at(60_000)).toBe('lagging');
    expect(freshForMs({ blockIntervalS: 1 })).toBe(30_000);
    expect(freshForMs({ blockIntervalS: 600 })).toBe(120_000);
  });

  it('closes while it is behind its node', () => {
    const behind = (blocks: number) =>
      networkState(network, { height: 100, nodeHeight: 100 + blocks, syncedAgoMs: 0 });
    expect([5, 6].map(behind)).toEqual(['open', 'lagging']);
  });

  it('is disputed at once when a second node disagrees, and not for its silence alone', () => {
    const at = (crossCheck: 'agrees' | 'silent' | 'disagrees') =>
      networkState(network, { height: 100, nodeHeight: 100, syncedAgoMs: 0, crossCheck });
    expect([at('agrees'), at('silent'), at('disagrees')]).toEqual(['open', 'open', 'disputed']);
  });

  it('takes a node without a new block for 20 intervals for stuck', () => {
    expect([stuckAfterS({ blockIntervalS: 1 }), stuckAfterS({ blockIntervalS: 12 })]).toEqual([60, 240]);
  });
});

describe('finality', () => {
  const evm = { family: 'evm', finalizedAfterS: 960 } as NetworkConfig;
  const limitS = (of: NetworkConfig) => {
    const stalled = Array.from({ length: 20_000 }, (_, s) => s).find((s) => isFinalityStalled(of, s));
    return stalled === undefined ? null : stalled - 1;
  };

  it('stands still after twice the time that it takes, and half an hour at least', () => {
    expect(limitS(evm)).toBe(1_920);
    expect(limitS({ ...evm, finalizedAfterS: 10 })).toBe(1_800);
    expect(limitS({ ...evm, finalityFallbackS: 3_600 })).toBe(7_200);
  });

  it('does not while all is final, nor where depths are counted by us', () => {
    expect(isFinalityStalled(evm, null)).toBe(false);
    expect(limitS({ ...evm, family: 'bitcoin' })).toBeNull();
  });
});

describe('assets that nobody looks for', () => {
  const network = (id: string, ...symbols: string[]) => ({
    id,
    assets: symbols.map((symbol) => ({ symbol, decimals: 6, contract: null, dustAtoms: 0n })),
  });
  const of = (id: string, asset: string) => ({ network: id, asset });
  const networks = [network('ethereum', 'ETH', 'USDC'), network('base', 'ETH')];

  it('are those that are not configured, on their own network, and that no other instance watches', () => {
    const all = [of('ethereum', 'USDC'), of('base', 'USDC'), of('base', 'ETH'), of('polygon', 'POL')];
    expect(unwatchedOf(all, networks, [])).toEqual([of('base', 'USDC'), of('polygon', 'POL')]);
    expect(unwatchedOf(all, networks, [of('base', 'USDC'), of('polygon', 'USDC')])).toEqual([
      of('polygon', 'POL'),
    ]);
    expect(unwatchedOf(all, [], [])).toEqual(all);
    expect(unwatchedOf([of('base', 'POL')], networks, [of('polygon', 'POL')])).toEqual([of('base', 'POL')]);
  });

  it('are none of those that are configured here, whatever anybody else watches', () => {
    expect(unwatchedOf([of('ethereum', 'USDC'), of('ethereum', 'ETH')], networks, [])).toEqual([]);
    expect(unwatchedOf([], [], [])).toEqual([]);
  });
});

describe('assets that are not offered', () => {
  const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
  const coin = { symbol: 'ETH', decimals: 18, contract: null, dustAtoms: 0n };
  const token = { symbol: 'USDC', decimals: 6, contract: USDC, dustAtoms: 0n };
  const closed = (coverage: Partial<Coverage>) =>
    closedAssets([coin, token], {
      height: 100,
      covered: null,
      isCoinBlind: false,
      isCoinCrowded: false,
      ...coverage,
    });
  const seenTo = (native: number, usdc?: number) =>
    new Map([['native', native], ...(usdc === undefined ? [] : [[USDC.toLowerCase(), usdc] as const])]);

  it('are none while the cursor stands for all of them, or for nothing yet', () => {
    expect([closed({}), closed({ covered: seenTo(100, 100) }), closedAssets([coin], null)]).toEqual([
      {},
      {},
      {},
    ]);
  });

  it('are those whose own look is behind the cursor, or has not begun', () => {
    expect(closed({ covered: seenTo(100, 99) })).toEqual({ USDC: 'catching-up' });
    expect(closed({ covered: seenTo(100) })).toEqual({ USDC: 'catching-up' });
    expect(closed({ height: 0, covered: seenTo(0) })).toEqual({ USDC: 'catching-up' });
  });

  it('are coins, and no tokens, while no balances are told', () => {
    expect(closed({ isCoinBlind: true })).toEqual({ ETH: 'balances-unknown' });
    expect(closed({ isCoinBlind: true, covered: seenTo(99, 100) })).toEqual({ ETH: 'catching-up' });
  });

  it('are coins, and no tokens, while more addresses have open windows than are compared', () => {
    expect(closed({ isCoinCrowded: true })).toEqual({ ETH: 'too-many-addresses' });
    expect(closed({ isCoinCrowded: true, isCoinBlind: true })).toEqual({ ETH: 'balances-unknown' });
  });
});
