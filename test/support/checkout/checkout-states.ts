import { WIRE_DECIMALS } from '../../../src/kernel/crypto-amount.js';
import type {
  CheckoutIntent,
  CheckoutQuote,
  CheckoutRefund,
  CheckoutRefunds,
  CheckoutRefundState,
  CheckoutTransfer,
  PaymentOption,
  RefundRequest,
} from '../../../src/modules/intents/checkout.types.js';
import type { Face } from '../../../src/modules/merchants/merchants.types.js';
import { LOGO } from '../browser/logo.js';
import { amountOf, priceAt } from '../intents/amount.js';

/** One intent for every page that the checkout has; the clock stands at 14:20 and the window ends at 14:32. */
const NOW = new Date('2026-11-21T14:20:00.000Z');
const EXPIRES = new Date('2026-11-21T14:32:00.000Z');
const LATER = new Date('2026-11-21T14:40:00.000Z');
const EVM_ADDRESS = '0x52ab91c0D4e7F83b6A2951dcE08f47B3a96C1e5D';
const BTC_ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const TXID = '0x8f3c1d2e4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddeeff0';
const BTC_TXID = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b';

const forwarded = {
  destination: '0x5aFE5afE5afE5AFe5AFE5AfE5Afe5aFE5afe5afe',
  factory: '0xfEE6740B28B3CbB6253f58B0a658972482c9FfBa',
  salt: `0x${'5a17'.repeat(16)}`,
  saltOf: 'pi_01jd6w3h4k2m9x7c5v8b1n0qzr3t6y/ethereum/USDC',
};

const options: readonly PaymentOption[] = [
  option('ethereum', 'Ethereum', 'USDC', '56.123412'),
  option('base', 'Base', 'USDC', '56.123412'),
  option('ethereum', 'Ethereum', 'USDT', '56.140287'),
  option('ethereum', 'Ethereum', 'ETH', '0.01883456'),
  option('bitcoin', 'Bitcoin', 'BTC', '0.00061234'),
  option('litecoin', 'Litecoin', 'LTC', '0.58120000'),
];

/** The least and the most that can be asked for. */
const smallest: readonly PaymentOption[] = [
  option('ethereum', 'Ethereum', 'USDC', '0.011628'),
  option('polygon', 'Polygon', 'USDC', '0.011628'),
  option('ethereum', 'Ethereum', 'USDT', '0.011633'),
  option('polygon', 'Polygon', 'POL', '0.04166667'),
  option('litecoin', 'Litecoin', 'LTC', '0.00011365'),
];
const largest: readonly PaymentOption[] = [
  option('ethereum', 'Ethereum', 'USDC', '1162790.686047', 312_345n),
  option('polygon', 'Polygon', 'USDC', '1162790.686047'),
  option('arbitrum', 'Arbitrum One', 'USDC', '1162790.686047'),
  option('ethereum', 'Ethereum', 'USDT', '1163331.786179', 312_345n),
  option('polygon', 'Polygon', 'POL', '4166666.625'),
  option('ethereum', 'Ethereum', 'ETH', '333.33333', 123_456n),
  option('bitcoin', 'Bitcoin', 'BTC', '12.27134567'),
  option('litecoin', 'Litecoin', 'LTC', '11364.77259091'),
];

const closedOptions: readonly PaymentOption[] = [
  { ...option('ethereum', 'Ethereum', 'USDC', null), closed: 'no_rate' },
  { ...option('ethereum', 'Ethereum', 'ETH', null), closed: 'network_unavailable' },
  { ...option('bitcoin', 'Bitcoin', 'BTC', '0.00000102'), closed: 'below_minimum' },
];

function option(
  network: string,
  networkName: string,
  asset: string,
  amount: string | null,
  fee?: bigint,
): PaymentOption {
  const expectedSettleS = network === 'base' ? 40 : network === 'ethereum' ? 150 : 1800;
  // Litecoin's node says nothing.
  const feesMinor: Readonly<Record<string, bigint | null>> = { base: 1n, bitcoin: 74n, litecoin: null };
  const feeMinor = fee ?? (network in feesMinor ? feesMinor[network]! : asset === 'ETH' ? 11n : 36n);
  const charged = amount === null ? null : amountOf(amount);
  return { network, networkName, asset, amount: charged, expectedSettleS, feeMinor, closed: null };
}

