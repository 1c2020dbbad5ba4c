import type { WalletScan } from '../wallet-scan.types.js';
import { firstUnused, isAnswered, lastUsed, scanSentences, stillUnsearched } from './wallet-scan.js';

const scan = (changes: Partial<WalletScan> = {}): WalletScan => ({
  from: 10,
  to: 110,
  used: [],
  isCutShort: false,
  networks: [
    { network: 'ethereum', reason: null, untold: [] },
    { network: 'base', reason: 'no answer in time', untold: [] },
  ],
  ...changes,
});
const BOTH = ['ethereum', 'base'];

describe('a search for used indexes', () => {
  it('has searched the networks that answered to the end', () => {
    expect(stillUnsearched(scan(), BOTH, BOTH)).toEqual(['base']);
    expect(stillUnsearched(scan({ isCutShort: true }), BOTH, BOTH)).toEqual(BOTH);
  });

  it('that found nothing asks no network that had been searched', () => {
    expect(stillUnsearched(scan(), ['base'], [...BOTH, 'arbitrum'])).toEqual(['base']);
  });

  it('that found something asks all of the family again, but for those that answered', () => {
    const used = [{ index: 12, network: 'ethereum', address: '0x1', holdings: [] }];
    expect(stillUnsearched(scan({ used }), ['ethereum'], [...BOTH, 'arbitrum'])).toEqual([
      'base',
      'arbitrum',
    ]);
  });

  it('counts for nothing where so many were issued meanwhile that it did not reach far beyond them', () => {
    expect(stillUnsearched(scan(), BOTH, BOTH, 60)).toEqual(['base']);
    expect(stillUnsearched(scan(), BOTH, BOTH, 61)).toEqual(BOTH);
  });
});

describe('what was used', () => {
  const used = (...indexes: number[]) =>
    indexes.map((index) => ({ index, network: 'ethereum', address: '0x1', holdings: [] }));

  it('ends at the greatest index, in whatever order it was found', () => {
    expect([[], [12], [40, 12]].map((indexes) => lastUsed({ used: used(...indexes) }))).toEqual([
      null,
      12,
      40,
    ]);
  });

  it('is behind what is issued next, which is never before where the search began', () => {
    const next = (...indexes: number[]) => firstUnused(scan({ used: used(...indexes) }));
    expect([next(), next(3), next(10), next(40, 12)]).toEqual([10, 10, 11, 41]);
    expect(firstUnused(scan({ from: 0 }))).toBe(0);
  });

  it('is known once every node was asked to the end', () => {
    const networks = scan().networks.slice(0, 1);
    expect([isAnswered(scan({ networks })), isAnswered(scan())]).toEqual([true, false]);
    expect(isAnswered(scan({ networks, isCutShort: true }))).toBe(false);
  });
});

describe('what is told of a search', () => {
  const nameOf = (network: string) => network.toUpperCase();
  const [ethereum, base] = scan().networks;
  const told = (changes: Partial<WalletScan>) =>
    scanSentences(scan({ networks: [ethereum!], ...changes }), nameOf);

  it('is how far nothing was used', () => {
    expect(told({})).toEqual(['On ETHEREUM no index from 10 to 109 was used before.']);
    const both = [ethereum!, { ...base!, reason: null }];
    expect(told({ networks: both })).toEqual(['On ETHEREUM, BASE no index from 10 to 109 was used before.']);
  });

  it('is the last index that was used, and where, each network once', () => {
    const used = [12, 40].map((index) => ({ index, network: 'ethereum', address: '0x1', holdings: [] }));
    expect(told({ used })).toEqual([
      'The last used index is 40 (on ETHEREUM): addresses up to there belong to whoever used them.',
    ]);
  });

  it('is that it goes on, where it paused or a node did not answer', () => {
    expect(told({ isCutShort: true })[1]).toContain('paused at index 109');
    const [failed, ...more] = told({ networks: [base!] });
    expect(failed).toContain('BASE was not asked to the end (no answer in time)');
    expect(more).toEqual([]);
  });

  it('is what a node never tells', () => {
    const untold = ['coin that was spent again', 'tokens'];
    expect(told({ networks: [{ ...ethereum!, untold }] })).toEqual([
      'On ETHEREUM no index from 10 to 109 was used before.',
      'The node of ETHEREUM does not tell of coin that was spent again, tokens.',
    ]);
  });
});
