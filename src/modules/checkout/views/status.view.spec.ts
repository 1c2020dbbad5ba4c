import { checkoutStates } from '../../../../test/support/checkout/checkout-states.js';
import { amountOf } from '../../../../test/support/intents/amount.js';
import type { CheckoutIntent, CheckoutTransfer } from '../../intents/checkout.types.js';
import { catalogues } from '../catalogue/catalogues.js';
import { en } from '../catalogue/en.js';
import { statusView } from './status.view.js';

function state(name: string): CheckoutIntent {
  const intent = checkoutStates[name];
  if (!intent) throw new Error(`no state ${name}`);
  return intent;
}

const version = (intent: CheckoutIntent): string => statusView(intent, en).version;

describe('statusView', () => {
  it('tells a part payment', () => {
    expect(statusView(state('part'), en)).toEqual({
      id: state('part').id,
      status: 'pending',
      state: 'part',
      version: expect.stringMatching(/^[\w-]{12}$/) as string,
      amount: '56.12340000',
      depositAddress: '0x52ab91c0D4e7F83b6A2951dcE08f47B3a96C1e5D',
      received: '50.00000000',
      missing: '6.12340000',
      asset: 'USDC',
      network: 'ethereum',
      refunds: [],
      confirmations: 4,
      requiredConfirmations: 12,
      expiresAt: '2026-11-21T14:32:00.000Z',
      sendBefore: '2026-11-21T14:31:36.000Z',
      now: '2026-11-21T14:20:00.000Z',
      returnUrl: `/pay/${state('part').id}/return`,
      message: '50\u00a0USDC arrived, 6.1234\u00a0USDC is missing.',
    });
  });

  it('differs between languages by its sentence alone', () => {
    const { message, ...rest } = statusView(state('part'), catalogues.fr);
    expect(message).toBe('Montant arrivé\u202f: 50\u00a0USDC. Il manque 6.1234\u00a0USDC.');
    expect(statusView(state('part'), en)).toMatchObject(rest);
  });

  it('tells of each refund how far it is', () => {
    const [first, second] = state('expired-part-refunded').refunds!.refunds;
    const common = { asset: 'USDC', network: 'ethereum', explorerUrl: first!.explorerUrl };
    const at = '2026-11-21T14:40:00.000Z';
    expect(statusView(state('expired-part-refunded'), en).refunds).toEqual([
      { ...common, state: 'final', amount: '20.00000000', txid: first!.txid, at },
      { ...common, state: 'seen', amount: '30.00000000', txid: second!.txid, at },
    ]);
    expect(statusView(state('expired-part-refunded'), en).message).toBe(
      'Alpine Coffee has sent 20 of 50\u00a0USDC back to you.',
    );
    const farther = { ...second!, state: 'final' as const };
    const { refunds } = state('expired-part-refunded');
    expect(
      version({ ...state('expired-part-refunded'), refunds: { ...refunds!, refunds: [first!, farther] } }),
    ).not.toBe(version(state('expired-part-refunded')));
  });

  it('knows no amounts before an asset is picked', () => {
    expect(statusView(state('choose'), en)).toMatchObject({ received: null, asset: null, sendBefore: null });
  });

  it('keeps its version while only the clock moves', () => {
    const waiting = state('waiting');
    expect(version({ ...waiting, now: new Date(waiting.now.getTime() + 60_000) })).toBe(version(waiting));
  });

  it.each(Object.keys(checkoutStates))(
    'keeps its version in %s while blocks come on top of final transfers, and minds those on top of others',
    (name) => {
      const intent = state(name);
      const withDepth = (confirmations: number, final: boolean): CheckoutIntent => {
        const deeper = <T extends { transfers: readonly CheckoutTransfer[] }>(part: T): T => ({
          ...part,
          transfers: part.transfers.map((transfer) => ({ ...transfer, confirmations, final })),
        });
        const { transfers: otherTransfers } = deeper({ transfers: intent.otherTransfers });
        return { ...intent, otherTransfers, quote: intent.quote && deeper(intent.quote) };
      };
      expect(version(withDepth(31, true))).toBe(version(withDepth(30, true)));
      const hasTransfers = (intent.quote?.transfers ?? []).length + intent.otherTransfers.length > 0;
      expect(version(withDepth(2, false)) !== version(withDepth(1, false))).toBe(hasTransfers);
    },
  );

  it('has another version once it is too late to send', () => {
    expect(version(state('too-late'))).not.toBe(version(state('waiting')));
  });

  it('minds new rates only while options are offered', () => {
    const dearer = (intent: CheckoutIntent): CheckoutIntent => ({
      ...intent,
      options: intent.options.map((option) => ({ ...option, amount: amountOf('99') })),
    });
    expect(version(dearer(state('choose')))).not.toBe(version(state('choose')));
    expect(version(dearer(state('waiting')))).toBe(version(state('waiting')));
  });

  it('has a version of its own for every state', () => {
    const versions = Object.values(checkoutStates).map(version);
    // `waiting-urgent` differs from `waiting` by the clock alone.
    expect(new Set(versions).size).toBe(versions.length - 1);
  });
});
