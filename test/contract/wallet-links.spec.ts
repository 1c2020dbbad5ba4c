import { decode } from 'bip21';
import { parse } from 'eth-url-parser';
import { decodeFunctionData, erc20Abi, type Hex } from 'viem';
import type { AssetConfig, NetworkConfig } from '../../src/config/config.types.js';
import { PRESETS } from '../../src/config/networks.js';
import { formatDecimal, trimZeros } from '../../src/kernel/decimal.js';
import { paymentUris } from '../../src/modules/chains/domain/addresses/payment-uri.js';
import { transferCall } from '../../src/modules/chains/domain/addresses/transfer-call.js';
import { walletApps } from '../../src/modules/checkout/domain/wallet-apps.js';
import { walletHref } from '../../src/modules/checkout/domain/formats.js';
import { checkoutStates } from '../support/checkout-states.js';

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
  const uri = paymentUris(network, asset, address, atoms).withAmount;
  const call = transferCall(network, asset, address, atoms);
  const missing = { atoms, decimals: asset.decimals };
  const quote = { ...checkoutStates.waiting!.quote!, uri, address, call, missing };
  const apps = new Map(walletApps(quote, PAGE).map(({ id, href }) => [id, href]));
  return { uri, call, apps };
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

describe.each(cases)('%s, %s, %s atoms', (_network, _symbol, atoms, network, asset) => {
  const { uri, call, apps } = linksOf(network, asset, atoms);
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

  it('is told to MetaMask and BlueWallet by what follows their own names', () => {
    const metaMask = apps.get('metamask');
    const blueWallet = apps.get('bluewallet');
    expect([metaMask !== undefined, blueWallet !== undefined]).toEqual([
      network.family === 'evm',
      network.family === 'bitcoin',
    ]);
    if (metaMask) {
      expect(byEthUrlParser(metaMask.replace('https://link.metamask.io/send/', 'ethereum:'))).toEqual(told);
    }
    if (blueWallet) expect(byBip21(blueWallet.replace('bluewallet:', ''), 'bitcoin')).toEqual(told);
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
    const token = asset.contract === null ? '' : `_t${asset.contract}`;
    expect(Object.fromEntries(searchParams)).toEqual({
      asset: `c${coins[network.id]}${token}`,
      address: TO[network.family],
      amount: trimZeros(formatDecimal(atoms, asset.decimals)),
    });
  });
});

it('opens this page, whole, in the browsers of other wallets', () => {
  const apps = new Map(walletApps(checkoutStates.waiting!.quote!, PAGE).map((app) => [app.id, app]));
  const opened = {
    coinbase: new URL(apps.get('coinbase')!.href).searchParams.get('cb_url'),
    phantom: decodeURIComponent(new URL(apps.get('phantom')!.href).pathname.slice('/ul/browse/'.length)),
    okx: new URL(new URL(apps.get('okx')!.href).searchParams.get('deeplink')!).searchParams.get('dappUrl'),
  };
  expect(opened).toEqual({ coinbase: PAGE, phantom: PAGE, okx: PAGE });
  expect([...apps.values()].filter(({ opensPage }) => opensPage).map(({ id }) => id)).toEqual(
    Object.keys(opened),
  );
});
