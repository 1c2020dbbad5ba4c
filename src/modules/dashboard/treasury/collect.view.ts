import { DETERMINISTIC_DEPLOYER } from '../../chains/factory-deployment.types.js';
import { missingContract } from '../../chains/wallets/destination-text.pure.js';
import type { CollectionPlan, Cost, SentCollection, Unpaid } from '../../treasury/treasury.types.js';
import { unpaidSums } from '../../treasury/unpaid-text.pure.js';
import { recordedCoinText, ungroupedText } from '../domain/amounts.js';
import { pathWith } from '../domain/safe-path.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import type { PageModel } from '../session/request-context.js';
import { feeText } from './treasury.view.js';

export function collectView(say: Say, plan: CollectionPlan, merchantId: string): PageModel {
  const { network, networkName, asset, transactions, chainId, contract, cost, collectedMeanwhile } = plan;
  const amount = ungroupedText(plan);
  const addresses = transactions.reduce((sum, one) => sum + one.addresses.length, 0);
  const place = { network, asset };
  return {
    title: say('Collect {asset} on {network}', { asset, network: networkName }),
    amount,
    asset,
    network,
    networkName,
    chainId,
    isEmpty: transactions.length === 0,
    from: addressesText(say, addresses),
    answer: answerOf(say, plan, { amount, addresses: addressesText(say, addresses) }),
    missing: cost && missingOf(say, cost, network),
    isTold: plan.isTold,
    meanwhile: collectedMeanwhile === 0 ? null : addressesText(say, collectedMeanwhile),
    contract: transactions[0]?.to ?? null,
    token: contract,
    planPath: pathWith(pathTo('treasuryPlan'), place),
    calls: transactions.map((one, i) => ({
      to: one.to,
      data: one.data,
      destination: one.destination,
      amount: ungroupedText(one.amount),
      number: i + 1,
      from: addressesText(say, one.addresses.length),
      salts: say('{count, plural, one {one address} other {# addresses}}', { count: one.addresses.length }),
      gas: one.expectedGas,
      safePath: pathWith(pathTo('treasurySafe'), { ...place, part: i + 1 }),
    })),
    isOne: transactions.length === 1,
    command: `rappen treasury collect --merchant ${merchantId} --network ${network} --asset ${asset}`,
  };
}

/** What the page's script says of a transaction. */
export function sentView(say: Say, { state, unpaid, ...sent }: SentCollection): object {
  const amounts = sent.amounts.map((one) => recordedCoinText(say, one));
  return {
    state,
    amounts,
    amountsText: together(say, amounts),
    isKnown: unpaid !== null,
    unpaidMessage: unpaidMessage(say, unpaid),
    unpaid: (unpaid ?? []).map((one) => `${one.address}: ${ungroupedText(one)}`),
  };
}

function addressesText(say: Say, count: number): string {
  return say('{count, plural, one {one deposit address} other {# deposit addresses}}', { count });
}

function answerOf(
  say: Say,
  { cost, transactions }: CollectionPlan,
  values: { readonly amount: string; readonly addresses: string },
): string {
  const count = transactions.length;
  const what = cost
    ? say(
        '{amount} from {addresses} in {count, plural, one {one transaction} other {# transactions}}, for {fee} of gas at the present price.',
        { ...values, count, fee: feeText(say, cost) },
      )
    : say('{amount} from {addresses} in {count, plural, one {one transaction} other {# transactions}}.', {
        ...values,
        count,
      });
  return `${what} ${say('Whoever sends it pays the gas, and the money can go to your wallet alone.')}`;
}

/** What has to be done before anything can be collected, as `missingContract` says it in English. */
function missingOf(say: Say, cost: Cost, network: string) {
  const missing = missingContract(cost, network);
  if (missing === null) return null;
  const deployer = DETERMINISTIC_DEPLOYER;
  const { command } = missing;
  if (cost.hasDeployer === false)
    return {
      command,
      text: say(
        'Neither the contract that collects money nor the deployer that it needs ({deployer}) is on this network. First the deployer has to be there (github.com/Arachnid/deterministic-deployment-proxy), which not every network allows; then somebody has to deploy the contract, once for everybody:',
        { deployer },
      ),
    };
  return {
    command,
    text:
      cost.hasDeployer === null
        ? say(
            'The contract that collects money is not on this network yet, and whether the deployer that it needs ({deployer}) is there is not known: its node did not say. Before anything can be collected, somebody has to deploy it, once for everybody:',
            { deployer },
          )
        : say(
            'The contract that collects money is not on this network yet. Before anything can be collected, somebody has to deploy it, once for everybody:',
          ),
  };
}

/** A sentence of what did not pay out, after a transaction is mined; empty where all did. */
function unpaidMessage(say: Say, unpaid: readonly Unpaid[] | null): string {
  if (unpaid === null) return say('What still lies there is not known: the node does not say.');
  if (unpaid.length === 0) return '';
  return say(
    '{count, plural, one {One address} other {# addresses}} with {amounts} did not pay out, as a rule because the token, or the wallet that is paid, refuses it. It stays there, and can be collected when that has changed.',
    { count: unpaid.length, amounts: together(say, unpaidSums(unpaid).map(ungroupedText)) },
  );
}

function together(say: Say, all: readonly string[]): string {
  return all.reduce(
    (first, second) => (first === '' ? second : say('{first} and {second}', { first, second })),
    '',
  );
}
