import { checkoutStates } from '../../../../test/support/checkout/checkout-states.js';
import { amountOf } from '../../../../test/support/intents/amount.js';
import { MOST_LISTED } from '../../../platform/pages/listed.js';
import { Views } from '../../../platform/pages/views.js';
import type { CheckoutIntent } from '../../intents/checkout.types.js';
import { catalogues } from '../catalogue/catalogues.js';
import { en } from '../catalogue/en.js';
import { PAGE_STATES } from '../page-states.types.js';
import { failureView, notFoundView } from './message.view.js';
import type { PayPage } from './pay.types.js';
import { payView, type PayViewOptions } from './pay.view.js';

const assets = { css: '/assets/a.css', js: '/assets/a.js', favicon: '/assets/a.svg' };
const plain = {
  catalogue: en,
  sandbox: false,
  confirmCancel: false,
  assets,
  checkoutUrl: 'https://pay.example',
};
const views = new Views();

/** Statuses that are not the last one. */
const UNDER_WAY: ReadonlySet<string> = new Set(['initiated', 'pending', 'confirmed']);

function state(name: string): CheckoutIntent {
  const intent = checkoutStates[name];
  if (!intent) throw new Error(`no state ${name}`);
  return intent;
}

function page(name: string, options: Partial<PayViewOptions> = {}): PayPage {
  return payView(state(name), { ...plain, ...options });
}

function html(name: string, options: Partial<PayViewOptions> = {}): string {
  return views.render('checkout/pay', page(name, options));
}

function says(shown: PayPage): string {
  const { happened, next, todo } = { ...shown.said, ...shown.later };
  return `${happened} ${next} ${todo}`.replaceAll('\u00a0', ' ');
}

const rowsOf = ({ options }: PayPage) => (options ?? []).flatMap(({ rows }) => rows);

