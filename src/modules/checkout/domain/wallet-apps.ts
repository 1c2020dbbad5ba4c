import { formatDecimal, trimZeros } from '../../../kernel/decimal.js';
import type { CheckoutQuote } from '../../intents/intents.types.js';

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
const TRUST_FAMILIES: Readonly<Record<string, number>> = { bitcoin: 0, litecoin: 2 };
/** Where Phantom is a wallet of the browser (docs.phantom.com). */
const PHANTOM_CHAINS: readonly number[] = [1, 137, 8453];

/**
 * Apps whose links are documented by their makers, and that the quote can be paid with. The others take the bare link,
 * where the phone knows which of them to open.
 * @param pageUrl of the payment, for apps that open a page and no payment
 */
export function walletApps(quote: CheckoutQuote, pageUrl: string): WalletApp[] {
  const { call, uri } = quote;
  const trust = trustSend(quote);
  if (call === null) {
    return [
      ...(uri.startsWith('bitcoin:') ? [payment('bluewallet', 'BlueWallet', `bluewallet:${uri}`)] : []),
      ...(trust === null ? [] : [payment('trust', 'Trust Wallet', trust)]),
    ];
  }
  const url = encodeURIComponent(pageUrl);
  const okx = encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${url}`);
  const origin = encodeURIComponent(new URL(pageUrl).origin);
  return [
    // docs.metamask.io: use deeplinks. What follows `ethereum:` in EIP-681 follows `send/` there.
    payment('metamask', 'MetaMask', `https://link.metamask.io/send/${uri.slice('ethereum:'.length)}`),
    // developer.trustwallet.com: deep linking.
    trust === null
      ? page('trust', 'Trust Wallet', `https://link.trustwallet.com/open_url?coin_id=60&url=${url}`)
      : payment('trust', 'Trust Wallet', trust),
    // docs.cdp.coinbase.com: mobile dapp integration.
    page('coinbase', 'Coinbase Wallet', `https://go.cb-w.com/dapp?cb_url=${url}`),
    // docs.phantom.com: browse.
    ...(PHANTOM_CHAINS.includes(call.chainId)
      ? [page('phantom', 'Phantom', `https://phantom.app/ul/browse/${url}?ref=${origin}`)]
      : []),
    // web3.okx.com: app universal link.
    page('okx', 'OKX Wallet', `https://web3.okx.com/download?deeplink=${okx}`),
  ];
}

function trustSend({ call, uri, address, missing }: CheckoutQuote): string | null {
  const coin = call === null ? TRUST_FAMILIES[uri.split(':')[0]!] : TRUST_COINS[String(call.chainId)];
  if (coin === undefined) return null;
  const token = call === null || call.data === '0x' ? '' : `_t${call.to}`;
  const query = `asset=c${coin}${token}&address=${address}&amount=${trimZeros(formatDecimal(missing.atoms, missing.decimals))}`;
  return `https://link.trustwallet.com/send?${query}`;
}

function payment(id: string, name: string, href: string): WalletApp {
  return { id, name, href, opensPage: false };
}

function page(id: string, name: string, href: string): WalletApp {
  return { id, name, href, opensPage: true };
}
