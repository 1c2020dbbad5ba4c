import { bech32 } from '@scure/base';
import { decode } from 'bip21';
import { parse } from 'eth-url-parser';
import { decodeFunctionData, erc20Abi, type Hex, isAddress, parseUnits } from 'viem';
import type { AssetConfig, NetworkConfig } from '../../src/config/config.types.js';
import { PRESETS } from '../../src/config/networks.js';
import { paymentUris } from '../../src/modules/chains/outgoing/payment-uri.pure.js';
import { transferCall } from '../../src/modules/chains/outgoing/transfer-call.pure.js';
import { walletHref } from '../../src/modules/checkout/domain/formats.js';
import { walletApps } from '../../src/modules/checkout/domain/wallet-apps.js';
import { drawQr } from '../../src/platform/pages/qr.js';
import { checkoutStates } from '../support/checkout/checkout-states.js';
import { scanned } from '../support/checkout/scanned.js';

/** What our links say, by parsers of others: wallets read them with these, or with some like them. */
const TO = {
  evm: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
  bitcoin: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  litecoin: 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh',
};
const PAGE = 'https://pay.example/pay/pi_01?lang=de';

interface Told {
  readonly chainId: number | null;
  readonly contract: string | null;
  readonly to: string;
  readonly atoms: bigint;
}

const cases = PRESETS.flatMap((preset) =>
  preset.assets.flatMap((asset) =>
    // The last atom, what people pay, and more than a float holds.
    [1n, 62_375_000n, 21_000_000n * 10n ** BigInt(asset.decimals) - 1n].map(
      (atoms) => [preset.id, asset.symbol, atoms, preset as NetworkConfig, asset] as const,
    ),
  ),
);

function linksOf(network: NetworkConfig, asset: AssetConfig, atoms: bigint) {
  const address = TO[network.family];
  const { withAmount: uri, addressOnly } = paymentUris(network, asset, address, atoms);
  const call = transferCall(network, asset, address, atoms);
  const missing = { atoms, decimals: asset.decimals };
  const quote = { ...checkoutStates.waiting!.quote!, uri, address, call, missing };
  const apps = new Map(walletApps(quote, PAGE).map(({ id, href }) => [id, href]));
  return { uri, addressOnly, call, apps };
}

function byEthUrlParser(uri: string): Told {
  const { scheme, target_address, chain_id, function_name, parameters = {} } = parse(uri);
  expect(scheme).toBe('ethereum');
  const chainId = Number(chain_id);
  if (function_name === undefined) {
    return { chainId, contract: null, to: target_address, atoms: digits(parameters.value!) };
  }
  expect(function_name).toBe('transfer');
  const { address, uint256 } = parameters;
  return { chainId, contract: target_address, to: address!, atoms: digits(uint256!) };
}

/** That parser writes large numbers with an exponent, and all their digits. */
function digits(number: string): bigint {
  const [, whole = number, fraction = '', exponent = '0'] = /^(\d)(?:\.(\d+))?e\+(\d+)$/.exec(number) ?? [];
  return BigInt(whole + fraction.padEnd(Number(exponent), '0'));
}

function byBip21(uri: string, scheme: string): Told {
  const { address, options } = decode(uri, scheme);
  return { chainId: null, contract: null, to: address, atoms: BigInt(Math.round(options.amount! * 1e8)) };
}

/** What is left of each link once it is read as its maker says. */
const PAYMENTS: Readonly<Record<string, (href: string, scheme: string) => Told>> = {
  metamask: (href) => byEthUrlParser(href.replace('https://link.metamask.io/send/', 'ethereum:')),
  bluewallet: (href) => byBip21(href.replace('bluewallet:', ''), 'bitcoin'),
  phoenix: (href) => byBip21(href.replace('phoenix:', ''), 'bitcoin'),
  muun: (href) => byBip21(href, 'muun'),
  edge: (href, scheme) => {
    const { host, pathname, search } = new URL(href);
    const [, pay, named, ...path] = pathname.split('/');
    expect([host, pay]).toEqual(['deep.edge.app', 'pay']);
    return byBip21(`${named}:${path.join('/')}${search}`, scheme);
  },
  cake: (href, scheme) => {
    const { protocol, pathname, searchParams } = new URL(href);
    expect([protocol, pathname]).toEqual(['cakewallet:', scheme]);
    return byBip21(`${scheme}:${searchParams.get('address')}?amount=${searchParams.get('amount')}`, scheme);
  },
};