describe('payView', () => {
  it.each([
    ['choose', 'choose', 'Pay with'],
    ['all-closed', 'closed', 'No way to pay right now'],
    ['suspended', 'suspended', 'No payments at the moment'],
    ['waiting', 'waiting', 'Waiting for your payment'],
    ['blind', 'blind', 'Ethereum cannot be seen right now'],
    ['blind-other', 'blind', 'Ethereum cannot be seen right now'],
    ['too-late', 'too-late', 'Too late to send safely'],
    ['part', 'part', 'Part of it arrived'],
    ['seen', 'seen', 'Payment seen'],
    ['seen-mempool', 'seen', 'Payment seen'],
    ['confirmed', 'confirmed', 'Payment confirmed'],
    ['withheld', 'confirmed', 'Waiting for the network'],
    ['settled', 'settled', 'Paid'],
    ['expired-unpaid', 'expired', 'The time to pay has ended'],
    ['expired-short', 'expired-paid', 'Your money arrived, but not all of it'],
    ['expired-late', 'expired-paid', 'Your money arrived, but too late'],
    ['expired-other-asset', 'expired-paid', 'Money arrived, but not as asked'],
    ['failed', 'failed', 'The payment failed'],
    ['expired-other-network', 'expired-paid', 'Your money arrived, but not all of it'],
    ['expired-refunded', 'expired-paid', 'Sent back to you'],
    ['expired-dismissed', 'expired-paid', 'Not taken as payment'],
    ['cancelled', 'cancelled', 'Cancelled'],
    ['settled-undone', 'settled', 'Paid, but not on the chain'],
    ['expired-arriving', 'arriving', 'Money is on its way'],
    ['cancelled-arriving', 'arriving', 'Money is on its way'],
    ['cancelled-paid', 'cancelled-paid', 'Cancelled, but money arrived'],
  ])('shows %s as the page "%s", titled "%s"', (name, slug, title) => {
    expect(page(name)).toMatchObject({ state: slug, said: { title } });
  });

  it('writes few dates of a page that waits, and none for words that it does not show', () => {
    const written = jest.spyOn(
      Intl.DateTimeFormat.prototype as { readonly format: unknown },
      'format',
      'get',
    );
    const { said } = page('waiting');
    expect(written.mock.calls.length).toBeLessThanOrEqual(10);
    written.mockRestore();
    expect(said.parts).toEqual([]);
  });

  it('has an example of every state that there is', () => {
    const shown = new Set(Object.keys(checkoutStates).map((name) => page(name).state));
    expect([...shown].sort()).toEqual(Object.keys(PAGE_STATES).sort());
  });

  it.each(Object.keys(checkoutStates).filter((name) => UNDER_WAY.has(state(name).status)))(
    'keeps up with %s, which can still change',
    (name) => expect(page(name).live).toBe('fast'),
  );

  describe.each(Object.values(catalogues))('in $name', (catalogue) => {
    it.each(Object.keys(checkoutStates))('renders %s with a title and whole sentences', (name) => {
      const { said, saidText, version, state: slug } = page(name, { catalogue });
      const sentences = [said.happened, said.next, said.todo].filter((text) => text !== '');
      for (const sentence of sentences) {
        expect(sentence).toMatch(/\S\.$/);
        expect(sentence).not.toMatch(/!|undefined|\bnull\b|[^.] {2}/);
      }
      // Only where the page itself is the answer does the title say it all.
      expect(saidText).toBe(slug !== 'choose');
      expect(sentences.length > 0).toBe(saidText);
      expect(said.title).not.toBe('');
      expect(html(name, { catalogue })).toContain(version);
    });
  });

  it('asks for the missing part alone, exactly, once some has arrived', () => {
    const { send } = page('part');
    expect(send?.amount).toBe('6.1234');
    expect(says(page('part'))).toContain('50 of 56.1234 USDC arrived');
    expect(send?.withAmount.path).not.toBe(page('waiting').send?.withAmount.path);
  });

  it.each(['seen', 'confirmed', 'settled', 'too-late', 'suspended', 'expired-short', 'failed', 'cancelled'])(
    'shows nothing to send on %s',
    (name) => expect(page(name).send).toBeNull(),
  );

  it('asks nobody to send where it would not be seen, and offers the ways that are open', () => {
    for (const name of ['blind', 'blind-other', 'blind-part']) {
      expect(page(name)).toMatchObject({ state: 'blind', send: null, countdown: null, live: 'fast' });
      expect(says(page(name))).toContain('Do not send now');
    }
    const open = rowsOf(page('blind-other')).filter(({ reason }) => reason === null);
    expect(open.map(({ network }) => network)).toEqual(['base', 'bitcoin', 'litecoin']);
    expect(page('blind-part').record?.transfers?.rows).toHaveLength(1);
  });

  it('says of a part that it is here, also where the page is about why no more is asked for', () => {
    const part = state('part');
    const suspended = { ...part, merchant: { ...part.merchant, accepting: false } };
    const late = { ...part, now: part.quote!.sendBefore };
    for (const intent of [state('blind-part'), suspended, late]) {
      const shown = payView(intent, plain);
      expect([shown.state, shown.send]).toEqual([expect.stringMatching(/blind|suspended|too-late/), null]);
      expect(says(shown)).toMatch(/^50 of 56\.1234 USDC arrived\. /);
      expect(shown.message).toContain('50 of 56.1234');
    }
    expect(says(page('blind'))).not.toContain('arrived.');
  });

  it('says of too much that it is here before it is settled, and of money that nobody took how much it is', () => {
    expect(says(page('seen-overpaid'))).toContain('That is 3.8766 USDC more than was asked.');
    expect(says(page('seen'))).not.toContain('more than was asked');
    expect(says(page('cancelled-paid'))).toContain('50 USDC on Ethereum arrived');
    expect(says(page('expired-dismissed'))).toContain('50 USDC on Ethereum');
    const both = {
      ...state('cancelled-paid'),
      otherTransfers: state('expired-other-network').otherTransfers,
    };
    expect(says(payView(both, plain))).toContain('50 USDC on Ethereum and 25 USDC on Polygon');
  });

  it('lists so many transfers and no more, however much dust somebody sends', () => {
    const settled = state('settled');
    const [one] = settled.quote!.transfers;
    const dusted = (count: number) => {
      const transfers = Array.from({ length: count }, () => one!);
      return payView({ ...settled, quote: { ...settled.quote!, transfers } }, plain).record!.transfers!;
    };
    expect([dusted(MOST_LISTED).rows.length, dusted(MOST_LISTED).more]).toEqual([MOST_LISTED, null]);
    expect([dusted(20_000).rows.length, dusted(20_000).more]).toEqual([MOST_LISTED, 'and 19900 more']);
  });

  it('asks a suspended merchant’s buyer for nothing, not even for the rest of a part', () => {
    const merchant = { ...state('part').merchant, accepting: false };
    const shown = payView({ ...state('part'), merchant }, plain);
    expect(shown.state).toBe('suspended');
    expect(shown.send).toBeNull();
    expect(shown.record?.transfers?.rows).toHaveLength(1);
  });

  it('writes the whole address in groups that join to exactly the address', () => {
    for (const name of ['waiting', 'waiting-btc']) {
      const { send } = page(name);
      expect(`${send?.addressPrefix}${send?.addressGroups.join('')}`).toBe(state(name).quote?.address);
      const shown = /id="address">(.*)<\/dd>/.exec(html(name))?.[1] ?? '';
      expect(shown.replace(/<[^>]+>/g, '')).toBe(state(name).quote?.address);
    }
  });

  it('counts down to the moment after which sending is not safe', () => {
    expect(page('waiting').countdown?.until).toBe('2026-11-21T14:31:36.000Z');
    expect(page('choose').countdown?.until).toBe('2026-11-21T14:32:00.000Z');
    expect(page('too-late').countdown).toBeNull();
  });

  it('names the excess, the reasons of closed options and other transfers', () => {
    expect(says(page('settled-overpaid'))).toContain('3.8766 USDC more than was asked');
    expect(rowsOf(page('all-closed')).map((option) => option.reason)).toEqual([
      'No current price',
      'Network cannot be reached',
      'Amount too small for this',
    ]);
    expect(page('part-other-asset').record?.others?.transfers.rows[0]?.amount).toBe('0.01\u00a0ETH');
  });

  it('asks before it cancels, only where cancelling is possible', () => {
    expect(page('waiting', { confirmCancel: true })).toMatchObject({
      said: { title: 'Cancel this payment?' },
      send: null,
      confirm: { action: `/pay/${state('waiting').id}/cancel` },
      refreshS: null,
    });
    expect(page('seen', { confirmCancel: true }).confirm).toBeNull();
  });

  it('offers the other assets on request, only while switching is possible', () => {
    expect(page('waiting', { change: true })).toMatchObject({
      said: { title: 'Pay with something else' },
      send: null,
    });
    expect(rowsOf(page('waiting', { change: true }))).toHaveLength(6);
    expect(page('part', { change: true }).options).toBeNull();
  });

  it('loads itself again without a script only while something can change', () => {
    expect(html('waiting')).toContain('http-equiv="refresh"');
    expect(html('settled')).not.toContain('http-equiv="refresh"');
    expect(html('waiting', { confirmCancel: true })).not.toContain('http-equiv="refresh"');
  });

  it('says on every page that a sandbox moves no real money', () => {
    expect(html('waiting', { sandbox: true })).toContain('Sandbox: no real money');
    expect(html('waiting')).not.toContain('Sandbox');
  });

  it('links to the test payments of a sandbox, and in production to nothing of it', () => {
    expect(html('waiting', { sandbox: true })).toMatch(/href="\/sandbox\/pay\/[^"]+">Test payment</);
    expect(html('waiting')).not.toMatch(/test payment|\/sandbox/i);
  });

  it('shows a notice', () => {
    expect(html('choose', { notice: 'option-closed' })).toContain('has just closed');
  });

  it.each([
    ['option-closed', 'suspended'],
    ['option-closed', 'all-closed'],
    ['too-late', 'cancelled'],
    ['too-late', 'settled'],
    ['cannot-cancel', 'expired-unpaid'],
    ['cannot-switch', 'cancelled'],
  ] as const)('leaves out the notice "%s", which would be wrong on the page "%s"', (notice, name) => {
    expect(page(name, { notice }).notice).toBeNull();
  });

  it('has neither inline script nor inline style', () => {
    for (const name of Object.keys(checkoutStates)) {
      expect(html(name)).not.toMatch(/ style=| on[a-z]+=|<style|<script(?! type="module" src=)/);
    }
  });
});

