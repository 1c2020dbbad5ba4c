import { priceAt } from '../../../../../test/support/intents/amount.js';
import type { NetworkConfig } from '../../../../config/config.types.js';
import { expectedWaitS } from '../../../../config/depths.js';
import { PRESETS, sandboxEthereum } from '../../../../config/networks.js';
import { settlementDepth } from '../../domain/quoting.js';
import { judgeOption } from './options.js';

const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const tiered: NetworkConfig = {
  ...sandboxEthereum('http://127.0.0.1:1', { USDC: TOKEN, USDT: TOKEN }),
  settlementDepths: [2, 6, 'safe', 'finalized'],
  blockIntervalS: 10,
  safeAfterS: 300,
  finalizedAfterS: 900,
};

describe('the depth at which a payment is settled', () => {
  it.each([
    [1n, 2, 25],
    [99_99n, 2, 25],
    [100_00n, 6, 65],
    [999_99n, 6, 65],
    [1_000_00n, 'safe', 300],
    [9_999_99n, 'safe', 300],
    [10_000_00n, 'finalized', 900],
    [999_999_99n, 'finalized', 900],
  ] as const)('is that of its tier: %s minor units wait for %s, %s s', (amountMinor, depth, waitS) => {
    expect(settlementDepth(tiered, amountMinor)).toBe(depth);
    expect(expectedWaitS(tiered, depth)).toBe(waitS);
    const rate = { rate: null, networkOpen: true, walletSearched: true, spreadBps: 0, minimumMinor: 0 };
    expect(judgeOption(amountMinor, tiered, tiered.assets[0]!, rate).expectedSettleS).toBe(waitS);
  });

  it.each(PRESETS.map((preset) => [preset.id, preset] as const))(
    'never falls with the amount, and so never its waiting time: %s',
    (_id, preset) => {
      const waits = preset.settlementDepths.map((depth) => expectedWaitS(preset as NetworkConfig, depth));
      expect([...waits].sort((a, b) => a - b)).toEqual(waits);
      expect(waits[0]).toBeGreaterThan(0);
    },
  );
});

describe('an option', () => {
  const usdc = tiered.assets.find(({ symbol }) => symbol === 'USDC')!;
  const rate = {
    asset: 'USDC',
    currency: 'CHF',
    price: priceAt('0.8'),
    sources: [],
    at: new Date(0),
  } as never;
  const open = { rate, networkOpen: true, walletSearched: true, spreadBps: 0, minimumMinor: 500 };
  const closed = (amountMinor: bigint, given: object, asset = usdc) =>
    judgeOption(amountMinor, tiered, asset, { ...open, ...given }).closed;

  it('is open with a fresh rate, on a network that is watched, from the merchant’s minimum on', () => {
    expect([closed(500n, {}), closed(499n, {})]).toEqual([null, 'below_minimum']);
    expect(judgeOption(800n, tiered, usdc, open).amountAtoms).toBe(10_000_000n);
  });

  it('is closed without a rate, and says so rather than guess an amount', () => {
    expect(judgeOption(500n, tiered, usdc, { ...open, rate: null })).toMatchObject({
      amountAtoms: null,
      closed: 'no_rate',
    });
  });

  it('names the network first, whatever else is wrong', () => {
    for (const given of [{}, { rate: null }, { minimumMinor: 1_000 }]) {
      expect(closed(500n, { ...given, networkOpen: false })).toBe('network_unavailable');
      expect(closed(500n, { ...given, walletSearched: false })).toBe('wallet_unsearched');
    }
    expect(closed(500n, { networkOpen: false, walletSearched: false })).toBe('network_unavailable');
  });

  it('is closed for less than the asset’s dust, and open for exactly as much', () => {
    const [exact, more] = [6_250_000n, 6_250_001n].map((dustAtoms) => ({ ...usdc, dustAtoms }));
    expect([closed(500n, {}, exact), closed(500n, {}, more)]).toEqual([null, 'below_minimum']);
  });

  it('asks for more by the merchant’s spread', () => {
    expect(judgeOption(800n, tiered, usdc, { ...open, spreadBps: 100 }).amountAtoms).toBeGreaterThan(
      10_000_000n,
    );
  });
});
