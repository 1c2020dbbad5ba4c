import type { NetworkConfig } from '../../../src/config/config.types.js';
import type { ChainTip, Facts, Transfer } from '../../../src/modules/chains/chains.types.js';
import type { Intent, Quote } from '../../../src/modules/intents/domain/model.js';

/** The window of every intent here. */
export const CREATED = new Date('2026-11-21T08:00:00.000Z');
export const EXPIRES = new Date('2026-11-21T08:15:00.000Z');
/** So many milliseconds from the end of the window. */
export const at = (offsetMs: number) => new Date(EXPIRES.getTime() + offsetMs);
export const DURING = at(-600_000);

export const intent = (given: Partial<Intent> = {}): Intent => ({
  id: 'pi_1',
  merchantId: 'mer_1',
  status: 'initiated',
  amountMinor: 4990n,
  currency: 'CHF',
  title: null,
  idempotencyKey: null,
  returnUrl: null,
  quoteId: 'usdc',
  sequence: 1,
  createdAt: CREATED,
  expiresAt: EXPIRES,
  completedAt: null,
  confirmedAt: null,
  settledAt: null,
  ...given,
});

export const quote = (given: Partial<Quote> = {}): Quote => ({
  id: 'usdc',
  intentId: 'pi_1',
  network: 'ethereum',
  asset: 'USDC',
  decimals: 6,
  amountAtoms: 100n,
  family: 'evm',
  address: '0xAb',
  watchedAddress: '0xab',
  price: '1',
  rateSources: [],
  rateAt: CREATED,
  spreadBps: 0,
  toleranceBps: 0,
  confirmationDepth: 1,
  settlementDepth: 3,
  settlementDepths: null,
  createdAt: CREATED,
  ...given,
});

/** Another choice of the same buyer, at an address of its own. */
export const eth = quote({ id: 'eth', asset: 'ETH', decimals: 18, watchedAddress: '0xcd', address: '0xCd' });

/** As the database has it for an EVM network. */
const observed = ({ firstSeenAt = DURING, blockTime = null }: Partial<Transfer>): Date =>
  blockTime !== null && blockTime < firstSeenAt ? blockTime : firstSeenAt;

let nextLog = 0;
/** The price of `quote()`, in a block of its window. */
export const transfer = (given: Partial<Transfer> = {}): Transfer => ({
  observedAt: observed(given),
  blindSince: null,
  uses: [],
  inPlaceOf: [],
  replacedBy: null,
  superseded: false,
  own: false,
  beforeIssue: false,
  id: `tr_${nextLog}`,
  network: 'ethereum',
  txid: '0x1',
  output: `log:${nextLog++}`,
  asset: 'USDC',
  decimals: 6,
  address: '0xab',
  amountAtoms: 100n,
  state: 'included',
  blockHeight: 10,
  blockHash: '0xb',
  blockTime: DURING,
  firstSeenAt: DURING,
  missingSince: null,
  ...given,
});

/** Where a transfer is that no block has. */
export const UNMINED = { blockHeight: null, blockHash: null, blockTime: null } as const;

export const missing = (since: Date, given: Partial<Transfer> = {}) =>
  transfer({ state: 'orphaned', ...UNMINED, missingSince: since, ...given });

export const tip = (given: Partial<ChainTip> = {}): ChainTip => ({
  network: 'ethereum',
  height: 10,
  safeHeight: 6,
  finalizedHeight: 2,
  syncedAt: DURING,
  ...given,
});

export const factsOf = (transfers: readonly Transfer[], given: Partial<ChainTip> = {}): Facts => ({
  transfers,
  tips: new Map([['ethereum', tip(given)]]),
});

/** A network whose block 10 has the depth of a price at height 12, and the deepest at height 21. */
export const network: NetworkConfig = {
  id: 'ethereum',
  name: 'Ethereum',
  family: 'evm',
  chainId: 1,
  rpcUrl: 'http://127.0.0.1:1',
  assets: [],
  confirmationDepth: 1,
  settlementDepths: [3, 6, 9, 12],
  blockIntervalS: 12,
  safeAfterS: 400,
  finalizedAfterS: 900,
  pollIntervalMs: 1000,
  explorerTx: 'https://explorer.example/tx/{txid}',
};

/** Ethereum with USDC and USDT: of any other asset the decimals are not known. */
export const places = {
  network: (id: string) => (id === network.id ? network : null),
};
