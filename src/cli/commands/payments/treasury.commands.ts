import { readFileSync } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { amountText, type AssetAmount, plainText, recordedText } from '../../../kernel/crypto-amount.js';
import { before } from '../../../kernel/lookups.js';
import { missingContract } from '../../../modules/chains/wallets/destination-text.pure.js';
import { MerchantsService } from '../../../modules/merchants/merchants.service.js';
import { CollectionsService } from '../../../modules/treasury/collections.service.js';
import { TreasuryService } from '../../../modules/treasury/treasury.service.js';
import type {
  CollectionPlan,
  Place as Named,
  TreasuryRow,
  Unpaid,
} from '../../../modules/treasury/treasury.types.js';
import { unpaidSentence, unpaidText } from '../../../modules/treasury/unpaid-text.pure.js';
import { withApp } from '../../context.js';
import { forPeople, list, print } from '../../output.js';
import { readSecret } from '../../secret-input.js';

interface Place extends Named {
  readonly merchant: string;
}

type PlanOptions = { readonly [Key in keyof Place]-?: string } & { readonly payments?: readonly string[] };

interface CollectOptions extends Place {
  readonly dryRun?: true;
  readonly keyFile?: string;
}

/** What a transaction of `treasury collect` did. */
interface Done {
  readonly network: string;
  readonly asset: string;
  readonly txid: string;
  /** What lay there when it was planned. */
  readonly amount: AssetAmount;
  readonly addresses: number;
  readonly gasUsed: string;
  readonly hasSucceeded: boolean;
  /** Which of the addresses hold something still; `null` where the node does not say. */
  readonly unpaid: readonly Unpaid[] | null;
}

const NOTHING = 'Nothing lies on deposit addresses there.\n';

export function addTreasuryCommands(program: Command): void {
  const treasury = program
    .command('treasury')
    .description('what lies on deposit addresses without keys, and how it is collected');
  treasury
    .command('show')
    .description('what lies where, what is final of it, and what was collected')
    .requiredOption('--merchant <id>', 'merchant id')
    .action(async ({ merchant }: Place, command: Command) => {
      const rows = await withMerchant(merchant, (app) => app.get(TreasuryService).rows(merchant));
      print(command, rows.map(rowText));
    });
  treasury
    .command('plan')
    .description('print the transactions that collect, for any wallet; whoever sends them pays the gas')
    .requiredOption('--merchant <id>', 'merchant id')
    .requiredOption('--network <id>', 'network id')
    .requiredOption('--asset <symbol>', 'asset')
    .option(
      '--payments <ids>',
      'what lies at addresses of these alone, which this database has forgotten (after a restore or a failover)',
      list,
    )
    .action(async ({ merchant, network, asset, payments }: PlanOptions, command: Command) => {
      const plan = await withMerchant(merchant, (app) =>
        app.get(TreasuryService).plan(merchant, network, asset, payments),
      );
      const transactions = plan.transactions.map(({ chainId, to, data, value, amount, addresses }) => {
        return { chainId, to, data, value, amount: plainText(amount), addresses };
      });
      print(command, transactions, () => planText(plan));
    });
  treasury
    .command('collect')
    .description(
      'send the transactions with the key of an account that pays the gas; the money goes to the merchant’s wallet and nowhere else',
    )
    .requiredOption('--merchant <id>', 'merchant id')
    .option('--network <id>', 'only on this network')
    .option('--asset <symbol>', 'only this asset')
    .option(
      '--key-file <path>',
      'read the private key from the first line of a file instead of standard input',
    )
    .option('--dry-run', 'say what would be sent, and send nothing')
    .action(async (options: CollectOptions, command: Command) => {
      const key = options.dryRun ? null : await keyFrom(options);
      await withMerchant(options.merchant, async (app) => {
        const plans = await plansFor(app.get(TreasuryService), options);
        if (key === null) return print(command, plans.flatMap(summaries), () => textOf(plans));
        const done: Done[] = [];
        // One network without a node or without gas keeps no other from being collected.
        const failures: Error[] = [];
        const collections = app.get(CollectionsService);
        for (const plan of plans)
          await send(collections, plan, key, done).catch((error: Error) => void failures.push(error));
        const [failure, ...more] = failures;
        if (!failure || done.length > 0)
          print(command, done.map(forPrograms), () =>
            done.length === 0 ? NOTHING : forPeople(done.map(shown)),
          );
        for (const { message } of more) process.stderr.write(`${message}\n`);
        if (failure) throw failure;
        if (!done.every(hasPaidOut)) process.exitCode = 1;
      });
    });
}

