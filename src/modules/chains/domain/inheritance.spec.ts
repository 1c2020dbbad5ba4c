import { supersede, type RivalPair } from './inheritance.js';

const pair = (loserId: string, winnerTxid: string, given: Partial<RivalPair> = {}): RivalPair => ({
  ...{ loserId, winnerTxid, winnerId: `tr_${winnerTxid}`, bequeaths: true },
  ...given,
});

describe('what takes the place of other money', () => {
  it('stands for all that it replaced', () => {
    expect(supersede([pair('a', 'w'), pair('b', 'w')])).toEqual({
      losers: [
        { id: 'a', replacedBy: 'w' },
        { id: 'b', replacedBy: 'w' },
      ],
      heirs: [
        { id: 'tr_w', loserId: 'a' },
        { id: 'tr_w', loserId: 'b' },
      ],
    });
  });

  it('does so in each of its outputs', () => {
    const outputs = ['one', 'two'].map((winnerId) => pair('a', 'w', { winnerId }));
    expect(supersede(outputs)).toEqual({
      losers: [{ id: 'a', replacedBy: 'w' }],
      heirs: [
        { id: 'one', loserId: 'a' },
        { id: 'two', loserId: 'a' },
      ],
    });
  });

  it('is one transaction only, when two spend coins of what was lost', () => {
    expect(supersede([pair('a', 'w'), pair('a', 'v'), pair('b', 'v')])).toEqual({
      losers: [
        { id: 'a', replacedBy: 'w' },
        { id: 'b', replacedBy: 'v' },
      ],
      heirs: [
        { id: 'tr_w', loserId: 'a' },
        { id: 'tr_v', loserId: 'b' },
      ],
    });
  });

  it('stands for nothing that was long gone, or that something else had taken the place of', () => {
    expect(supersede([pair('a', 'w', { bequeaths: false })])).toEqual({
      losers: [{ id: 'a', replacedBy: 'w' }],
      heirs: [],
    });
  });

  it('is nobody where a transaction is back and pays this no more', () => {
    expect(supersede([pair('a', 'own', { winnerId: null })])).toEqual({
      losers: [{ id: 'a', replacedBy: 'own' }],
      heirs: [],
    });
  });
});