describe('money that came to nothing', () => {
  const wish = { network: 'ethereum', address: '0x52ab', note: 'mine', flaw: 'address-wrong' } as const;

  it('is told to the merchant, and a refund address may be left until it is decided', () => {
    expect(says(page('expired-short'))).toContain('Alpine Coffee has been told');
    expect(page('expired-short').refunds?.link).toMatchObject({ label: 'Leave a refund address' });
    expect(page('expired-asked').refunds).toMatchObject({
      address: state('expired-asked').refunds?.requests[0]?.address,
      unchecked: expect.stringContaining('Nobody has checked it'),
      link: { label: 'Change the refund address' },
    });
    expect(page('expired-refunded').refunds).toMatchObject({ link: null, address: expect.any(String) });
    expect(page('expired-asked').refunds?.earlier).toBeNull();
    expect(page('expired-unpaid').refunds).toBeNull();
  });

  it('asks for the network only where there are several, and in a step of its own', () => {
    const one = page('expired-short', { refund: true });
    expect(one).toMatchObject({ refunds: null, record: null, reference: null, refreshS: null, actions: [] });
    expect(one.refundForm).toMatchObject({
      onlyNetwork: 'ethereum',
      addressLabel: 'Your address on Ethereum',
    });
    expect(page('expired-other-network', { refund: true }).refundForm).toMatchObject({
      onlyNetwork: null,
      networks: [{ id: 'ethereum' }, { id: 'polygon' }],
    });
    expect(page('expired-refunded', { refund: true }).refundForm).toBeNull();
    expect(page('waiting', { refund: true }).refundForm).toBeNull();
  });

  it('shows what was typed again, with what is wrong about it', () => {
    const { refundForm } = page('expired-short', { refund: true, refusedWish: wish });
    expect(refundForm).toMatchObject({ address: '0x52ab', note: 'mine', noteFlaw: null });
    expect(refundForm?.addressFlaw).toContain('no address on Ethereum');
    expect(
      html('expired-short', { refund: true, refusedWish: { ...wish, note: '</textarea><b>' } }),
    ).toContain('&lt;/textarea&gt;&lt;b&gt;');
  });

  it('is named with its network, wherever it was found', () => {
    const { found, record } = page('expired-other-network');
    expect(found).toBeNull();
    expect(says(page('expired-other-network'))).toContain('We found 25 USDC on Polygon. It does not count');
    expect(says(page('expired-other-asset'))).toContain('0.01 ETH on Ethereum arrived');
    expect(record?.others?.transfers.rows[0]?.onNetwork).toBe('on Polygon');
  });

  it('is said once, and under one warning, where the page is about it', () => {
    for (const name of Object.keys(checkoutStates)) {
      const shown = html(name);
      const { warnings, named } = {
        warnings: shown.match(/mark-warn|found-title/g) ?? [],
        named: page(name).state.endsWith('-paid') ? (says(page(name)).match(/0\.01 ETH|25 USDC/g) ?? []) : [],
      };
      expect([name, warnings.length < 2, named.length < 2]).toEqual([name, true, true]);
    }
  });

  it('names the payment, and the transaction that was dropped, wherever there may be something to ask', () => {
    const asking = Object.keys(checkoutStates).filter((name) =>
      /\bask (Alpine Coffee|<b>)|name the payment/i.test(says(page(name))),
    );
    expect(asking).toEqual(expect.arrayContaining(['all-closed', 'suspended', 'withheld', 'failed']));
    for (const name of [...asking, 'expired-unpaid', 'cancelled', 'blind-part']) {
      expect([name, page(name).reference?.id]).toEqual([name, state(name).id]);
    }
    expect(page('failed').record?.transfers?.rows).toMatchObject([
      { txid: state('failed').dropped[0]?.txid, state: 'replaced or dropped' },
    ]);
    expect(page('settled').reference).toBeNull();
  });

  it('is asked back while the price is still waited for: from the head of the page, once it is final', () => {
    const offered = page('waiting-other-network');
    expect(offered).toMatchObject({
      state: 'waiting',
      found: null,
      status: {
        title: 'We found 25\u00a0USDC on Polygon',
        text: 'It does not count towards this payment.',
        link: { href: `/pay/${offered.id}?refund=1`, label: 'Leave a refund address', main: false },
      },
      record: { others: { transfers: { rows: [{ onNetwork: 'on Polygon' }] } } },
      refunds: null,
      reference: { id: offered.id },
    });
    expect(offered.send?.amount).toBe('56.1234');
    const part = page('part-other-asset').status;
    expect(part).toMatchObject({ title: 'Part of it arrived', link: { main: false } });
    expect(part?.text.replaceAll('\u00a0', ' ')).toBe(
      '50 of 56.1234 USDC arrived. We found 0.01 ETH on Ethereum. It does not count towards this payment.',
    );
    const form = page('waiting-other-network', { refund: true });
    expect(form).toMatchObject({ send: null, refundForm: { onlyNetwork: 'polygon' }, found: null });
    const asked = page('waiting-other-asked');
    expect(asked.status?.link?.label).toBe('Change the refund address');
    expect(asked.refunds).toMatchObject({ onNetwork: 'on Polygon', link: null });
    expect(asked.send?.amount).toBe('56.1234');
    const arriving = page('waiting-other-arriving');
    expect(arriving.status).toMatchObject({
      text: expect.stringContaining('As soon as it is final'),
      link: null,
    });
    expect(page('waiting-other-arriving', { refund: true }).refundForm).toBeNull();
    expect(page('expired-other-network').found).toBeNull();
  });

  it('has one strong button where the time to pay is over: to say where it should go, then back to the shop', () => {
    const strong = (name: string) => {
      const { refunds, actions } = page(name);
      const back = actions.filter(({ primary }) => primary).map(({ id }) => id);
      return [...(refunds?.link?.main ? ['go-refund'] : []), ...back];
    };
    for (const name of ['expired-short', 'expired-late', 'expired-other-asset', 'cancelled-paid'])
      expect([name, strong(name)]).toEqual([name, ['go-refund']]);
    for (const name of ['expired-asked', 'expired-refunding', 'expired-refunded', 'expired-dismissed'])
      expect([name, strong(name)]).toEqual([name, ['go-return']]);
    expect(html('expired-short')).toContain('class="button button-main" id="go-refund"');
    expect(html('expired-asked')).toContain('class="button" id="go-refund"');
  });

  it('says to a buyer who has left two addresses which one stands, and what it replaced', () => {
    const { refunds } = page('expired-asked-twice');
    const [first, last] = state('expired-asked-twice').refunds!.requests;
    expect(refunds).toMatchObject({
      address: last!.address,
      earlier: {
        title: 'Left before, and replaced',
        rows: [{ address: first!.address, onNetwork: 'on Ethereum' }],
      },
    });
    expect(html('expired-asked-twice')).toContain(first!.address);
    expect(page('expired-asked-twice', { refund: true }).refundForm?.address).toBe(last!.address);
  });
});

