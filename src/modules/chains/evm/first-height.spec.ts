import { firstHeight } from './first-height.js';
import type { EvmHeader } from './node/evm-node.types.js';

describe('firstHeight', () => {
  const first = (height: number, finalizedHeight: number | null) =>
    firstHeight({ latest: { height } as EvmHeader, finalizedHeight }, 1_000);

  it('is that of the last final block', () => {
    expect(first(5_000, 4_936)).toBe(4_936);
  });

  it('is never below genesis', () => {
    expect(first(5, -1)).toBe(0);
    expect(first(5, null)).toBe(0);
  });

  it('is no further back than blocks are kept, where nothing has become final for long', () => {
    expect(first(5_000_000, 0)).toBe(4_999_000);
  });
});
