import type { Depth, NetworkConfig } from '../../../config/config.types.js';
import { PRESETS } from '../../../config/networks.js';
import { withDepths } from '../terms.pure.js';
import type { NetworkTerms } from '../terms.types.js';
import { flawsOfTerms } from './terms.js';

const networks = PRESETS as readonly NetworkConfig[];
const settling = (...settlementDepths: (Depth | null)[]): NetworkTerms => ({
  assets: {},
  confirmationDepth: null,
  settlementDepths,
});
const flaws = (id: string, terms: NetworkTerms) =>
  flawsOfTerms({ [id]: terms }, networks).map(({ detail }) => detail);

describe('a merchant’s terms', () => {
  it.each(networks.map((network) => [network.id, network] as const))(
    'may be the defaults of %s',
    (id, network) => {
      expect(flawsOfTerms({}, networks)).toEqual([]);
      const { confirmationDepth, settlementDepths } = network;
      expect(flaws(id, { assets: {}, confirmationDepth, settlementDepths })).toEqual([]);
    },
  );

  it.each<[string, NetworkTerms]>([
    ['bitcoin', settling(1, 6, 100, 100)],
    ['ethereum', settling(40, 40, 'finalized', 'finalized')],
    ['base', settling(1, 'safe', 'safe', null)],
    ['litecoin', settling(null, null, 12, 100)],
  ])('may say on %s: %j', (id, terms) => expect(flaws(id, terms)).toEqual([]));

  it.each<[string, NetworkTerms, string]>([
    ['bitcoin', settling(1, 6, 101, 101), 'from 1 to 100;'],
    ['bitcoin', settling('finalized', 6, 6, 6), 'from 1 to 100;'],
    ['ethereum', settling(41, 'finalized', 'finalized', 'finalized'), 'from 1 to 40, “safe”'],
    // Polygon calls a block final after some five others: more would never be counted.
    ['polygon', settling(6, null, null, null), 'from 1 to 2, “safe”'],
    ['ethereum', settling(0, null, null, null), 'from 1 to'],
    ['ethereum', settling(1.5, null, null, null), 'from 1 to'],
    ['ethereum', settling(1), 'from 1 to'],
    ['litecoin', settling(null, 2, null, null), 'must not wait for less'],
    ['litecoin', { ...settling(1, 6, 12, 24), confirmationDepth: 2 }, 'before it is confirmed'],
    [
      'bitcoin',
      { ...settling(null, null, null, null), assets: { BTC: { accepted: true, minimumMinor: -1 } } },
      'BTC on Bitcoin',
    ],
  ])('may not say on %s: %j', (id, terms, problem) => {
    expect([...new Set(flaws(id, terms))]).toEqual([expect.stringContaining(problem)]);
  });

  it('ask for at most the largest amount that a payment may have', () => {
    const from = (minimumMinor: number) => ({
      bitcoin: { ...settling(null, null, null, null), assets: { BTC: { accepted: true, minimumMinor } } },
    });
    expect(flawsOfTerms(from(99_999_999), networks)).toEqual([]);
    for (const minimumMinor of [100_000_000, 0.5])
      expect(flawsOfTerms(from(minimumMinor), networks)).toEqual([
        {
          pointer: '/networkTerms/bitcoin/assets/BTC/minimumMinor',
          code: 'out_of_range',
          detail:
            'The smallest payment in BTC on Bitcoin is an amount from 0 to 999999.99, such as 25 or 9.90.',
        },
      ]);
  });

  it('name each depth that is wrong', () => {
    const of = (id: string, terms: NetworkTerms) =>
      flawsOfTerms({ [id]: terms }, networks).map(({ pointer, code }) => [pointer, code]);
    const at = (...names: string[]) => names.map((name) => [`/networkTerms/litecoin/${name}`, 'invalid']);
    expect(of('litecoin', settling(0, null, 0, null))).toEqual(
      at('settlementDepths/0', 'settlementDepths/2'),
    );
    expect(of('litecoin', { ...settling(null, null, null, null), confirmationDepth: 0 })).toEqual(
      at('confirmationDepth'),
    );
    expect(of('litecoin', settling(1))).toEqual(at('confirmationDepth'));
    expect(of('litecoin', settling(null, 2, null, null))).toEqual(at('settlementDepths/1'));
    expect(flaws('litecoin', settling(null, 2, null, null))).toEqual([
      'On Litecoin a greater amount must not wait for less than a smaller one, nor settle before it is confirmed ' +
        '(empty fields count as their defaults).',
    ]);
  });

  it('may be as deep as the defaults of a network that calls blocks final sooner', () => {
    const slow = { ...networks.find(({ id }) => id === 'polygon')!, confirmationDepth: 9 };
    const deep = { ...settling(9, 9, 9, 9), confirmationDepth: 9 };
    expect(flawsOfTerms({ polygon: deep }, [slow])).toEqual([]);
    expect(flawsOfTerms({ polygon: { ...deep, confirmationDepth: 10 } }, [slow])).toEqual([
      expect.objectContaining({ detail: expect.stringContaining('from 1 to 9,') as string }),
    ]);
  });

  it('accept something', () => {
    const nothing = networks.map(({ id, assets }) => [
      id,
      {
        ...settling(null, null, null, null),
        assets: Object.fromEntries(
          assets.map(({ symbol }) => [symbol, { accepted: false, minimumMinor: 0 }]),
        ),
      },
    ]);
    const terms = Object.fromEntries(nothing) as Record<string, NetworkTerms>;
    const detail = 'Accept at least one asset, or nobody could pay.';
    expect(flawsOfTerms(terms, networks)).toEqual([
      { pointer: '/networkTerms', code: 'nothing_accepted', detail },
    ]);
    expect(flawsOfTerms(terms, [])).toEqual([]);
    // One asset of one network is enough.
    const [[first, { assets: refused }]] = nothing as [[string, NetworkTerms]];
    const [symbol] = Object.keys(refused);
    const one = { ...refused, [symbol!]: { accepted: true, minimumMinor: 0 } };
    expect(flawsOfTerms({ ...terms, [first]: { ...terms[first]!, assets: one } }, networks)).toEqual([]);
  });

  it('replace the depths that they name and no other', () => {
    const ethereum = networks.find(({ id }) => id === 'ethereum')!;
    const terms = { ethereum: { ...settling(null, 40, null, null), confirmationDepth: 3 } };
    expect(withDepths(ethereum, terms)).toMatchObject({
      confirmationDepth: 3,
      settlementDepths: [12, 40, 'finalized', 'finalized'],
    });
    expect(withDepths(ethereum, {})).toBe(ethereum);
  });
});
