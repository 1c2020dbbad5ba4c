import { amountOf } from '../../../../../test/support/intents/amount.js';
import {
  CREATED,
  DURING,
  eth,
  EXPIRES,
  factsOf,
  intent,
  places,
  quote,
  transfer,
} from '../../../../../test/support/intents/payment.js';
import { describeEntry } from './review-entry.js';

const expired = intent({ status: 'expired', title: 'Order 1001' });
const fifty = quote({ amountAtoms: 50_000_000n, toleranceBps: 100 });
const usdc = (text: string) => amountOf(text, 6);
const ether = (text: string) => amountOf(text, 18);
const paid = (amountAtoms: bigint, given = {}) => transfer({ amountAtoms, ...given });
const entryOf = (...transfers: readonly string[]) => ({
  reason: 'underpaid' as const,
  transfers,
  openedAt: EXPIRES,
});
const described = (given: Partial<Parameters<typeof describeEntry>[0]>) =>
  describeEntry(
    {
      entry: entryOf(),
      intent: expired,
      quotes: [fifty, eth],
      facts: undefined,
      request: undefined,
      ...given,
    },
    places,
  );

describe('an entry of the review queue', () => {
  const [first, second] = [paid(40_000_000n), paid(5_000_001n)];
  const facts = factsOf([first, second], { height: 12 });

  it('is the payment with what was asked, what came of it, and what is missing', () => {
    expect(described({ entry: entryOf(first.id), facts })).toMatchObject({
      intentId: 'pi_1',
      merchantId: 'mer_1',
      status: 'expired',
      reason: 'underpaid',
      title: 'Order 1001',
      amountMinor: 4_990n,
      currency: 'CHF',
      asset: 'USDC',
      network: 'ethereum',
      quoted: usdc('50'),
      received: usdc('40'),
      missing: usdc('10'),
      receivedBps: 8_000n,
      expiredAt: EXPIRES,
      openedAt: EXPIRES,
      refundRequest: null,
      transferIds: [first.id],
    });
  });

  it('holds its own transfers and no others of the intent', () => {
    const { transfers } = described({ entry: entryOf(second.id), facts });
    expect(transfers).toMatchObject([
      { id: second.id, observedAt: DURING, amount: usdc('5.000001'), final: true },
    ]);
  });

  it('never says that more came than did, nor that less is missing than is', () => {
    const paidEther = paid(333_349_999_999_999_999n, { asset: 'ETH', address: '0xcd' });
    const one = { ...eth, amountAtoms: 10n ** 18n };
    const entry = described({ entry: entryOf(paidEther.id), quotes: [one], facts: factsOf([paidEther]) });
    expect(entry).toMatchObject({
      quoted: ether('1'),
      received: ether('0.333349999999999999'),
      missing: ether('0.66665001'),
      receivedBps: 3_333n,
    });
  });

  it('has nothing missing within the tolerance of its quote', () => {
    const enough = paid(49_500_000n);
    expect(described({ entry: entryOf(enough.id), facts: factsOf([enough]) }).missing).toEqual(usdc('0'));
  });

  it('is final once all that counts has the depth of a price, and can be accepted by the part that has it', () => {
    const late = paid(10_000_000n, { blockHeight: 11 });
    const at = (height: number) => {
      const facts = factsOf([first, late], { height });
      const { final, received, acceptable } = described({ entry: entryOf(first.id, late.id), facts });
      return { final, received, acceptable };
    };
    const received = usdc('50');
    const part = { amount: usdc('40'), missing: usdc('10'), receivedBps: 8_000n, transferIds: [first.id] };
    const whole = { amount: usdc('50'), missing: usdc('0'), receivedBps: 10_000n };
    expect(at(11)).toEqual({ final: false, received, acceptable: null });
    expect(at(12)).toEqual({ final: false, received, acceptable: part });
    expect(at(13)).toMatchObject({ final: true, received, acceptable: whole });
  });

  it('has no amounts where nothing of a quote came, or nothing is known any more', () => {
    const foreign = paid(1n, { asset: 'USDT' });
    const none = { quoted: null, received: null, missing: null, receivedBps: null, asset: null };
    for (const given of [factsOf([foreign], { height: 99 }), undefined]) {
      const entry = described({ entry: entryOf(foreign.id), facts: given });
      expect(entry).toMatchObject({ ...none, network: null, final: false, transferIds: [foreign.id] });
      expect(entry.transfers).toHaveLength(given ? 1 : 0);
    }
  });

  it('shows where the buyer wants the money back', () => {
    const request = { network: 'ethereum', address: '0xef', note: 'please', createdAt: CREATED };
    expect(described({ request }).refundRequest).toEqual({
      network: 'ethereum',
      networkName: 'Ethereum',
      address: '0xef',
      note: 'please',
      at: CREATED,
      verified: false,
    });
  });
});