describe('money that goes back', () => {
  const rowsOfRefunds = (name: string) =>
    page(name).sentBack.map(({ amount, onNetwork, state: how }) =>
      `${amount} ${onNetwork}: ${how}`.replaceAll('\u00a0', ' '),
    );

  it.each([
    ['settled-refunding', 'Paid', 'has decided to send 3.8766 USDC back to you'],
    ['settled-part-refunded', 'Paid', 'has sent 1 of 3.8766 USDC back to you'],
    ['settled-refunded', 'Paid', 'has sent 3.8766 USDC back to you'],
    ['expired-refunding', 'To be sent back to you', 'has decided to send 50 USDC back to you'],
    ['expired-refund-undone', 'To be sent back to you', 'has decided to send 50 USDC back to you'],
    ['expired-part-refunded', 'Partly sent back', 'has sent 20 of 50 USDC back to you'],
    ['expired-refunded', 'Sent back to you', 'has sent 50 USDC back to you'],
    ['expired-refund-recorded', 'Sent back to you', 'has recorded that it sent 50 USDC back to you'],
  ])('is said on %s as far as it is: "%s"', (name, title, sentence) => {
    expect(page(name).said.title).toBe(title);
    expect(says(page(name))).toContain(sentence);
  });

  it('is listed, each refund with how far it is and its transaction', () => {
    expect(rowsOfRefunds('expired-part-refunded')).toEqual([
      '20 USDC on Ethereum: final',
      '30 USDC on Ethereum: in a block, not final yet',
    ]);
    const [first, second] = state('expired-part-refunded').refunds!.refunds;
    const shown = html('expired-part-refunded');
    expect(shown).toContain(`href="https://etherscan.io/tx/${first!.txid}"`);
    expect(shown).toContain(second!.txid);
    expect(page('expired-refunding').sentBack).toMatchObject([{ txid: null, href: null }]);
  });

  it('and was not found is not said to be on its way', () => {
    expect(says(page('expired-refund-unfound'))).not.toMatch(/back to you|decided/);
    expect(rowsOfRefunds('expired-refund-unfound')).toEqual([
      '50 USDC on Ethereum: not found on the network',
    ]);
  });

  it('is not spoken of as if it were to come once all of it is back, nor is another address taken once it is decided', () => {
    for (const name of ['expired-refunded', 'expired-refund-recorded'])
      expect(page(name).refunds).toMatchObject({ title: 'The refund address left here', unchecked: null });
    expect(page('expired-refunding').refunds).toMatchObject({
      address: state('expired-refunding').refunds!.requests[0]!.address,
      link: null,
    });
  });

  it('in part promises no rest: there may be none to come', () => {
    for (const name of ['expired-part-refunded', 'settled-part-refunded'])
      expect(says(page(name))).not.toMatch(/still to come|does not come/);
  });

  it('of an excess is all of it only where what is final equals it', () => {
    const overpaid = (returned: string): CheckoutIntent => {
      const intent = state('settled-refunded');
      const sums = intent.refunds!.sums.map((sum) => ({
        ...sum,
        returned: amountOf(returned),
        owed: amountOf(returned),
      }));
      return { ...intent, refunds: { ...intent.refunds!, sums } };
    };
    const saying = (intent: CheckoutIntent) => says(payView(intent, plain));
    expect(saying(overpaid('3.87660000'))).toContain('has sent 3.8766 USDC back');
    expect(saying(overpaid('3.87659999'))).toContain('has sent 3.87659999 of 3.8766 USDC back');
    const elsewhere = state('settled-refunded');
    const [sum] = elsewhere.refunds!.sums;
    const onPolygon = { ...sum!, network: 'polygon', networkName: 'Polygon' };
    const refunds = { ...elsewhere.refunds!, sums: [onPolygon] };
    expect(saying({ ...elsewhere, refunds })).toContain('If you want the 3.8766 USDC back');
  });

  it('of two assets is said of each, with its network where there are two', () => {
    const intent = state('expired-part-refunded');
    const [usdc] = intent.refunds!.sums;
    const more = { asset: 'LTC', network: 'litecoin', networkName: 'Litecoin' };
    const ltc = { ...more, returned: amountOf('0'), underWay: amountOf('0'), owed: amountOf('0.1') };
    const both = (second: object) =>
      says(
        payView({ ...intent, refunds: { ...intent.refunds!, sums: [usdc!, { ...ltc, ...second }] } }, plain),
      );
    expect(both({})).toContain('20 of 50 USDC on Ethereum and 0 of 0.1 LTC on Litecoin back');
    expect(both({ asset: 'ETH', network: 'ethereum', returned: amountOf('0.1') })).toContain(
      '20 of 50 USDC and 0.1 ETH back',
    );
  });

  it('is offered for an excess, and the payment named, while going back to the shop stays the strong button', () => {
    const offered = page('settled-overpaid');
    expect(says(offered)).toContain('3.8766 USDC more than was asked');
    // Said once, where it is done.
    expect(says(offered)).not.toMatch(/refund address|back/);
    expect(offered).toMatchObject({
      refunds: { link: { label: 'Leave a refund address', main: false } },
      reference: { id: offered.id },
    });
    expect(offered.actions[0]).toMatchObject({ id: 'go-return', primary: true });
    expect(page('settled-overpaid', { refund: true }).refundForm).toMatchObject({ onlyNetwork: 'ethereum' });
    const asked = page('settled-overpaid-asked');
    expect(says(asked)).toContain('Alpine Coffee sees where you want it back');
    expect(asked.refunds).toMatchObject({ address: expect.any(String), link: { main: false } });
    const elsewhere = page('settled-overpaid-elsewhere');
    expect(says(elsewhere)).toContain('ask Alpine Coffee and name the payment below');
    expect(elsewhere).toMatchObject({ refunds: null, reference: { id: elsewhere.id } });
  });

  it('of an excess is waited for until it may be asked back', () => {
    expect([page('settled-overpaid-elsewhere').live, page('settled-overpaid').live]).toEqual(['slow', 'off']);
    expect(page('settled').live).toBe('off');
  });

  it('is followed while it is under way, and no longer', () => {
    expect([page('settled-refunding').live, page('settled-part-refunded').live]).toEqual(['slow', 'off']);
    expect(html('settled-refunding')).toContain('http-equiv="refresh"');
  });
});