const usdc: CheckoutQuote = {
  network: 'ethereum',
  networkName: 'Ethereum',
  asset: 'USDC',
  amount: amountOf('56.1234'),
  address: EVM_ADDRESS,
  uri: `ethereum:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48@1/transfer?address=${EVM_ADDRESS}&uint256=56123400`,
  addressUri: `ethereum:${EVM_ADDRESS}@1`,
  call: {
    chainId: 1,
    to: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    data: `0xa9059cbb${EVM_ADDRESS.slice(2).toLowerCase().padStart(64, '0')}${56_123_400n.toString(16).padStart(64, '0')}`,
    value: '0x0',
  },
  price: priceAt('0.889122'),
  received: amountOf('0'),
  missing: amountOf('56.1234'),
  excess: null,
  complete: false,
  transfers: [],
  requiredConfirmations: 12,
  expectedSettleS: 150,
  sendBefore: new Date('2026-11-21T14:31:36.000Z'),
};

const btc: CheckoutQuote = {
  ...usdc,
  network: 'bitcoin',
  networkName: 'Bitcoin',
  asset: 'BTC',
  amount: amountOf('0.00061234'),
  address: BTC_ADDRESS,
  uri: `bitcoin:${BTC_ADDRESS}?amount=0.00061234`,
  addressUri: `bitcoin:${BTC_ADDRESS}`,
  call: null,
  price: priceAt('81490.671842'),
  missing: amountOf('0.00061234'),
  requiredConfirmations: 3,
  expectedSettleS: 1800,
  sendBefore: EXPIRES,
};

const usdcTransfer: CheckoutTransfer = {
  txid: TXID,
  network: 'ethereum',
  networkName: 'Ethereum',
  asset: 'USDC',
  amount: amountOf('56.1234'),
  state: 'included',
  confirmations: 1,
  final: false,
  explorerUrl: `https://etherscan.io/tx/${TXID}`,
};

const btcTransfer: CheckoutTransfer = {
  txid: BTC_TXID,
  network: 'bitcoin',
  networkName: 'Bitcoin',
  asset: 'BTC',
  amount: amountOf('0.00061234'),
  state: 'mempool',
  confirmations: 0,
  final: false,
  explorerUrl: null,
};

function paid(quote: CheckoutQuote, ...transfers: CheckoutTransfer[]): CheckoutQuote {
  return { ...quote, received: quote.amount, missing: amountOf('0'), complete: true, transfers };
}

const half: CheckoutQuote = {
  ...usdc,
  uri: usdc.uri.replace('56123400', '6123400'),
  received: amountOf('50'),
  missing: amountOf('6.1234'),
  transfers: [{ ...usdcTransfer, amount: amountOf('50'), confirmations: 4, final: true }],
};

const NO_FACE: Face = { color: null, logo: null };

const chosen: CheckoutIntent = {
  id: 'pi_01jd6w3h4k2m9x7c5v8b1n0qzr3t6y',
  status: 'initiated',
  amountMinor: 4990n,
  currency: 'CHF',
  title: 'Order 1042: two bags of coffee',
  merchant: {
    name: 'Alpine Coffee',
    supportContact: 'help@alpine-coffee.example',
    accepting: true,
    face: NO_FACE,
  },
  returnUrl: 'https://alpine-coffee.example/orders/1042',
  createdAt: new Date('2026-11-21T14:17:00.000Z'),
  expiresAt: EXPIRES,
  confirmedAt: null,
  settledAt: null,
  options,
  quote: usdc,
  unseen: false,
  forwarded: null,
  otherTransfers: [],
  dropped: [],
  maySwitch: true,
  mayCancel: true,
  refunds: null,
  settlingWithheld: false,
  settlementUndone: false,
  now: NOW,
};

const under = { maySwitch: false, mayCancel: false, options: [] } as const;
const pending = { ...chosen, ...under, status: 'pending' } as const;
const confirmed = {
  ...pending,
  status: 'confirmed',
  confirmedAt: new Date('2026-11-21T14:19:20.000Z'),
} as const;
const settled = {
  ...confirmed,
  status: 'settled',
  settledAt: new Date('2026-11-21T14:21:50.000Z'),
  now: LATER,
} as const;
const expired = { ...pending, status: 'expired', now: LATER } as const;
const deep = { ...usdcTransfer, confirmations: 14, final: true };
const otherEth: CheckoutTransfer = {
  ...usdcTransfer,
  asset: 'ETH',
  amount: amountOf('0.01'),
  final: true,
  explorerUrl: null,
};

const onEthereum = { network: 'ethereum', networkName: 'Ethereum' };
const onPolygon = { network: 'polygon', networkName: 'Polygon' };
const open: CheckoutRefunds = {
  open: true,
  soon: false,
  networks: [onEthereum],
  requests: [],
  refunds: [],
  sums: [],
  closedAt: null,
};
const wish: RefundRequest = {
  ...onEthereum,
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  note: 'My order number is 1042. I sent it from an exchange, whose fee I forgot.',
  at: LATER,
  verified: false,
};
const asked: CheckoutRefunds = { ...open, requests: [wish] };
const closed: CheckoutRefunds = { ...asked, open: false, networks: [], closedAt: LATER };

