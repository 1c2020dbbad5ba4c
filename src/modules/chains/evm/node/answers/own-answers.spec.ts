import { mustAnswerEach } from './own-answers.js';

const answers = (...ids: number[]): unknown[] => ids.map((id) => ({ jsonrpc: '2.0', id, result: {} }));
const asked = (...ids: number[]) => ids.map((id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' }));

describe('a batch', () => {
  it('is answered when each of its entries is, in whatever order', () => {
    expect(() => mustAnswerEach(asked(1, 2, 3), answers(3, 1, 2))).not.toThrow();
  });

  it.each([
    ['twice', answers(1, 1, 2, 3)],
    ['not at all', answers(1, 3)],
    ['under the id of another', answers(1, 3, 3)],
  ])('is not answered when an entry is answered %s', (_, told) => {
    expect(() => mustAnswerEach(asked(1, 2, 3), told)).toThrow('left out an entry of a batch');
  });

  it.each([
    ['twice', answers(1, 1, 2, 3)],
    ['for nothing that was asked', [...answers(1, 2, 3), { id: null, error: { code: 1, message: 'x' } }]],
    ['by nothing', [null, 7, 'x']],
  ])('is not answered when something is answered %s', (_, told) => {
    expect(() => mustAnswerEach(asked(1, 2, 3), told)).toThrow('left out an entry of a batch');
  });

  it('is answered by ids that are texts', () => {
    expect(() => mustAnswerEach(asked(1, 2), [{ id: '2' }, { id: '1' }])).not.toThrow();
  });
});
