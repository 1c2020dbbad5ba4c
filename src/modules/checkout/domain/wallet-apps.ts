import type { Family } from '../../../config/config.types.js';
import { plainText } from '../../../kernel/crypto-amount.js';
import { before, ownValue } from '../../../kernel/lookups.js';
import type { CheckoutQuote } from '../../intents/checkout.types.js';

/** An app on a phone that a link opens. */
export interface WalletApp {
  /** By which a browser remembers it. */
  readonly id: string;
  readonly name: string;
  readonly href: string;
  /** Whether it opens this page in its own browser, where it pays as a wallet of the browser does. */
  readonly opensPage: boolean;
}

/** Of which networks Trust Wallet knows a coin by a number of its own (wallet-core/docs/registry.md). */
const TRUST_COINS: Readonly<Record<string, number>> = { '1': 60, '137': 966, '42161': 10042221 };
const TRUST_FAMILIES: Readonly<Record<Exclude<Family, 'evm'>, number>> = { bitcoin: 0, litecoin: 2 };
/** Where Phantom is a wallet of the browser (docs.phantom.com). */
const PHANTOM_CHAINS: readonly number[] = [1, 137, 8453];

/**
 * Apps whose links are documented by their makers (ADR 61 says where), and that the quote can be paid with. The others take the
 * bare link, where the phone knows which of them to open.
 * @param pageUrl of the payment, for apps that open a page and no payment
 */
export function walletApps(quote: CheckoutQuote, pageUrl: string): WalletApp[] {
  return quote.call === null ? coinApps(quote) : evmApps(quote, quote.call.chainId, pageUrl);
}

function evmApps(quote: CheckoutQuote, chainId: number, pageUrl: string): WalletApp[] {
  const url = encodeURIComponent(pageUrl);
  const { origin, host } = new URL(pageUrl);
  const trust = trustSend(quote);
  const okx = encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${url}`);
  const tokenPocket = encodeURIComponent(JSON.stringify({ url: pageUrl, chain: 'ETH', source: host }));
  return [
    // What follows `ethereum:` in EIP-681 follows `send/` there.
    payment('metamask', 'MetaMask', `https://link.metamask.io/send/${quote.uri.slice('ethereum:'.length)}`),
    trust === null
      ? page('trust', 'Trust Wallet', `https://link.trustwallet.com/open_url?coin_id=60&url=${url}`)
      : payment('trust', 'Trust Wallet', trust),
    page('coinbase', 'Coinbase Wallet', `https://go.cb-w.com/dapp?cb_url=${url}`),
    ...(PHANTOM_CHAINS.includes(chainId)
      ? [page('phantom', 'Phantom', `https://phantom.app/ul/browse/${url}?ref=${encodeURIComponent(origin)}`)]
      : []),
    page('okx', 'OKX Wallet', `https://web3.okx.com/download?deeplink=${okx}`),
    page('bitget', 'Bitget Wallet', `https://bkcode.vip?action=dapp&url=${url}`),
    page('tokenpocket', 'TokenPocket', `tpdapp://open?params=${tokenPocket}`),
    page('imtoken', 'imToken', `imtokenv2://navigate/DappView?url=${url}`),
  ];
}

/** On Bitcoin and Litecoin: what BIP21 says, in the words of each. */
function coinApps(quote: CheckoutQuote): WalletApp[] {
  const [scheme = '', rest = ''] = quote.uri.split(/:(.*)/s);
  const trust = trustSend(quote);
  const bitcoin: readonly WalletApp[] = [
    payment('bluewallet', 'BlueWallet', `bluewallet:${quote.uri}`),
    payment('muun', 'Muun', `muun:${rest}`),
    payment('phoenix', 'Phoenix', `phoenix:${quote.uri}`),
  ];
  return [
    ...(scheme === 'bitcoin' ? bitcoin : []),
    payment('cake', 'Cake Wallet', `cakewallet:${scheme}?address=${rest.replace('?', '&')}`),
    payment('edge', 'Edge', `https://deep.edge.app/pay/${scheme}/${rest}`),
    ...(trust === null ? [] : [payment('trust', 'Trust Wallet', trust)]),
  ];
}

function trustSend({ call, uri, address, missing }: CheckoutQuote): string | null {
  const coin = call === null ? ownValue(TRUST_FAMILIES, before(':', uri)) : TRUST_COINS[String(call.chainId)];
  if (coin === undefined) return null;
  const token = call === null || call.data === '0x' ? '' : `_t${call.to}`;
  const query = `asset=c${coin}${token}&address=${address}&amount=${plainText(missing)}`;
  return `https://link.trustwallet.com/send?${query}`;
}

function payment(id: string, name: string, href: string): WalletApp {
  return { id, name, href, opensPage: false };
}

function page(id: string, name: string, href: string): WalletApp {
  return { id, name, href, opensPage: true };
}