describe.each(cases)('%s, %s, %s atoms', (_network, _symbol, atoms, network, asset) => {
  const { uri, addressOnly, call, apps } = linksOf(network, asset, atoms);
  const told = { chainId: network.chainId, contract: asset.contract, to: TO[network.family], atoms };

  it('is told by the code and the bare link, which a page may link to', () => {
    expect(network.family === 'evm' ? byEthUrlParser(uri) : byBip21(uri, network.family)).toEqual(told);
    expect(walletHref(uri)).toBe(uri);
  });

  it('is what a wallet in the browser is asked for', () => {
    if (call === null) {
      expect(network.family).not.toBe('evm');
    } else if (call.data === '0x') {
      const asked = { chainId: call.chainId, contract: null, to: call.to, atoms: BigInt(call.value) };
      expect(asked).toEqual(told);
    } else {
      const asked = decodeFunctionData({ abi: erc20Abi, data: call.data as Hex });
      if (asked.functionName !== 'transfer') throw new Error(asked.functionName);
      const [to, value] = asked.args;
      expect({ chainId: call.chainId, contract: call.to, to, atoms: value }).toEqual(told);
      expect(call.value).toBe('0x0');
    }
  });

  it('is read off the drawn code, by a reader that is not ours', () => {
    const drawn = scanned(drawQr(uri)) ?? '';
    expect(network.family === 'evm' ? byEthUrlParser(drawn) : byBip21(drawn, network.family)).toEqual(told);
  });

  it('is no more than its address on the code for wallets that read nothing else', () => {
    const drawn = scanned(drawQr(addressOnly)) ?? '';
    expect(drawn).toBe(TO[network.family]);
    if (network.family === 'evm') expect(isAddress(drawn, { strict: true })).toBe(true);
    else expect(bech32.decode(drawn as `${string}1${string}`).prefix).toBe(drawn.split('1')[0]);
  });

  it('is read in each named wallet’s link by something that is not ours', () => {
    const read = [...Object.keys(PAYMENTS), ...Object.keys(PAGES), 'trust'];
    expect([...apps.keys()].filter((id) => !read.includes(id))).toEqual([]);
  });

  const payments = [...apps].filter(([id]) => id in PAYMENTS);
  it.each(payments)('is told to %s by what follows its own name', (id, href) => {
    expect(PAYMENTS[id]!(href, network.family)).toEqual(told);
  });

  it('names the wallets that its network has', () => {
    const named = [...apps.keys()];
    if (network.family === 'evm') {
      const phantom = network.id === 'arbitrum' ? [] : ['phantom'];
      expect(named).toEqual([
        'metamask',
        'trust',
        'coinbase',
        ...phantom,
        'okx',
        'bitget',
        'tokenpocket',
        'imtoken',
      ]);
    } else {
      const bitcoin = network.family === 'bitcoin' ? ['bluewallet', 'muun', 'phoenix'] : [];
      expect(named).toEqual([...bitcoin, 'cake', 'edge', 'trust']);
    }
  });

  it('is told to Trust Wallet in units, where it has a number for the network', () => {
    const { pathname, searchParams } = new URL(apps.get('trust')!);
    if (pathname === '/open_url') {
      expect([network.id, searchParams.get('url')]).toEqual(['base', PAGE]);
      return;
    }
    const coins: Record<string, number> = {
      ethereum: 60,
      polygon: 966,
      arbitrum: 10042221,
      bitcoin: 0,
      litecoin: 2,
    };
    const [, coin, contract = null] =
      /^c(\d+)(?:_t(0x[0-9a-fA-F]{40}))?$/.exec(searchParams.get('asset')!) ?? [];
    expect(Number(coin)).toBe(coins[network.id]);
    const amount = searchParams.get('amount')!;
    expect(amount).toMatch(/^\d+(\.\d+)?$/);
    const to = searchParams.get('address');
    const read = { chainId: network.chainId, contract, to, atoms: parseUnits(amount, asset.decimals) };
    expect([...searchParams.keys()]).toEqual(['asset', 'address', 'amount']);
    expect(read).toEqual(told);
  });
});

/** Where each takes the page from, by the URL parser of the language. */
const PAGES: Readonly<Record<string, (url: URL) => string | null>> = {
  coinbase: ({ searchParams }) => searchParams.get('cb_url'),
  phantom: ({ pathname }) => decodeURIComponent(pathname.slice('/ul/browse/'.length)),
  okx: ({ searchParams }) => new URL(searchParams.get('deeplink')!).searchParams.get('dappUrl'),
  bitget: ({ searchParams }) => searchParams.get('url'),
  tokenpocket: ({ searchParams }) => (JSON.parse(searchParams.get('params')!) as { url: string }).url,
  imtoken: ({ searchParams }) => searchParams.get('url'),
};

describe('this page, whole, is opened in the browser of', () => {
  const apps = walletApps(checkoutStates.waiting!.quote!, PAGE);
  const pages = apps.filter(({ opensPage }) => opensPage);

  it.each(pages.map(({ id, href }) => [id, href]))('%s', (id, href) => {
    expect(PAGES[id]!(new URL(href))).toBe(PAGE);
  });

  it('each of those, and of none that opens the payment', () => {
    expect(pages.map(({ id }) => id).sort()).toEqual(Object.keys(PAGES).sort());
  });
});

it('a dozen wallets are named by links of their makers, and one more', () => {
  const quotes = ['waiting', 'waiting-btc'].map((state) => checkoutStates[state]!.quote!);
  const names = new Set(quotes.flatMap((quote) => walletApps(quote, PAGE)).map(({ name }) => name));
  expect([...names].sort()).toEqual([
    'Bitget Wallet',
    'BlueWallet',
    'Cake Wallet',
    'Coinbase Wallet',
    'Edge',
    'MetaMask',
    'Muun',
    'OKX Wallet',
    'Phantom',
    'Phoenix',
    'TokenPocket',
    'Trust Wallet',
    'imToken',
  ]);
});