it('groups the ways to pay by asset, and leaves out what need not be said', () => {
  const { options } = page('choose');
  expect(
    options?.map(({ asset, together, rows }) => [asset, together, rows.map(({ label }) => label)]),
  ).toEqual([
    ['USDC', true, ['Base', 'Ethereum']],
    ['ETH', false, ['ETH']],
    ['USDT', false, ['USDT']],
    ['BTC', false, ['BTC']],
    ['LTC', false, ['LTC']],
  ]);
});

it('says how long settling takes where it takes long, and while waiting for it', () => {
  expect(rowsOf(page('choose')).map((option) => option.wait)).toEqual([
    null,
    'about 3\u00a0minutes',
    'about 3\u00a0minutes',
    'about 3\u00a0minutes',
    'about 30\u00a0minutes',
    'about 30\u00a0minutes',
  ]);
  expect(page('waiting').send?.sent.text).toContain('settled about 3\u00a0minutes after that');
  // An exchange may send long after its customer has: only what the network has seen starts the clock.
  for (const name of ['seen', 'seen-mempool', 'confirmed'])
    expect(says(page(name))).toMatch(/about (3|30) minutes after it was seen/);
  expect(says(page('confirmed-finality'))).toContain('about 16 minutes');
});

describe('hostile texts', () => {
  it('are escaped', () => {
    expect(html('hostile')).not.toContain('<script>alert');
    expect(html('hostile')).toContain('&lt;script&gt;alert(1)');
  });

  it('have their invisible characters shown', () => {
    expect(html('hostile')).not.toMatch(/[\u200b\u202e\u2066]/);
    expect(page('hostile').title).toContain('Order\ufffd1042\ufffd');
  });

  it('never become links', () => {
    expect(page('hostile').support).toMatchObject({ href: null, text: 'javascript:alert(1)' });
  });
});

