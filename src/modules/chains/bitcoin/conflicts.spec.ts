import type { BitcoinBlock } from './bitcoin-node.types.js';
import { conflictsIn, listsAny, mempoolChanges, type Outstanding } from './conflicts.js';

const block = (hash: string, ...transactions: [txid: string, ...spends: string[]][]): BitcoinBlock => ({
  hash,
  height: 1,
  time: new Date(0),
  parentHash: '',
  transactions: transactions.map(([txid, ...spends]) => ({
    txid,
    spends,
    inputKeys: [],
    isCoinbase: false,
    outputs: [],
  })),
});
const transfer = (id: string, state: Outstanding['state'], ...spends: string[]): Outstanding => ({
  id,
  txid: `tx_${id}`,
  state,
  spends,
});

describe('conflictsIn', () => {
  it('finds another transaction that spends one of the inputs, in the first block that has one', () => {
    const ours = [transfer('a', 'mempool', 'x:0', 'y:1'), transfer('b', 'orphaned', 'z:0')];
    const blocks = [
      block('1', ['other', 'q:0']),
      block('2', ['thief', 'q:1', 'y:1']),
      block('3', ['late', 'x:0']),
    ];
    expect(conflictsIn(blocks, ours)).toEqual([{ id: 'a', txid: 'thief', blockHash: '2' }]);
  });

  it('takes the transaction itself for no conflict, and the same output of another number neither', () => {
    expect(
      conflictsIn([block('1', ['tx_a', 'x:0'], ['other', 'x:1'])], [transfer('a', 'mempool', 'x:0')]),
    ).toEqual([]);
  });

  it('finds all transfers of a transaction with several outputs to us', () => {
    const ours = [transfer('a', 'mempool', 'x:0'), transfer('b', 'mempool', 'x:0')];
    expect(conflictsIn([block('1', ['thief', 'x:0'])], ours).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('knows what a transaction spends from one of its transfers', () => {
    const ours = [
      { ...transfer('a1', 'mempool'), txid: 'tx_a' },
      { ...transfer('a2', 'mempool', 'x:0', 'y:0'), txid: 'tx_a' },
    ];
    expect(conflictsIn([block('1', ['tx_a', 'x:0', 'y:0'], ['thief', 'y:0', 'x:0'])], ours)).toEqual([
      { id: 'a1', txid: 'thief', blockHash: '1' },
      { id: 'a2', txid: 'thief', blockHash: '1' },
    ]);
  });
});

describe('mempoolChanges', () => {
  it('tells who left and who is back, and nothing about the rest', () => {
    const ours = [
      transfer('stays', 'mempool'),
      transfer('left', 'mempool'),
      transfer('back', 'orphaned'),
      transfer('away', 'orphaned'),
    ];
    expect(mempoolChanges(new Set(['tx_stays', 'tx_back', 'tx_foreign']), ours)).toEqual({
      left: ['left'],
      returned: ['back'],
    });
  });
});

describe('listsAny', () => {
  const listed = Array.from({ length: 1_000 }, (_, i) => `tx_${i}`);

  it('finds one of many in a list', () => {
    expect(listsAny(listed, ['other', 'tx_999'])).toBe(true);
    expect(listsAny(listed, ['other', 'tx_1000'])).toBe(false);
    expect(listsAny(listed, [])).toBe(false);
  });

  it('goes through the list once, however many are looked for', () => {
    let looks = 0;
    const counted = new Proxy(listed, {
      get(list, at, self): unknown {
        if (/^\d+$/.test(String(at))) looks += 1;
        return Reflect.get(list, at, self);
      },
    });
    const sought = Array.from({ length: 50 }, (_, i) => `other_${i}`);
    expect(listsAny(counted, sought)).toBe(false);
    expect(looks).toBe(listed.length);
  });
});