/** Refunds of USDC on Ethereum. @param owed all that there was to give back */
function refunding(owed: string, ...of: Partial<CheckoutRefund>[]): CheckoutRefunds {
  const refunds = of.map((each): CheckoutRefund => ({
    ...onEthereum,
    asset: 'USDC',
    amount: amountOf('0'),
    typed: '',
    state: 'final',
    txid: TXID,
    explorerUrl: each.txid === null ? null : `https://etherscan.io/tx/${TXID}`,
    at: LATER,
    ...each,
  }));
  const sum = (states: readonly CheckoutRefundState[]) => {
    const atoms = refunds
      .filter(({ state }) => states.includes(state))
      .reduce((total, { amount }) => total + (amount?.atoms ?? 0n), 0n);
    return { atoms, decimals: WIRE_DECIMALS };
  };
  const [returned, underWay] = [sum(['final', 'recorded']), sum(['asked', 'sent', 'seen', 'undone'])];
  return {
    ...closed,
    refunds,
    sums: [{ ...onEthereum, asset: 'USDC', returned, underWay, owed: amountOf(owed) }],
  };
}
const twoRefunds: readonly Partial<CheckoutRefund>[] = [
  { amount: amountOf('20') },
  { amount: amountOf('30'), state: 'seen', txid: TXID.replace('8f3c', '77aa') },
];
const otherUsdc: CheckoutTransfer = {
  ...usdcTransfer,
  ...onPolygon,
  amount: amountOf('25'),
  final: true,
  explorerUrl: `https://polygonscan.com/tx/${TXID}`,
};

const overpaid: CheckoutIntent = {
  ...settled,
  quote: {
    ...paid(usdc, { ...deep, amount: amountOf('60') }),
    received: amountOf('60'),
    excess: amountOf('3.8766'),
  },
};
function faced(color: string, bright: boolean): CheckoutIntent {
  const { hash, width, height } = LOGO;
  const face = { color, logo: { hash, width, height, bright } };
  return { ...chosen, forwarded, merchant: { ...chosen.merchant, face } };
}

/** The price is still waited for, and something that nobody asked for is there. */
const strayed: CheckoutIntent = {
  ...chosen,
  mayCancel: false,
  otherTransfers: [otherUsdc],
  refunds: { ...open, networks: [onPolygon] },
};