describe('templates', () => {
  it.each([
    ['#each', 'choose', { options: [{ rows: undefined }] }],
    ['#with', 'settled', { later: undefined }],
  ])('have no %s of what the model does not have', (block, name, part) => {
    const model = { ...page(name), ...part };
    expect(() => views.render('checkout/pay', model)).toThrow(
      `the model does not have what ${block} is given`,
    );
  });
});

describe('pages about no payment', () => {
  it('say what to do, and quote the trace id of an error', () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const error = views.render(
      'checkout/message',
      failureView(500, traceId, { ...plain, sandbox: true, isAddressed: true, paymentPath: '/pay/pi_1' }),
    );
    expect(error).toContain(traceId);
    expect(error).toContain('Do not send again.');
    expect(error).toContain('<a class="button button-main" href="/pay/pi_1">Load this page again</a>');
    const nowhere = { ...plain, isAddressed: true, paymentPath: null };
    const unknown = views.render('checkout/message', notFoundView(traceId, nowhere));
    expect(unknown).toContain('This payment does not exist');
    expect(unknown).toContain(traceId);
  });
});

describe('the language', () => {
  it('is that of the page, and the others are offered, each in itself, for the same step', () => {
    const shown = html('waiting', { catalogue: catalogues.de, confirmCancel: true });
    expect(shown).toContain('<html lang="de-CH">');
    expect(shown).toContain('<span aria-current="true">Deutsch</span>');
    expect(page('waiting', { catalogue: catalogues.de }).languages?.choices).toEqual([
      { name: 'English', locale: 'en-GB', href: `/pay/${state('waiting').id}?lang=en` },
      { name: 'Deutsch', locale: 'de-CH', href: null },
      { name: 'Français', locale: 'fr-CH', href: `/pay/${state('waiting').id}?lang=fr` },
      { name: 'Italiano', locale: 'it-CH', href: `/pay/${state('waiting').id}?lang=it` },
      { name: 'Rumantsch', locale: 'rm-CH', href: `/pay/${state('waiting').id}?lang=rm` },
    ]);
    expect(shown).toContain(`href="/pay/${state('waiting').id}?cancel&#x3D;1&amp;lang&#x3D;fr"`);
    expect(shown).toContain('lang="rm-CH" hreflang="rm-CH">Rumantsch</a>');
  });

  it('changes neither what is to be sent nor where', () => {
    const sent = Object.values(catalogues).map((catalogue) => {
      const { send, version } = page('part', { catalogue });
      return [send?.amount, send?.address, send?.withAmount.path, version];
    });
    expect(new Set(sent.map((each) => JSON.stringify(each))).size).toBe(1);
  });

  it('of an answer to a form that failed cannot be chosen: there is no page to come back to', () => {
    const refused = failureView(403, 'x', { ...plain, isAddressed: false, paymentPath: '/pay/pi_1' });
    expect(refused.action).toEqual({ text: 'Go back', href: '/pay/pi_1' });
    expect(refused.languages).toBeNull();
    expect(views.render('checkout/message', refused)).not.toContain('class="languages"');
  });
});

