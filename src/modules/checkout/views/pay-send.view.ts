import type { CheckoutIntent, CheckoutQuote } from '../../intents/intents.types.js';
import { closedReasons, messages } from '../catalogue.js';
import { aboutText, addressGroups, amountParts, unitText, walletHref } from '../domain/formats.js';
import { isZero } from '../domain/page-state.js';
import { drawQr } from '../../../platform/qr.js';
import { visibleText } from '../../../kernel/visible-text.js';
import type { OptionRow, QrModel, SendModel } from './pay.types.js';

const ASSETS_DRAWN: readonly string[] = ['usdc', 'usdt', 'eth', 'btc', 'ltc'];
const NETWORKS_DRAWN: readonly string[] = ['ethereum', 'base', 'polygon', 'arbitrum', 'bitcoin', 'litecoin'];

export function assetIcon(asset: string): string {
  const name = asset.toLowerCase();
  return `icons/asset-${ASSETS_DRAWN.includes(name) ? name : 'other'}`;
}

export function networkIcon(network: string): string {
  const name = network.toLowerCase();
  return `icons/network-${NETWORKS_DRAWN.includes(name) ? name : 'other'}`;
}

export function optionRows(intent: CheckoutIntent): OptionRow[] {
  return intent.options.map((option, index) => ({
    id: `option-${index + 1}`,
    action: `/pay/${intent.id}/asset`,
    asset: visibleText(option.asset),
    network: option.network,
    assetIcon: assetIcon(option.asset),
    networkIcon: networkIcon(option.network),
    onNetwork: messages.on(visibleText(option.networkName)),
    amount: option.closed === null && option.amount !== null ? unitText(option.amount, option.asset) : null,
    wait: option.closed === null ? aboutText(option.expectedSettleS) : null,
    reason: option.closed === null ? null : closedReasons[option.closed],
  }));
}

/**
 * What to send: the missing part where some has arrived. `quote.uri` has to carry the same amount, since
 * the links are made where the asset's decimals and contract are known.
 */
export function sendModel(quote: CheckoutQuote, isTitle: boolean): SendModel {
  const amount = isZero(quote.received) ? quote.amount : quote.missing;
  const asset = visibleText(quote.asset);
  const networkName = visibleText(quote.networkName);
  const [networkBefore, network, networkAfter] = messages.onNetworkTo(networkName);
  const { prefix, groups } = addressGroups(quote.address);
  return {
    heading: isTitle ? messages.sendExactly : messages.sendMissing,
    isTitle,
    asset,
    assetIcon: assetIcon(quote.asset),
    networkIcon: networkIcon(quote.network),
    amount: amountParts(amount),
    copyAmount: messages.copyAmount(unitText(amount, asset)),
    copyAddress: messages.copyAddress,
    copy: messages.copy,
    networkBefore,
    network,
    networkAfter,
    address: quote.address,
    addressPrefix: prefix,
    addressGroups: groups,
    exchangeFee: messages.exchangeFee,
    openWallet: messages.openWallet,
    qrLabel: messages.qr,
    withAmountLabel: messages.qrWithAmount,
    addressOnlyLabel: messages.qrAddressOnly,
    withAmount: qrModel(quote.uri, messages.qrAlt(unitText(amount, asset), networkName), messages.qrHint),
    addressOnly: qrModel(quote.addressUri, messages.qrAltAddress(networkName), messages.qrHintAddress),
  };
}

function qrModel(uri: string, alt: string, hint: string): QrModel {
  return { ...drawQr(uri), alt, hint, href: walletHref(uri) };
}
