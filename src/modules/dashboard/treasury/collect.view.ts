import { missingContract } from '../../chains/wallets/destination-words.pure.js';
import { amountText, unpaidWords } from '../../treasury/collection-words.pure.js';
import type { CollectionPlan, SentCollection } from '../../treasury/treasury.types.js';
import { pathWith } from '../domain/safe-path.js';
import { pathTo } from '../paths.http.js';
import type { PageModel } from '../session/request-context.js';
import { feeText } from './treasury.view.js';

export function collectView(plan: CollectionPlan, merchantId: string): PageModel {
  const { network, networkName, asset, transactions, chainId, contract, cost, collectedMeanwhile } = plan;
  const amount = amountText(plan);
  const addresses = transactions.reduce((sum, one) => sum + one.addresses.length, 0);
  const place = { network, asset };
  return {
    title: `Collect ${asset} on ${networkName}`,
    amount,
    asset,
    network,
    networkName,
    chainId,
    isEmpty: transactions.length === 0,
    from: addressesText(addresses),
    count: transactions.length === 1 ? 'one transaction' : `${transactions.length} transactions`,
    fee: cost && feeText(cost),
    missing: cost && missingContract(cost, network),
    isTold: plan.isTold,
    meanwhile: collectedMeanwhile === 0 ? null : addressesText(collectedMeanwhile),
    contract: transactions[0]?.to ?? null,
    token: contract,
    planPath: pathWith(pathTo('treasuryPlan'), place),
    calls: transactions.map((one, i) => ({
      to: one.to,
      data: one.data,
      destination: one.destination,
      amount: `${one.amount} ${asset}`,
      number: i + 1,
      from: addressesText(one.addresses.length),
      gas: one.expectedGas.toLocaleString('en-US'),
      safePath: pathWith(pathTo('treasurySafe'), { ...place, part: i + 1 }),
    })),
    isOne: transactions.length === 1,
    command: `rappen treasury collect --merchant ${merchantId} --network ${network} --asset ${asset}`,
  };
}

/** What the page's script says of a transaction. */
export function sentView({ state, amounts, unpaid }: SentCollection): object {
  return {
    state,
    amounts,
    isKnown: unpaid !== null,
    unpaidWords: unpaidWords(unpaid),
    unpaid: (unpaid ?? []).map((one) => `${one.address}: ${amountText(one)}`),
  };
}

const addressesText = (count: number) => (count === 1 ? 'one deposit address' : `${count} deposit addresses`);