it('marks the moments in sentences, so that the reader’s own zone can be told', () => {
  const { happened, parts } = page('expired-short').said;
  expect(happened).toContain('14:32\u00a0UTC');
  expect(parts).toContainEqual({ text: '14:32\u00a0UTC', iso: '2026-11-21T14:32:00.000Z', clock: true });
  expect(html('expired-short')).toContain(
    'ended at <time datetime="2026-11-21T14:32:00.000Z" data-clock>14:32\u00a0UTC</time>, and',
  );
  expect(html('settled')).toContain(
    '<time datetime="2026-11-21T14:21:50.000Z">21 Nov 2026, 14:21\u00a0UTC</time>',
  );
});

describe('how to check the address', () => {
  it('is in the details where it can pay out to one address alone', () => {
    const { verify } = page('waiting').record!;
    expect(verify!.text).toContain(`“${state('waiting').forwarded!.saltOf}”`);
    expect(verify!.facts.map(({ text }) => text)).toEqual([
      state('waiting').forwarded!.destination,
      state('waiting').forwarded!.factory,
      state('waiting').forwarded!.salt,
    ]);
    expect(html('waiting')).toContain('Check this address');
  });

  it('is not said where only the merchant’s own wallet can tell', () => {
    expect(page('part').record).toMatchObject({ verify: null });
    expect(html('part')).not.toContain('Check this address');
  });
});

