import { isNothing } from '../../../kernel/crypto-amount.js';
import { RecentlyUsed } from '../../../kernel/recently-used.js';
import { addressGroups } from '../../../kernel/text/address-text.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import { drawQr, type QrDrawing } from '../../../platform/pages/qr.js';
import type { CheckoutIntent, CheckoutQuote, PaymentOption } from '../../intents/checkout.types.js';
import { payPath } from '../../intents/checkout-paths.pure.js';
import type { Catalogue } from '../catalogue/en.js';
import {
  aboutText,
  amountGroups,
  fiatText,
  timeText,
  ungroupedWireText,
  unitText,
  walletHref,
} from '../domain/formats.js';
import { walletApps } from '../domain/wallet-apps.js';
import { type WalletCall, walletCall } from '../domain/wallet-call.js';
import type {
  AppLink,
  AppsModel,
  BrowserWalletsModel,
  ExchangeGuide,
  FactRow,
  OptionGroup,
  OptionRow,
  SendModel,
} from './pay.types.js';
import { textParts } from './text-parts.js';

const ASSETS_DRAWN: readonly string[] = ['usdc', 'usdt', 'eth', 'btc', 'ltc'];
const NETWORKS_DRAWN: readonly string[] = ['ethereum', 'base', 'polygon', 'arbitrum', 'bitcoin', 'litecoin'];

/** A page is made anew at each look, and its two codes stay the same: some 4 kB each, of the last thousands of buyers. */
const codes = new RecentlyUsed<QrDrawing>(5_000);
const codeOf = (text: string) => codes.get(text, () => drawQr(text));

/** What takes no longer than this needs no word about it. */
const WAIT_WORTH_SAYING_S = 120;

export function assetIcon(asset: string): string {
  const name = asset.toLowerCase();
  return `icons/asset-${ASSETS_DRAWN.includes(name) ? name : 'other'}`;
}

export function networkIcon(network: string): string {
  const name = network.toLowerCase();
  return `icons/network-${NETWORKS_DRAWN.includes(name) ? name : 'other'}`;
}

/**
 * By asset; what costs least to send comes first, among the assets and among the networks of each. What does not say its
 * cost comes after what does, in the order of the configuration, and what is closed last.
 */
export function optionGroups(intent: CheckoutIntent, catalogue: Catalogue): OptionGroup[] {
  const assets = [...new Set(intent.options.map(({ asset }) => asset))];
  const cheapestFirst = assets
    .map((asset) => {
      const options = intent.options.filter((option) => option.asset === asset);
      return { asset, options: options.sort(compareCost) };
    })
    .sort(({ options: [a] }, { options: [b] }) => (a && b ? compareCost(a, b) : 0));
  return cheapestFirst.map(({ asset, options }) => {
    const together = options.length > 1;
    return {
      asset: visibleText(asset),
      assetIcon: assetIcon(asset),
      together,
      rows: options.map((option) => optionRow(intent, option, together, catalogue)),
    };
  });
}

/** What can be picked first, of that what it costs to send is known of, and of that the cheapest. */
function compareCost(a: PaymentOption, b: PaymentOption): number {
  const [[placeA, minorA], [placeB, minorB]] = [costOf(a), costOf(b)];
  return placeA - placeB || (minorA < minorB ? -1 : minorA > minorB ? 1 : 0);
}

function costOf({ closed, feeMinor }: PaymentOption): readonly [place: number, minor: bigint] {
  if (closed !== null) return [2, 0n];
  return feeMinor === null ? [1, 0n] : [0, feeMinor];
}

function optionRow(
  { id, currency, options }: CheckoutIntent,
  option: PaymentOption,
  together: boolean,
  catalogue: Catalogue,
): OptionRow {
  const { asset, network, closed } = option;
  const networkName = visibleText(option.networkName);
  const isOpen = closed === null;
  return {
    id: `option-${options.indexOf(option) + 1}`,
    action: payPath(id, 'asset'),
    asset,
    network,
    label: together ? networkName : visibleText(asset),
    beside: together ? null : catalogue.on(networkName),
    icon: together ? null : assetIcon(asset),
    amount: isOpen && option.amount !== null ? unitText(option.amount, visibleText(asset)) : null,
    wait:
      isOpen && option.expectedSettleS > WAIT_WORTH_SAYING_S
        ? aboutText(option.expectedSettleS, catalogue)
        : null,
    fee:
      isOpen && option.feeMinor !== null
        ? catalogue.networkFee(fiatText(option.feeMinor, currency, catalogue))
        : null,
    reason: isOpen ? null : catalogue.closedReasons[closed],
  };
}

/**
 * What to send: the missing part where some has arrived. `quote.uri` has to carry the same amount, since
 * the links are made where the asset's decimals and contract are known.
 */
