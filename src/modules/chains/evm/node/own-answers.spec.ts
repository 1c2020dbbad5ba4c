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
});
