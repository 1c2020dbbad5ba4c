import type { NetworkConfig } from '../../../config/config.types.js';
import { freshForMs, networkState, stuckAfterS } from './network-state.js';

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