export const checkoutStates: Record<string, CheckoutIntent> = {
  choose: { ...chosen, quote: null, maySwitch: true },
  'choose-smallest': {
    ...chosen,
    amountMinor: 1n,
    currency: 'EUR',
    quote: null,
    options: smallest,
  },
  'choose-largest': {
    ...chosen,
    amountMinor: 99_999_999n,
    currency: 'EUR',
    quote: null,
    options: largest,
  },
  'choose-some-closed': {
    ...chosen,
    quote: null,
    title: null,
    options: [...options.slice(0, 3), ...closedOptions.slice(1)],
  },
  'all-closed': { ...chosen, quote: null, options: closedOptions },
  suspended: { ...chosen, quote: null, options: [], merchant: { ...chosen.merchant, accepting: false } },
  waiting: { ...chosen, forwarded },
  'waiting-btc': { ...chosen, quote: btc, merchant: { ...chosen.merchant, supportContact: null } },
  'waiting-face': faced('#0a5c36', false),
  'waiting-face-pale': faced('#ffdd00', true),
  'waiting-face-btc': { ...faced('#0a5c36', false), quote: btc, forwarded: null },
  'waiting-large': {
    ...chosen,
    amountMinor: 99_999_999n,
    quote: { ...usdc, amount: amountOf('1123456.123456'), missing: amountOf('1123456.123456') },
  },
  'waiting-urgent': { ...chosen, forwarded, now: new Date(usdc.sendBefore.getTime() - 95_000) },
  blind: { ...chosen, unseen: true, options: closedOptions },
  'blind-other': {
    ...chosen,
    unseen: true,
    options: options.map((each) =>
      each.network === 'ethereum' ? { ...each, closed: 'network_unavailable' as const } : each,
    ),
  },
  'blind-part': { ...pending, quote: half, unseen: true },
  'too-late': { ...chosen, now: new Date('2026-11-21T14:31:40.000Z') },
  part: { ...pending, quote: half },
  'part-other-asset': { ...pending, quote: half, otherTransfers: [otherEth], refunds: open },
  'seen-mempool': { ...pending, quote: paid(btc, btcTransfer) },
  seen: { ...pending, quote: paid(usdc, usdcTransfer) },
  'seen-overpaid': {
    ...pending,
    quote: { ...paid(usdc, usdcTransfer), received: amountOf('60'), excess: amountOf('3.8766') },
  },
  confirmed: {
    ...confirmed,
    quote: paid(btc, { ...btcTransfer, state: 'included', confirmations: 1 }),
  },
  'confirmed-finality': {
    ...confirmed,
    quote: { ...paid(usdc, usdcTransfer), requiredConfirmations: null, expectedSettleS: 960 },
  },
  withheld: {
    ...confirmed,
    settlingWithheld: true,
    quote: paid(usdc, { ...usdcTransfer, state: 'missing', confirmations: 0 }),
  },
  settled: { ...settled, quote: paid(usdc, deep) },
  'settled-overpaid': { ...overpaid, refunds: { ...open, open: false } },
  'settled-overpaid-asked': { ...overpaid, refunds: { ...asked, open: false } },
  'settled-overpaid-elsewhere': overpaid,
  'settled-refunding': {
    ...overpaid,
    refunds: refunding('3.8766', { amount: amountOf('3.8766'), state: 'sent' }),
  },
  'settled-part-refunded': { ...overpaid, refunds: refunding('3.8766', { amount: amountOf('1') }) },
  'settled-refunded': { ...overpaid, refunds: refunding('3.8766', { amount: amountOf('3.8766') }) },
  'settled-accepted': { ...settled, confirmedAt: settled.settledAt, quote: half, now: LATER },
  'expired-unpaid': { ...expired },
  'expired-unpicked': { ...expired, quote: null },
  'expired-short': { ...expired, quote: half, refunds: open },
  'expired-asked': { ...expired, quote: half, refunds: asked },
  'expired-asked-twice': {
    ...expired,
    quote: half,
    refunds: { ...asked, requests: [{ ...wish, address: EVM_ADDRESS, at: EXPIRES }, wish] },
  },
  'expired-refunding': {
    ...expired,
    quote: half,
    refunds: {
      ...refunding('50', { amount: amountOf('50'), state: 'asked', txid: null }),
      closedAt: null,
    },
  },
  'expired-refund-undone': {
    ...expired,
    quote: half,
    refunds: refunding('50', { amount: amountOf('50'), state: 'undone' }),
  },
  'expired-part-refunded': { ...expired, quote: half, refunds: refunding('50', ...twoRefunds) },
  'expired-refunded': {
    ...expired,
    quote: half,
    refunds: refunding('50', { amount: amountOf('50') }),
  },
  'expired-refund-recorded': {
    ...expired,
    quote: half,
    refunds: refunding('50', { amount: amountOf('50'), state: 'recorded', explorerUrl: null }),
  },
  'expired-refund-unfound': {
    ...expired,
    quote: half,
    refunds: refunding('50', { amount: amountOf('50'), state: 'unfound', txid: null }),
  },
  'expired-dismissed': { ...expired, quote: half, refunds: closed },
  'expired-late': { ...expired, quote: paid(usdc, deep), refunds: open },
  'expired-other-asset': { ...expired, otherTransfers: [otherEth], refunds: open },
  'waiting-other-network': strayed,
  'waiting-other-asked': {
    ...strayed,
    refunds: { ...asked, networks: [onPolygon], requests: [{ ...wish, ...onPolygon }] },
  },
  'waiting-other-arriving': {
    ...strayed,
    otherTransfers: [{ ...otherUsdc, final: false, confirmations: 3 }],
    refunds: { ...open, open: false, soon: true, networks: [] },
  },
  'expired-other-network': {
    ...expired,
    quote: half,
    otherTransfers: [otherUsdc],
    refunds: { ...open, networks: [onEthereum, onPolygon] },
  },
  'settled-undone': {
    ...settled,
    settlementUndone: true,
    quote: { ...usdc, transfers: [] },
  },
  'expired-arriving': {
    ...expired,
    quote: { ...usdc, transfers: [{ ...usdcTransfer, state: 'mempool', confirmations: 0 }] },
  },
  'cancelled-arriving': {
    ...chosen,
    ...under,
    status: 'cancelled',
    quote: { ...usdc, transfers: [usdcTransfer] },
  },
  failed: {
    ...pending,
    status: 'failed',
    now: LATER,
    quote: btc,
    dropped: [{ ...btcTransfer, state: 'missing' }],
  },
  cancelled: { ...chosen, ...under, status: 'cancelled' },
  'cancelled-paid': { ...chosen, ...under, status: 'cancelled', quote: half, refunds: open },
  hostile: {
    ...chosen,
    title: '<script>alert(1)</script> Order\u202e1042\u200b "&\' ' + 'x'.repeat(90),
    merchant: {
      name: 'Evil\u202eCorp\u2066<b>',
      supportContact: 'javascript:alert(1)',
      accepting: true,
      face: NO_FACE,
    },
    returnUrl: 'https://evil.example/',
  },
};
