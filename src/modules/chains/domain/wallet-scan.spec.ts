import type { WalletScan } from '../wallet-scan.types.js';
import { stillUnsearched } from './wallet-scan.js';

const scan = (changes: Partial<WalletScan> = {}): WalletScan => ({
  ...{ from: 10, to: 110, used: [], isCutShort: false },
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
