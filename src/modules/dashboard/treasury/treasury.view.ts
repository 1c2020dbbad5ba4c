import type { NetworkConfig } from '../../../config/config.types.js';
import { formatDecimal, trimZeros } from '../../../kernel/decimal.js';
import { formatFiat } from '../../../kernel/fiat.js';
import type { Wallet } from '../../chains/chains.types.js';
import type { Collected, KeyHolding } from '../../chains/forwarders/holdings.types.js';
import type { Cost, Lying } from '../../treasury/treasury.types.js';
import { decimalText } from '../domain/amounts.js';
import { pathWith } from '../domain/safe-path.js';
import { ago, plural } from '../domain/times.js';
import { pathTo } from '../paths.http.js';
import type { PageModel } from '../session/request-context.js';

export interface TreasuryPage {
  readonly lying: readonly Lying[];
  readonly collected: readonly Collected[];
  readonly ofKeys: readonly KeyHolding[];
  readonly networks: readonly NetworkConfig[];
  readonly wallets: readonly Wallet[];
  readonly now: Date;
}

/** More digits than anybody pays for gas. */
const FEE_DIGITS = 6;

export function treasuryView({ lying, collected, ofKeys, networks, wallets, now }: TreasuryPage): PageModel {
  const amountOf = (network: string, asset: string, atoms: bigint) => {
    const of = networks.find(({ id }) => id === network)?.assets.find(({ symbol }) => symbol === asset);
    return decimalText(formatDecimal(atoms, of?.decimals ?? 0), asset);
  };
  const nameOf = (network: string) => networks.find(({ id }) => id === network)?.name ?? network;
  return {
    title: 'Treasury',
    answer: answerOf(lying, wallets),
    isEmpty: lying.length === 0,
    hasAddressWallet: wallets.some(({ kind }) => kind === 'address'),
    rows: lying.map((one) => ({
      networkName: one.networkName,
      asset: one.asset,
      amount: amountOf(one.network, one.asset, one.atoms),
      worth: one.worth && `${one.worth.currency} ${formatFiat(one.worth.minor)}`,
      notFinal:
        one.finalAtoms < one.atoms ? amountOf(one.network, one.asset, one.atoms - one.finalAtoms) : null,
      addresses: one.addresses,
      cost: one.cost && `${feeText(one.cost)} in ${plural(one.cost.transactions, 'transaction')}`,
      isUndeployed: one.cost !== null && !one.cost.isFactoryDeployed,
      unexpected:
        one.unexpected === 0 ? null : one.unexpected === 1 ? 'one address' : `${one.unexpected} addresses`,
      path: pathWith(pathTo('treasuryCollect'), { network: one.network, asset: one.asset }),
    })),
    collected: collected.map((one) => ({
      networkName: nameOf(one.network),
      amount: amountOf(one.network, one.asset, one.atoms),
      addresses: one.addresses,
      when: ago(one.at, now),
      txid: one.txid,
      explorerUrl:
        networks.find(({ id }) => id === one.network)?.explorerTx?.replace('{txid}', one.txid) ?? null,
      state: one.isFinal
        ? { tone: 'good', text: 'Collected' }
        : { tone: 'warn', text: 'Collected, not final yet' },
    })),
    ofKeys: ofKeys.map((one) => ({
      networkName: nameOf(one.network),
      received: amountOf(one.network, one.asset, one.receivedAtoms),
      addresses: one.addresses,
      how: howOf(
        networks.find(({ id }) => id === one.network),
        one.asset,
      ),
    })),
  };
}

/** "about 0.00214 ETH" */
export function feeText({ feeAtoms, coin, coinDecimals }: Cost): string {
  const [whole = '0', fraction = ''] = formatDecimal(feeAtoms, coinDecimals).split('.');
  const zeros = /^0*/.exec(fraction)![0].length;
  const digits = whole === '0' ? zeros + 3 : FEE_DIGITS;
  return `about ${trimZeros(`${whole}.${fraction.slice(0, digits)}`)} ${coin}`;
}

function answerOf(lying: readonly Lying[], wallets: readonly Wallet[]): string {
  if (lying.length === 0) {
    if (wallets.some(({ kind }) => kind === 'address'))
      return 'Nothing waits to be collected: of the networks and assets that are set up here, nothing lies on your deposit addresses.';
    return 'There is nothing to collect: what buyers pay lies on addresses of your own wallet.';
  }
  const addresses = lying.reduce((sum, one) => sum + one.addresses, 0);
  const where = addresses === 1 ? 'one deposit address' : `${addresses} deposit addresses`;
  const known = lying.flatMap(({ worth }) => (worth ? [worth] : []));
  const worth = known.reduce((sum, { minor }) => sum + minor, 0n);
  const what =
    known.length === lying.length ? `Money worth ${known[0]!.currency} ${formatFiat(worth)}` : 'Money';
  return `${what} lies on ${where}. It is yours and safe there; collect it into your wallet whenever gas is cheap.`;
}

/** What the merchant's own wallet must do. */
function howOf(network: NetworkConfig | undefined, asset: string): string {
  if (network?.family !== 'evm') return 'Your wallet shows it as one balance and spends it as one.';
  const isCoin = network.assets.find(({ symbol }) => symbol === asset)?.contract === null;
  return isCoin
    ? 'Each address is an account of your wallet: send it on from there.'
    : 'Each address is an account of your wallet and needs a little coin for gas before it can send tokens.';
}
