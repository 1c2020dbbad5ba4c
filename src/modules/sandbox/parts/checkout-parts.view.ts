import { addressGroups } from '../../../kernel/text/address-text.js';
import { drawQr } from '../../../platform/pages/qr.js';
import type { CheckoutParts } from '../../checkout/views/pay.types.js';

type TextPart = CheckoutParts['said']['parts'][number];
type OptionGroup = NonNullable<CheckoutParts['options']>[number];
type OptionRow = OptionGroup['rows'][number];
type TransferRow = CheckoutParts['sentBack'][number];

const AT: TextPart = { text: '14:32', iso: '2026-11-24T14:32:00.000Z', clock: true };
const text = (words: string): TextPart => ({ text: words, iso: null, clock: false });
const ADDRESS = '0x52ab91c0D4e7F83b6A2951dcE08f47B3a96C1e5D';
const BITCOIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const TXID = `0x${'7f69ea41'.repeat(8)}`;
const HERE = '#exact';

const STEPS = ['Waiting', 'Seen', 'Confirmed', 'Settled'];

function progressAt(current: number): CheckoutParts['progress'][number] {
  const steps = STEPS.map((label, index) => ({
    label,
    markIcon: `icons/step-${index < current ? 'done' : index === current ? 'now' : 'todo'}`,
    current: index === current,
    reached: index < current,
    doneText: 'done',
  }));
  return { progressLabel: `Progress: ${STEPS[current] ?? ''}`, steps };
}

function option(id: string, more: Partial<OptionRow>): OptionRow {
  const row = { action: HERE, asset: 'USDC', network: id, label: id, beside: null, icon: null };
  return { id: `option-${id}`, ...row, amount: null, wait: null, fee: null, reason: null, ...more };
}

const OPTIONS: readonly OptionGroup[] = [
  {
    asset: 'USDC',
    assetIcon: 'icons/asset-usdc',
    together: true,
    rows: [
      option('Polygon', {
        amount: '1\u202f162\u202f790.686047\u00a0USDC',
        fee: 'network fee about CHF 0.01',
      }),
      option('Ethereum', {
        amount: '1\u202f162\u202f790.686047\u00a0USDC',
        fee: 'network fee about CHF 0.60',
        wait: 'about 3\u00a0minutes',
      }),
    ],
  },
  {
    asset: 'LTC',
    assetIcon: 'icons/asset-ltc',
    together: false,
    rows: [
      option('Litecoin', {
        label: 'LTC',
        beside: 'Litecoin',
        icon: 'icons/asset-ltc',
        reason: 'not available at the moment',
      }),
    ],
  },
];

const transfer = (more: Partial<TransferRow>): TransferRow => ({
  amount: '31.19 USDC',
  onNetwork: 'on Ethereum',
  state: 'final',
  when: [AT],
  txid: TXID,
  label: 'Transaction',
  href: null,
  ...more,
});

function qr(): CheckoutParts['qr'] {
  const alt = 'QR code with the address';
  return { ...drawQr(`ethereum:${ADDRESS}`), alt, hint: 'What the wallet has to be told besides.' };
}

/** Each part with made-up contents, in all of its states. */
export function checkoutPartsView(): CheckoutParts & Readonly<Record<string, unknown>> {
  const tones = { good: 'done', warn: 'warn', bad: 'fail', plain: 'wait' };
  return {
    exact: { text: '1250156.1234', groups: ['1', '250', '156.1234'], asset: 'USDC' },
    bitcoin: { text: BITCOIN, ...addressGroups(BITCOIN) },
    qr: qr(),
    progress: STEPS.map((_, index) => progressAt(index)),
    toned: Object.entries(tones).map(([tone, mark]) => ({
      tone,
      markIcon: `icons/mark-${mark}`,
      text: `What is ${tone}.`,
    })),
    options: OPTIONS,
    said: {
      title: 'Part of it arrived',
      happened: 'Part of it arrived.',
      next: '',
      todo: 'Send the missing 31.19 USDC to the same address.',
      parts: [text('31.19 of 62.38 USDC arrived, and the window ends at '), AT, text('.')],
      markIcon: 'icons/mark-part',
      tone: 'warn',
    },
    saidText: true,
    found: {
      title: 'Another coin arrived',
      transfers: {
        rows: [transfer({}), transfer({ href: HERE, state: 'seen', when: null })],
        more: 'and 20 more',
      },
      text: 'It is not what was asked for.',
      link: { href: HERE, label: 'Ask for it back', main: false },
    },
    transfersTitle: 'What arrived',
    refundsTitle: 'Sent back',
    sentBack: [transfer({ state: 'sent' }), transfer({ state: 'asked', txid: null })],
    refundForm: {
      action: HERE,
      networks: [
        { id: 'ethereum', name: 'Ethereum', selected: true },
        { id: 'polygon', name: 'Polygon', selected: false },
      ],
      onlyNetwork: null,
      networkLabel: 'Network',
      addressLabel: 'Your address',
      addressHint: 'Where the money should go.',
      address: '0x52ab',
      addressFlaw: 'This is no address on Ethereum.',
      noteLabel: 'Note',
      note: 'too much of it',
      noteFlaw: 'At most 200 characters.',
      noteMaxLength: '200',
      save: 'Save',
      back: 'Back',
      backHref: HERE,
    },
    refunds: {
      title: 'Your refund',
      parts: [text('It goes to the address that you left at '), AT, text('.')],
      address: ADDRESS,
      inGroups: addressGroups(ADDRESS),
      onNetwork: 'on Ethereum',
      note: 'What was noted.',
      unchecked: 'Nobody has checked it.',
      earlier: {
        title: 'Left before',
        rows: [{ address: ADDRESS, onNetwork: 'on Polygon', parts: [AT] }],
      },
      link: null,
    },
    actions: [
      { id: 'go-shop', href: HERE, label: 'Back to Demo Shop', primary: true, plain: false },
      { id: 'other-way', href: HERE, label: 'Other way to pay', primary: false, plain: false },
    ],
    support: { lead: 'Questions?', text: 'help@shop.example', href: 'mailto:help@shop.example' },
    reference: { label: 'Payment', id: 'pi_01jd6w3b9hq4v8n2m5x7c1z0k8t3yr', copy: 'Copy the payment’s id' },
    record: {
      title: 'Details',
      isOpen: false,
      facts: [
        { name: 'Amount', text: '', parts: [text('56.1234 USDC')], code: false },
        { name: 'Address', text: ADDRESS, parts: [], code: true },
      ],
      transfers: { rows: [transfer({})], more: null },
      others: {
        title: 'Another coin arrived',
        transfers: { rows: [transfer({ amount: '0.01 ETH' })], more: null },
      },
      verify: null,
      print: null,
    },
    languages: {
      label: 'Language',
      choices: [
        { name: 'English', locale: 'en', href: null },
        { name: 'Deutsch', locale: 'de', href: HERE },
      ],
    },
  };
}
