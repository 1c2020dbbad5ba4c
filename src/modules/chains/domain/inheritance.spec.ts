import { portionsOf, supersede, type Loser, type Rival } from './inheritance.js';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 8, minute));
/** We see what happens a minute later. */
const part = (atoms: bigint, minute: number) => ({ atoms, at: at(minute), seenAt: at(minute + 1) });
const rival = (id: string, atoms: bigint, minute: number, given: Partial<Rival> = {}): Rival => ({
  ...{ id, txid: `tx_${id}`, amountAtoms: atoms, inherited: [] },
  ...{ observedAt: at(minute), firstSeenAt: at(minute + 1) },
  ...given,
});
const loser = (id: string, atoms: bigint, minute: number, given: Partial<Loser> = {}): Loser => ({
  ...rival(id, atoms, minute),
  bequeaths: true,
  ...given,
});
const heirs = (pairs: Parameters<typeof supersede>[0]) =>
  Object.fromEntries(supersede(pairs).heirs.map(({ id, inherited }) => [id, inherited]));

describe('what takes the place of other money', () => {
  it('inherits the whole of a payment that is sent again with a higher fee', () => {
    expect(heirs([{ loser: loser('a', 100n, 1), winner: rival('b', 100n, 5) }])).toEqual({
      b: [part(100n, 1)],
    });
  });

  it('inherits at most the amount that it replaces: dust makes nothing but dust punctual', () => {
    expect(heirs([{ loser: loser('a', 1n, 1), winner: rival('b', 100n, 20) }])).toEqual({
      b: [part(1n, 1)],
    });
  });

  it('inherits at most its own amount', () => {
    expect(heirs([{ loser: loser('a', 100n, 1), winner: rival('b', 40n, 5) }])).toEqual({
      b: [part(40n, 1)],
    });
  });

  it('hands on through a chain no more than each of its links held', () => {
    const first = heirs([{ loser: loser('a', 1n, 1), winner: rival('b', 2n, 5) }]);
    const second = loser('b', 2n, 5, { inherited: first.b! });
    expect(heirs([{ loser: second, winner: rival('c', 100n, 20) }])).toEqual({
      c: [part(1n, 1), part(1n, 5)],
    });
  });

  it('inherits from several at once their sum', () => {
    const winner = rival('w', 100n, 20);
    const pairs = [
      { loser: loser('a', 30n, 1), winner },
      { loser: loser('b', 40n, 2), winner },
    ];
    expect(heirs(pairs)).toEqual({
      w: [part(30n, 1), part(40n, 2)],
    });
  });

  it('shares between its outputs what it inherits, and never multiplies it', () => {
    const lost = loser('a', 100n, 1);
    const [one, two] = [rival('one', 70n, 20, { txid: 'w' }), rival('two', 70n, 20, { txid: 'w' })];
    expect(
      heirs([
        { loser: lost, winner: one },
        { loser: lost, winner: two },
      ]),
    ).toEqual({ one: [part(70n, 1)], two: [part(30n, 1)] });
  });

  it('leaves it to one transaction only, when two spend coins of what was lost', () => {
    const lost = loser('a', 100n, 1);
    const pairs = [rival('b', 100n, 20), rival('c', 100n, 21)].map((winner) => ({ loser: lost, winner }));
    expect(heirs(pairs)).toEqual({ b: [part(100n, 1)] });
  });

  it('inherits nothing from money that was long gone or that something else had taken the place of', () => {
    const pairs = [{ loser: loser('a', 100n, 1, { bequeaths: false }), winner: rival('b', 100n, 20) }];
    expect(heirs(pairs)).toEqual({});
    expect(supersede(pairs).losers).toEqual([{ id: 'a', replacedBy: 'tx_b' }]);
  });

  it('inherits nothing twice, however often the two take each other’s place', () => {
    const inherited = [part(1n, 1)];
    const back = rival('b', 100n, 5, { inherited });
    expect(heirs([{ loser: loser('a', 1n, 1, { inherited }), winner: back }])).toEqual({ b: inherited });
  });

  it('keeps its own sight where that is earlier', () => {
    expect(heirs([{ loser: loser('a', 100n, 9), winner: rival('b', 100n, 5) }])).toEqual({});
  });

  it('takes the place of a log that moved within its own transaction, also where nothing is paid any more', () => {
    expect(supersede([{ loser: loser('a', 5n, 1), winner: null }])).toEqual({
      losers: [{ id: 'a', replacedBy: 'tx_a' }],
      heirs: [],
    });
  });
});

it('divides an amount into what it inherited and the rest', () => {
  expect(portionsOf(rival('a', 10n, 9, { inherited: [part(4n, 1)] }))).toEqual([part(4n, 1), part(6n, 9)]);
});

describe('what is handed on', () => {
  const pair = (lost: Loser, winner: Rival) => ({ loser: lost, winner });

  it('stays with the transaction that took the place of it', () => {
    const pairs = [
      pair(loser('a', 100n, 1), rival('b', 40n, 20)),
      pair(loser('x', 10n, 2), rival('c', 100n, 20)),
    ];
    expect(heirs(pairs)).toEqual({ b: [part(40n, 1)], c: [part(10n, 2)] });
  });

  it('is the earliest first, until the heir is full', () => {
    const winner = rival('w', 50n, 20);
    expect(heirs([pair(loser('a', 40n, 9), winner), pair(loser('b', 30n, 1), winner)])).toEqual({
      w: [part(30n, 1), part(20n, 9)],
    });
    expect(heirs([pair(loser('a', 40n, 2), winner), pair(loser('b', 50n, 1), winner)])).toEqual({
      w: [part(50n, 1)],
    });
  });

  it('is nothing to an output for which nothing is left, and nothing where nobody was there before', () => {
    const lost = loser('a', 70n, 1);
    const outputs = ['one', 'two'].map((id) => rival(id, 70n, 20, { txid: 'w' }));
    const { heirs: few } = supersede(outputs.map((winner) => pair(lost, winner)));
    expect(few).toEqual([{ id: 'one', inherited: [part(70n, 1)] }]);
    expect(supersede([pair(loser('a', 100n, 5), rival('b', 100n, 5))]).heirs).toEqual([]);
  });

  it('adds to what was inherited before by every moment the more of the two', () => {
    const after = (inherited: Rival['inherited'], lost: Loser) =>
      heirs([pair(lost, rival('b', 100n, 20, { inherited }))])['b'];
    expect(after([part(1n, 5)], loser('a', 10n, 1))).toEqual([part(10n, 1)]);
    expect(after([part(50n, 1)], loser('a', 10n, 2))).toEqual([part(50n, 1)]);
    expect(after([part(5n, 1)], loser('a', 20n, 3))).toEqual([part(5n, 1), part(15n, 3)]);
  });
});

it('has no rest where all of it is inherited, and the earliest part first', () => {
  expect(portionsOf(rival('a', 10n, 9, { inherited: [part(10n, 1)] }))).toEqual([part(10n, 1)]);
  expect(portionsOf(rival('a', 10n, 2, { inherited: [part(4n, 5)] }))).toEqual([part(6n, 2), part(4n, 5)]);
});
