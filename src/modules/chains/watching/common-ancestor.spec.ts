import { commonAncestor } from './common-ancestor.js';
import type { ChainBlock } from './must-be-chained.js';

const block = (height: number, hash: string, parentHash: string): ChainBlock => ({
  height,
  hash,
  parentHash,
  time: new Date(0),
});
const ours = (height: number) => block(height, `ours ${height}`, `ours ${height - 1}`);
const STORED = Array.from({ length: 20 }, (_, i) => ({ height: 100 - i, hash: `ours ${100 - i}` }));
const TIP = block(95, 'theirs 95', 'ours 94');
/** Of a node that has announced this tip. @param above what it tells of higher blocks */
const ancestor = (above: Record<number, ChainBlock | null>, tip = TIP) =>
  commonAncestor(
    {
      blocks: () => Promise.resolve([tip]),
      header: (height) =>
        Promise.resolve(height > tip.height ? (above[height] ?? null) : height === 95 ? TIP : ours(height)),
    },
    STORED,
    tip,
  );
const next = (height: number) => block(height, `theirs ${height}`, `theirs ${height - 1}`);

it('is below the tip of a node that went back to a shorter chain', async () => {
  await expect(ancestor({})).resolves.toEqual(ours(94));
});

it('is the same where the node has gone on since it announced its tip', async () => {
  await expect(ancestor({ 96: next(96), 97: next(97) })).resolves.toEqual(ours(94));
});

it.each([
  ['tells one of ours above the tip that it announced', { 99: ours(99) }, 'still tells our block 99'],
  ['denies a block below one that it tells', { 98: next(98), 96: next(96) }, 'has no block 97'],
  ['tells blocks that do not follow its tip', { 96: block(96, 'x', 'y') }, 'block 96 does not follow'],
])('is nothing of a node that %s', async (_what, above, reason) => {
  await expect(ancestor(above)).rejects.toThrow(reason);
});