export function sendModel(
  quote: CheckoutQuote,
  catalogue: Catalogue,
  pageUrl: string,
  open: string | null = null,
): SendModel {
  const isFirst = isNothing(quote.received);
  const due = isFirst ? quote.amount : quote.missing;
  const amount = ungroupedWireText(due);
  const asset = visibleText(quote.asset);
  const network = visibleText(quote.networkName);
  const { prefix, groups } = addressGroups(quote.address);
  const withUnit = unitText(due, asset);
  return {
    heading: isFirst ? catalogue.sendExactly : catalogue.sendMissing,
    asset,
    amount,
    amountGroups: amountGroups(amount),
    copyAmount: catalogue.copyAmount(withUnit),
    onlyOn: catalogue.onlyOn,
    networkIcon: networkIcon(quote.network),
    network,
    never: catalogue.neverElsewhere(asset),
    to: catalogue.to,
    address: quote.address,
    addressPrefix: prefix,
    addressGroups: groups,
    copyAddress: catalogue.copyAddress,
    browserWallets: browserWallets(quote, withUnit, network, catalogue),
    apps: appsModel(quote, catalogue, pageUrl, open === 'apps'),
    showCode: catalogue.showCode,
    codeIsOpen: open === 'code' || open === 'address-code',
    addressCodeIsOpen: open === 'address-code',
    qrLabel: catalogue.qr,
    withAmountLabel: catalogue.qrWithAmount,
    addressOnlyLabel: catalogue.qrAddressOnly,
    withAmount: { ...codeOf(quote.uri), alt: catalogue.qrAlt(withUnit, network), hint: null },
    addressOnly: {
      ...codeOf(quote.addressUri),
      alt: catalogue.qrAltAddress(network),
      hint: catalogue.qrHintAddress,
    },
    exchange: { ...exchangeGuide(quote, withUnit, catalogue), isOpen: open === 'exchange' },
    sent: {
      title: catalogue.sent.title,
      isOpen: open === 'sent',
      text: catalogue.sent.text(network, aboutText(quote.expectedSettleS, catalogue)),
    },
  };
}

function browserWallets(
  quote: CheckoutQuote,
  amount: string,
  network: string,
  catalogue: Catalogue,
): BrowserWalletsModel | null {
  const { call } = quote;
  const shown = walletCall(quote);
  if (call === null || shown === null) return null;
  const { payWith, first, asks, noFunds, sent, again, ...others } = catalogue.browserWallet;
  const named = {
    payWith: payWith('{}'),
    first: first(amount, network),
    asks: asks(amount, network),
    noFunds: noFunds(amount, network),
    sent: sent(network),
  };
  return {
    call: { ...call, chainId: String(call.chainId) },
    shown: callShown(shown, amount, network, catalogue),
    messages: JSON.stringify({ ...others, ...named }),
    first: named.first,
    again,
  };
}

/** Names that every wallet has for these stay as they are: whoever compares finds the same words there. */
function callShown(
  { chainId, to, transfer, value, data }: WalletCall,
  amount: string,
  network: string,
  { exactCall }: Catalogue,
): BrowserWalletsModel['shown'] {
  const fact = (name: string, text: string, code = true): FactRow => {
    return { name, text, parts: [{ text, iso: null, clock: false }], code };
  };
  const call =
    transfer === null
      ? [fact(exactCall.to, to)]
      : [
          fact(exactCall.contract, to),
          fact(exactCall.method, 'transfer(address, uint256)'),
          fact('address', transfer.to),
          fact('uint256', transfer.atoms),
        ];
  return {
    title: exactCall.title,
    short:
      transfer === null
        ? `${value} wei → ${shortened(to)}`
        : `transfer(${shortened(transfer.to)}, ${transfer.atoms})`,
    facts: [
      fact(exactCall.amount, amount, false),
      fact(exactCall.network, `${network} (chain ${chainId})`, false),
      ...call,
      fact('value', `${value} wei`),
      ...(data === '0x' ? [] : [fact('data', data)]),
    ],
  };
}

/** To be recognised, not compared: the whole of it stands below. */
function shortened(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

function appsModel(
  quote: CheckoutQuote,
  catalogue: Catalogue,
  pageUrl: string,
  isOpen: boolean,
): AppsModel | null {
  const { choose, openIn, other, opensPage, nothingOpened } = catalogue.apps;
  const bare = walletHref(quote.uri);
  if (bare === null) return null;
  const links = walletApps(quote, pageUrl).map((app): AppLink & { opensPage: boolean } => ({
    ...app,
    // To its maker's site, which takes the place of no page that somebody pays on.
    inNewTab: app.href.startsWith('https:'),
  }));
  return {
    choose,
    isOpen,
    openIn: openIn('{}'),
    paying: links.filter((link) => !link.opensPage),
    opensPage,
    opening: links.filter((link) => link.opensPage),
    other: { id: 'other', name: other, href: bare, inNewTab: false },
    nothingOpened,
  };
}

function exchangeGuide(
  { asset, networkName, sendBefore }: CheckoutQuote,
  amount: string,
  catalogue: Catalogue,
): Omit<ExchangeGuide, 'isOpen'> {
  const { title, choose, arrive, batches, feeLabel, sum, unread } = catalogue.exchange;
  return {
    title,
    steps: [
      choose(visibleText(asset), visibleText(networkName)),
      arrive(amount),
      batches(timeText(sendBefore, catalogue)),
    ].map((step) => textParts(step, [sendBefore], catalogue)),
    feeLabel: feeLabel(visibleText(asset)),
    sum: sum(`{}\u00a0${visibleText(asset)}`),
    unread,
  };
}