/** A name that was mistyped is no merchant of whom nothing lies anywhere. */
function withMerchant<Result>(
  id: string,
  work: (app: INestApplicationContext) => Promise<Result>,
): Promise<Result> {
  return withApp(async (app) => {
    await app.get(MerchantsService).get(id);
    return work(app);
  });
}

async function keyFrom({ keyFile }: CollectOptions): Promise<string> {
  if (keyFile === undefined) return readSecret('Private key of an account that pays the gas: ');
  return before('\n', readFileSync(keyFile, 'utf8')).trim();
}

async function plansFor(service: TreasuryService, { merchant, network, asset }: Place) {
  service.checkPlace({ network, asset });
  const lying = (await service.lying(merchant, 'CHF')).filter(
    (one) =>
      (network === undefined || one.network === network) && (asset === undefined || one.asset === asset),
  );
  const plans: CollectionPlan[] = [];
  for (const one of lying) plans.push(await service.plan(merchant, one.network, one.asset));
  return plans.filter(({ transactions }) => transactions.length > 0);
}

/** Each transaction is told of at once: whatever ends this, what was sent can be found. */
async function send(
  collections: CollectionsService,
  plan: CollectionPlan,
  key: string,
  done: Done[],
): Promise<void> {
  const { network, networkName, asset } = plan;
  await collections.collect(plan, key, ({ amount, addresses }, txid, mined) => {
    const what = `${amountText(amount)} on ${networkName} from ${addresses.length} addresses: ${txid}`;
    process.stderr.write(mined ? `${mined.hasSucceeded ? 'mined' : 'FAILED'} ${txid}\n` : `sent ${what}\n`);
    if (!mined) return;
    const { hasSucceeded, gasUsed, unpaid } = mined;
    if (hasSucceeded && unpaid?.length !== 0) {
      process.stderr.write(`${unpaidSentence(unpaid)}\n`);
      for (const one of unpaid ?? []) process.stderr.write(`  ${one.address}: ${amountText(one)}\n`);
    }
    done.push({
      network,
      asset,
      txid,
      amount,
      addresses: addresses.length,
      gasUsed: gasUsed.toString(),
      hasSucceeded,
      unpaid,
    });
  });
}

/** Known to have paid out all that it was asked for. */
const hasPaidOut = ({ hasSucceeded, unpaid }: Done) => hasSucceeded && unpaid?.length === 0;

const shown = ({ unpaid, ...done }: Done) => ({
  ...done,
  amount: plainText(done.amount),
  unpaid: unpaidText(unpaid),
});

const forPrograms = ({ unpaid, ...done }: Done) => ({
  ...done,
  amount: plainText(done.amount),
  unpaid: unpaid?.map((one) => ({ address: one.address, amount: plainText(one) })) ?? null,
});

const rowText = ({ network, asset, address, intentId, state, ...amount }: TreasuryRow) => ({
  network,
  asset,
  address,
  intentId,
  amount: recordedText({ ...amount, asset }),
  state,
});

function summaries({ network, asset, transactions }: CollectionPlan) {
  return transactions.map(({ to, amount, addresses, expectedGas, destination }) => ({
    network,
    asset,
    amount: plainText(amount),
    addresses: addresses.length,
    destination,
    to,
    expectedGas: expectedGas.toString(),
  }));
}

const textOf = (plans: readonly CollectionPlan[]) =>
  plans.length === 0
    ? NOTHING
    : plans.map((plan) => `${costText(plan)}${forPeople(summaries(plan))}`).join('\n');

function planText(plan: CollectionPlan): string {
  if (plan.transactions.length === 0) return NOTHING;
  return `${costText(plan)}${plan.transactions.map((one) => `\nto    ${one.to}\nvalue 0\ndata  ${one.data}\n`).join('')}`;
}

/** "12.5 USDC on Ethereum in 1 transaction, about 0.0001 ETH for gas at the present price" */
function costText(plan: CollectionPlan): string {
  const { cost, network, networkName, transactions } = plan;
  const count = transactions.length === 1 ? '1 transaction' : `${transactions.length} transactions`;
  const fee = cost && amountText({ atoms: cost.feeAtoms, decimals: cost.coinDecimals, asset: cost.coin });
  const price = fee ? `about ${fee} for gas at the present price` : 'the node does not say what gas costs';
  const missing = cost && missingContract(cost, network);
  const first = missing ? `${missing.text} ${missing.command}\n` : '';
  return `${amountText(plan)} on ${networkName} in ${count}, ${price}.\n${first}`;
}
