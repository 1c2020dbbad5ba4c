import type { NetworkConfig } from '../../../config/config.types.js';
import { decimalParts, trimZeros } from '../../../kernel/decimal.js';
import { entryAt } from '../../../kernel/lookups.js';
import type { Collected, KeyHolding } from '../../chains/forwarders/holdings.types.js';
import type { DecimalsOf } from '../../chains/networks/asset-decimals.service.js';
import type { Wallet } from '../../chains/wallets.types.js';
import type { Cost, Lying } from '../../treasury/treasury.types.js';
import { aligned, cutAtPoint, exactCoinText, groupedFiat, recordedCoinText } from '../domain/amounts.js';
import { pathWith } from '../domain/safe-path.js';
import { ago } from '../domain/times.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import type { PageModel } from '../session/request-context.js';

export interface TreasuryPage {
  readonly lying: readonly Lying[];
  readonly collected: readonly Collected[];
  readonly ofKeys: readonly KeyHolding[];
  readonly networks: readonly NetworkConfig[];
  readonly decimalsOf: DecimalsOf;
  readonly wallets: readonly Wallet[];
  readonly now: Date;
}

/** More digits than anybody pays for gas. */
const FEE_DIGITS = 6;

export function treasuryView(
  say: Say,
  { lying, collected, ofKeys, networks, decimalsOf, wallets, now }: TreasuryPage,
): PageModel {
  const amountOf = (network: string, asset: string, atoms: bigint) => {
    const decimals = decimalsOf(network, asset);
    return decimals === null
      ? recordedCoinText(say, { atoms, decimals, asset })
      : exactCoinText(say, { atoms, decimals }, asset);
  };
  const nameOf = (network: string) => networks.find(({ id }) => id === network)?.name ?? network;
  return {
    title: say('Treasury'),
    answer: answerOf(say, lying, wallets),
    isEmpty: lying.length === 0,
    hasAddressWallet: wallets.some(({ kind }) => kind === 'address'),
    rows: aligned(
      lying.map((one) => ({
        networkName: one.networkName,
        asset: one.asset,
        amount: cutAtPoint(amountOf(one.network, one.asset, one.atoms)),
        worth: one.worth && `${one.worth.currency} ${groupedFiat(say, one.worth.minor)}`,
        notFinal:
          one.finalAtoms < one.atoms ? amountOf(one.network, one.asset, one.atoms - one.finalAtoms) : null,
        addresses: one.addresses,
        cost:
          one.cost &&
          say('{fee} in {count, plural, one {# transaction} other {# transactions}}', {
            fee: feeText(say, one.cost),
            count: one.cost.transactions,
          }),
        isUndeployed: one.cost !== null && !one.cost.isFactoryDeployed,
        unexpected:
          one.unexpected === 0
            ? null
            : say('{count, plural, one {one address} other {# addresses}}', { count: one.unexpected }),
        path: pathWith(pathTo('treasuryCollect'), { network: one.network, asset: one.asset }),
      })),
    ),
    collected: aligned(
      collected.map((one) => ({
        networkName: nameOf(one.network),
        amount: cutAtPoint(amountOf(one.network, one.asset, one.atoms)),
        addresses: one.addresses,
        when: ago(one.at, now),
        txid: one.txid,
        explorerUrl:
          networks.find(({ id }) => id === one.network)?.explorerTx?.replace('{txid}', one.txid) ?? null,
        state: one.isFinal
          ? { tone: 'good', text: say('Collected') }
          : { tone: 'warn', text: say('Collected, not final yet') },
      })),
    ),
    ofKeys: aligned(
      ofKeys.map((one) => ({
        networkName: nameOf(one.network),
        amount: cutAtPoint(amountOf(one.network, one.asset, one.receivedAtoms)),
        addresses: one.addresses,
        how: howOf(
          say,
          networks.find(({ id }) => id === one.network),
          one.asset,
        ),
      })),
    ),
  };
}

/** "about 0.00214 ETH" */
export function feeText(say: Say, { feeAtoms, coin, coinDecimals }: Cost): string {
  const { whole, fraction } = decimalParts(feeAtoms, coinDecimals);
  const zeros = fraction.length - fraction.replace(/^0+/, '').length;
  const digits = whole === 0n ? zeros + 3 : FEE_DIGITS;
  return say('about {amount}', { amount: `${trimZeros(`${whole}.${fraction.slice(0, digits)}`)} ${coin}` });
}

function answerOf(say: Say, lying: readonly Lying[], wallets: readonly Wallet[]): string {
  if (lying.length === 0) {
    if (wallets.some(({ kind }) => kind === 'address'))
      return say(
        'Nothing waits to be collected: of the networks and assets that are set up here, nothing lies on your deposit addresses.',
      );
    return say('There is nothing to collect: what buyers pay lies on addresses of your own wallet.');
  }
  const count = lying.reduce((sum, one) => sum + one.addresses, 0);
  const known = lying.flatMap(({ worth }) => (worth ? [worth] : []));
  const worth = known.reduce((sum, { minor }) => sum + minor, 0n);
  const what =
    known.length === lying.length
      ? say(
          'Money worth {worth} lies on {count, plural, one {one deposit address} other {# deposit addresses}}.',
          { count, worth: `${entryAt(known, 0).currency} ${groupedFiat(say, worth)}` },
        )
      : say('Money lies on {count, plural, one {one deposit address} other {# deposit addresses}}.', {
          count,
        });
  return `${what} ${say('It is yours and safe there; collect it into your wallet whenever gas is cheap.')}`;
}

/** What the merchant's own wallet must do. */
function howOf(say: Say, network: NetworkConfig | undefined, asset: string): string {
  if (network?.family !== 'evm') return say('Your wallet shows it as one balance and spends it as one.');
  const isCoin = network.assets.find(({ symbol }) => symbol === asset)?.contract === null;
  return isCoin
    ? say('Each address is an account of your wallet: send it on from there.')
    : say(
        'Each address is an account of your wallet and needs a little coin for gas before it can send tokens.',
      );
}
