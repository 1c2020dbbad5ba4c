import { amountOf } from '../../../../../test/support/intents/amount.js';
import { CREATED, places } from '../../../../../test/support/intents/payment.js';
import type { DecidedRefund, Money } from '../../reviews.types.js';
import { type FollowedRefund, refundSums, type StoredDecision, toldRefunds } from './told-refunds.js';

const TXID = `0x${'ab'.repeat(32)}`;
const USDC = { network: 'ethereum', asset: 'USDC', decimals: 6 };
const usdc = (text: string) => amountOf(text, 6);
const ether = (text: string) => amountOf(text, 18);
const at = (minutes: number) => new Date(CREATED.getTime() + minutes * 60_000);

const sentBack: DecidedRefund = { typed: '12.5', money: { ...USDC, atoms: 12_500_000n }, txid: TXID };

const recorded: StoredDecision = {
  id: 'rev_1',
  kind: 'refund',
  refund: sentBack,
  createdAt: CREATED,
};

const followed: FollowedRefund = {
  ...USDC,
  id: 'rf_1',
  intentId: 'pi_1',
  merchantId: 'mer_1',
  state: 'final',
  atoms: 5_000_000n,
  amount: '5',
  address: '0xef',
  txid: TXID,
  blockHeight: 7,
  actor: 'ann',
  note: 'too much',
  openedBy: null,
  openedAt: null,
  searchEndedAt: null,
  undoneAt: null,
  elsewhereTxid: null,
  againTxid: null,
  decisionId: 'rev_2',
  createdAt: at(-1),
  changedAt: at(9),
};

const tell = (decisions: Partial<StoredDecision>[], refunds: Partial<FollowedRefund>[] = []) =>
  toldRefunds(
    decisions.map((each) => ({ ...recorded, ...each })),
    refunds.map((each) => ({ ...followed, ...each })),
    places,
  );
const decided = (given: Partial<DecidedRefund>) => ({ refund: { ...sentBack, ...given } });
const only = (given: Partial<DecidedRefund>) => tell([decided(given)])[0]!.refund;
const sums = (told: ReturnType<typeof tell>, left: readonly Money[] = []) => refundSums(told, left, places);

describe('a refund that was recorded by hand', () => {
  it('is told with a link to its transaction, as no more than the merchant’s word', () => {
    expect(only({})).toEqual({
      state: 'recorded',
      amount: { atoms: 12_500_000n, decimals: 6 },
      typed: '12.5',
      asset: 'USDC',
      network: 'ethereum',
      networkName: 'Ethereum',
      txid: TXID,
      explorerUrl: `https://explorer.example/tx/${TXID}`,
      at: CREATED,
    });
  });

  it.each([
    ['no id', { txid: null }],
    ['what is no hash', { txid: 'sent by hand' }],
    ['a hash and more', { txid: `${TXID}/../../login` }],
    ['more and a hash', { txid: `javascript:${TXID}` }],
    ['a network that is not configured', { money: { ...USDC, network: 'gone', atoms: 1n } }],
    ['no network', { money: null }],
  ])('is no link with %s', (_what, given) => {
    expect(only(given).explorerUrl).toBeNull();
  });

  it('has a link for a hash without 0x, as Bitcoin writes it', () => {
    const bare = TXID.slice(2);
    expect(only({ txid: bare }).explorerUrl).toContain(bare);
  });

  it('of a network that is gone, or from before refunds named theirs, says what is known', () => {
    expect(only({ money: { ...USDC, network: 'gone', atoms: 1n } }).networkName).toBe('gone');
    const old = { money: null };
    expect(only({ ...old, typed: null })).toMatchObject({
      amount: null,
      typed: '',
      asset: null,
      network: null,
      networkName: null,
      txid: TXID,
    });
    expect(only({ ...old, typed: '0.5 BTC' }).typed).toBe('0.5 BTC');
    expect(sums(tell([decided(old)]))).toEqual([]);
  });
});

describe('a refund that is followed on the chain', () => {
  const state = (given: Partial<FollowedRefund>) => {
    const [told] = tell([], [given]);
    return told && [told.refund.state, told.refund.txid];
  };

  it.each<[Partial<FollowedRefund>, (string | null)[] | undefined]>([
    [{ state: 'asked', txid: null }, ['asked', null]],
    [{ state: 'sent' }, ['sent', TXID]],
    [{ state: 'sent', elsewhereTxid: TXID }, ['asked', null]],
    [{ state: 'sent', elsewhereTxid: '0xother' }, ['sent', TXID]],
    [{ state: 'seen' }, ['seen', TXID]],
    [{ state: 'final' }, ['final', TXID]],
    [{ state: 'asked', txid: null, searchEndedAt: CREATED }, ['unfound', null]],
    [{ state: 'sent', searchEndedAt: CREATED }, ['unfound', TXID]],
    [{ state: 'final', undoneAt: CREATED }, ['undone', TXID]],
    [{ state: 'final', undoneAt: CREATED, searchEndedAt: CREATED }, ['undone', TXID]],
    [{ state: 'withdrawn' }, undefined],
  ])('%j is told as %j', (given, expected) => {
    expect(state(given)).toEqual(expected);
  });

  it('is told once, though it is a decision too, and in the order in which all were decided', () => {
    const told = tell(
      [{}, { id: 'rev_2' }, { id: 'rev_3', kind: 'dismiss', refund: null }],
      [{}, { id: 'rf_2', decisionId: null, state: 'asked', txid: null, createdAt: at(1) }],
    );
    expect(told.map(({ refund }) => refund.state)).toEqual(['final', 'recorded', 'asked']);
  });
});

describe('what is back, on its way, and owed', () => {
  it('is summed by network and asset: what left the chain is looked for again, what was not found is neither', () => {
    const open = { decisionId: null };
    const told = tell(
      [{}],
      [
        {},
        { ...open, id: 'rf_2', state: 'asked', txid: null, atoms: 1_000_000n },
        { ...open, id: 'rf_3', state: 'sent', atoms: 2_000_000n },
        { ...open, id: 'rf_4', state: 'seen', atoms: 3_000_000n },
        { ...open, id: 'rf_5', state: 'sent', searchEndedAt: CREATED, atoms: 4_000_000n },
        { id: 'rf_6', undoneAt: CREATED, atoms: 6_000_000n, decisionId: 'rev_6' },
        { ...open, id: 'rf_7', state: 'withdrawn', atoms: 90_000_000n },
      ],
    );
    const left = { ...USDC, atoms: 500_000n };
    const coin = { network: 'ethereum', asset: 'ETH', decimals: 18, atoms: 10n ** 17n };
    const of = { network: 'ethereum', networkName: 'Ethereum' };
    expect(sums(told, [left, coin])).toEqual([
      { ...of, asset: 'USDC', returned: usdc('17.5'), underWay: usdc('12'), owed: usdc('34') },
      { ...of, asset: 'ETH', returned: ether('0'), underWay: ether('0'), owed: ether('0.1') },
    ]);
  });

  it('is nothing where nobody refunded anything', () => {
    expect(sums([], [{ ...USDC, atoms: 1n }])).toEqual([]);
  });
});