describe('what sending costs', () => {
  it('orders the assets: unknown after known, closed last', () => {
    const reversed = { ...state('choose'), options: [...state('choose').options].reverse() };
    const assets = (intent: CheckoutIntent) => payView(intent, plain).options?.map(({ asset }) => asset);
    expect(assets(reversed)).toEqual(['USDC', 'ETH', 'USDT', 'BTC', 'LTC']);
    const closed = reversed.options.map((each) =>
      each.asset === 'ETH' ? { ...each, closed: 'no_rate' as const } : each,
    );
    expect(assets({ ...reversed, options: closed })).toEqual(['USDC', 'USDT', 'BTC', 'LTC', 'ETH']);
  });

  it('stands beside each way that says it, and orders the networks of an asset', () => {
    const rows = rowsOf(page('choose'));
    expect(rows.slice(0, 2).map(({ label, fee }) => [label, fee])).toEqual([
      ['Base', 'fee about CHF\u00a00.01'],
      ['Ethereum', 'fee about CHF\u00a00.36'],
    ]);
    expect(rows.find(({ asset }) => asset === 'BTC')?.fee).toBe('fee about CHF\u00a00.74');
    expect(rows.find(({ asset }) => asset === 'LTC')?.fee).toBeNull();
    expect(rowsOf(page('choose-some-closed')).at(-1)?.fee).toBeNull();
  });
});

describe('wallets', () => {
  it('in the browser are asked where they pay, and apps are named with the whole address of the page', () => {
    const { send } = page('waiting');
    expect(send?.browserWallets?.call).toEqual({ ...state('waiting').quote?.call, chainId: '1' });
    expect(JSON.parse(send?.browserWallets?.messages ?? '')).toMatchObject({ payWith: 'Pay with {}' });
    const coinbase = send?.apps?.opening.find(({ id }) => id === 'coinbase');
    const id = encodeURIComponent(`https://pay.example/pay/${state('waiting').id}`);
    expect(coinbase?.href).toBe(`https://go.cb-w.com/dapp?cb_url=${id}`);
    expect(page('waiting-btc').send?.browserWallets).toBeNull();
  });

  it('in the browser: what they will be asked is there to be read, as it is in the bytes that they get', () => {
    const { call, address } = state('waiting').quote!;
    const { shown } = page('waiting').send!.browserWallets!;
    expect(shown.short).toBe('transfer(0x52ab…1e5D, 56123400)');
    expect(shown.facts.map(({ name, text }) => [name, text.replaceAll('\u00a0', ' ')])).toEqual([
      ['Amount', '56.1234 USDC'],
      ['Network', 'Ethereum (chain 1)'],
      ['Contract', call!.to],
      ['Method', 'transfer(address, uint256)'],
      ['address', address],
      ['uint256', '56123400'],
      ['value', '0 wei'],
      ['data', call!.data],
    ]);
    const coin = { chainId: 1, to: address, data: '0x', value: '0x10' } as const;
    const ofCoin = { ...state('waiting'), quote: { ...state('waiting').quote!, call: coin } };
    expect(payView(ofCoin, plain).send?.browserWallets?.shown.short).toBe('16 wei → 0x52ab…1e5D');
  });
});
