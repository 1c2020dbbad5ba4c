import fc from 'fast-check';
import { changedBlocks, type RestsAt, type Span } from './changed-blocks.js';

/** Balances by height: each address gains so much in each of its blocks. */
const gains = fc.dictionary(
  fc.constantFrom('0xa', '0xb', '0xc'),
  fc.dictionary(fc.integer({ min: 1, max: 200 }).map(String), fc.bigInt({ min: 1n, max: 9n }), {
    maxKeys: 5,
  }),
  { minKeys: 1 },
);
type Gains = Record<string, Record<string, bigint>>;

const TO = 200;
const heldAt = (of: Gains, address: string, height: number) =>
  Object.entries(of[address]!).reduce((sum, [at, atoms]) => (Number(at) <= height ? sum + atoms : sum), 0n);
const spansOf = (of: Gains, fromHeight = 0): Span[] =>
  Object.keys(of).map((address) => {
    return { address, fromHeight, before: heldAt(of, address, fromHeight), spentAt: [] };
  });
async function changed(spans: readonly Span[], restsAt: RestsAt, from = 0): Promise<number[]> {
  const found: number[] = [];
  for await (const { heights } of changedBlocks(spans, from, TO, restsAt)) found.push(...heights);
  return found;
}
/** Of every block that is asked for. */
const telling =
  (restsOf: (height: number) => readonly bigint[] | null): RestsAt =>
  (heights) =>
    Promise.resolve(heights.map(restsOf));
const heightsOf = (of: Gains) =>
  [...new Set(Object.values(of).flatMap((blocks) => Object.keys(blocks).map(Number)))].sort((a, b) => a - b);

describe('the blocks in which something changed', () => {
  it('are all of them, whoever gained in which', () =>
    fc.assert(
      fc.asyncProperty(gains, async (of) => {
        const restsAt = telling((height) => Object.keys(of).map((address) => heldAt(of, address, height)));
        expect(await changed(spansOf(of), restsAt)).toEqual(heightsOf(of));
      }),
    ));

  it('are those too in which came what its owner moved on, and in which it was moved on', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: TO }), { minLength: 1, maxLength: 8 }),
        fc.uniqueArray(fc.integer({ min: 1, max: TO }), { maxLength: 8 }),
        async (paidAt, spentAt) => {
          // Whatever has come is moved on at once.
          const lastSpent = (height: number) => Math.max(0, ...spentAt.filter((at) => at <= height));
          const held = (height: number) =>
            BigInt(paidAt.filter((at) => at <= height && at > lastSpent(height)).length);
          const restsAt = telling((height) => [held(height)]);
          const span = { address: '0xa', fromHeight: 0, before: 0n, spentAt };
          const found = await changed([span], restsAt);
          expect(found).toEqual([...new Set([...paidAt, ...spentAt])].sort((a, b) => a - b));
        },
      ),
    ));

  it('are never earlier than the change, where a node tells only of some blocks', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: TO }),
        fc.uniqueArray(fc.integer({ min: 1, max: TO }), { maxLength: TO }),
        async (height, pruned) => {
          const of = { '0xa': { [height]: 1n } };
          const restsAt = telling((at) => (pruned.includes(at) ? null : [heldAt(of, '0xa', at)]));
          const [found, ...others] = await changed(spansOf(of), restsAt);
          expect(others).toEqual([]);
          // What it does not tell of the last block is found after it.
          if (!pruned.includes(TO)) expect(found).toBeGreaterThanOrEqual(height);
          if (!pruned.some((at) => at >= height)) expect(found).toBe(height);
          expect(found === undefined || !pruned.includes(found)).toBe(true);
        },
      ),
    ));

  it('are looked for only after the block at which an address begins', async () => {
    const asked: number[] = [];
    const restsAt = telling((height) => {
      asked.push(height);
      return [height >= 150 ? 5n : 0n];
    });
    const span = { address: '0xa', fromHeight: 120, before: 0n, spentAt: [] };
    expect(await changed([span], restsAt)).toEqual([150]);
    expect(Math.min(...asked)).toBeGreaterThan(120);
  });

  it('are found from the first on, without asking what lies far behind it', async () => {
    const asked: number[] = [];
    const restsAt = telling((height) => {
      asked.push(height);
      return [BigInt(height)];
    });
    for await (const { upTo, heights } of changedBlocks(spansOf({ '0xa': {} }), 0, TO, restsAt)) {
      expect(heights).toHaveLength(upTo);
      break;
    }
    expect(Math.max(...asked)).toBeLessThan(TO / 10);
  });

  it('are none where nothing changed, and few are asked about', async () => {
    const asked: number[] = [];
    const restsAt = telling((height) => {
      asked.push(height);
      return [3n];
    });
    const span = { address: '0xa', fromHeight: 0, before: 3n, spentAt: [] };
    expect(await changed([span], restsAt)).toEqual([]);
    expect(asked.length).toBeLessThan(40);
    expect(
      await changed(
        [],
        telling(() => []),
      ),
    ).toEqual([]);
  });

  it('are all found in the end, each once, whatever a node leaves out for now', () =>
    fc.assert(
      fc.asyncProperty(gains, fc.infiniteStream(fc.integer({ min: 0, max: 16 })), async (of, most) => {
        const found: number[] = [];
        let from = 0;
        while (from < TO) {
          const tells: RestsAt = (heights) => {
            const told = heights.slice(0, most.next().value);
            return Promise.resolve(
              told.map((height) => Object.keys(of).map((address) => heldAt(of, address, height))),
            );
          };
          // As of the last block that was looked into.
          for await (const { upTo, heights } of changedBlocks(spansOf(of, from), from, TO, tells)) {
            found.push(...heights);
            from = upTo;
          }
        }
        expect(found).toEqual(heightsOf(of));
      }),
    ));
});
