import { changesBetween } from './changes.js';

describe('what changed', () => {
  it('is named by its path, with the value before and after', () => {
    const before = { name: 'Shop', terms: { ethereum: { depths: [null, 1], least: 0 } }, gone: true };
    const after = { name: 'Shop', terms: { ethereum: { depths: [2, 1], least: 500 } } };
    expect(changesBetween(before, after)).toEqual({
      'terms.ethereum.depths': [
        [null, 1],
        [2, 1],
      ],
      'terms.ethereum.least': [0, 500],
      gone: [true, null],
    });
  });

  it('is nothing when nothing did', () => {
    expect(changesBetween({ a: [1], b: { c: null } }, { a: [1], b: { c: null } })).toEqual({});
  });
});
