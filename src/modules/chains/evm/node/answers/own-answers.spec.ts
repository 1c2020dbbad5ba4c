import { mustAnswerEach } from './own-answers.js';

const answers = (...ids: number[]) => JSON.stringify(ids.map((id) => ({ jsonrpc: '2.0', id, result: {} })));

describe('a batch', () => {
  it('is answered when each of its entries is, in whatever order', () => {
    expect(() => mustAnswerEach(['1', '2', '3'], answers(3, 1, 2))).not.toThrow();
  });

  it.each([
    ['twice', answers(1, 1, 2, 3)],
    ['not at all', answers(1, 3)],
    ['under the id of another', answers(1, 3, 3)],
  ])('is not answered when an entry is answered %s', (_, text) => {
    expect(() => mustAnswerEach(['1', '2', '3'], text)).toThrow('left out an entry of a batch');
  });

  it.each(['1', '9'])('is read no further once it has the id %s too often', (id) => {
    // With each id in memory these take a gigabyte and seconds.
    const text = `[${`"id":${id},`.repeat(5_000_000)}`;
    const before = process.memoryUsage().rss;
    expect(() => mustAnswerEach(['1', '2', '3'], text)).toThrow('left out an entry of a batch');
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });
});
