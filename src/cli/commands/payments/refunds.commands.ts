import type { Command } from 'commander';
import { ANYBODYS } from '../../../database/by.js';
import { plainText } from '../../../kernel/crypto-amount.js';
import { commandLine } from '../../../modules/accounts/actor.pure.js';
import { AuditLog } from '../../../modules/accounts/audit/audit-log.service.js';
import type { RefundChange, RefundOnChain } from '../../../modules/intents/refunds.types.js';
import { RefundsService } from '../../../modules/intents/review/refunds.service.js';
import { type ByOption, byOption } from '../../by.js';
import { withApp, withWatchedApp } from '../../context.js';
import { forPeople, print } from '../../output.js';

interface AskOptions extends ByOption {
  readonly amount: string;
  readonly address: string;
  readonly note: string;
  readonly asset?: string;
  readonly network?: string;
}

export function addRefundCommands(program: Command): void {
  const refund = program
    .command('refund')
    .description('money that goes back to a buyer from the merchant’s own wallet, followed on the chain');
  addList(refund);
  addShow(refund);
  addAsk(refund);
  addSent(refund);
  addResume(refund);
  addWithdraw(refund);
}

function addList(refund: Command): void {
  refund
    .command('list')
    .description('the latest first, at most 200')
    .option('--merchant <id>', 'of one merchant only')
    .action(async ({ merchant }: { merchant?: string }, command: Command) => {
      const refunds = await withApp((app) => app.get(RefundsService).list(merchant ?? ANYBODYS));
      print(command, refunds.map(shown), (all) => (all.length === 0 ? 'No refunds.\n' : forPeople(all)));
    });
}

function addShow(refund: Command): void {
  refund
    .command('show <refund>')
    .description('where it goes, and what the chain says of it')
    .action(async (id: string, _options: unknown, command: Command) => {
      print(command, shown(await withApp((app) => app.get(RefundsService).get(ANYBODYS, id))));
    });
}

function addAsk(refund: Command): void {
  refund
    .command('ask <intent>')
    .description('decide to send final money back; it is sent with your own wallet, and found on the chain')
    .requiredOption('--amount <amount>', 'of the asset, as a plain decimal')
    .requiredOption('--address <address>', 'where it goes: what the buyer typed on the page is unverified')
    .requiredOption('--note <text>', 'why')
    .addOption(byOption())
    .option('--asset <symbol>', 'which asset, where the money is of several kinds')
    .option('--network <id>', 'and on which network')
    .action(async (intent: string, options: AskOptions, command: Command) => {
      const { amount, address, note, by, asset = null, network = null } = options;
      const wanted = { amount, address, note, asset, network };
      const asked = await withWatchedApp((app) =>
        app.get(RefundsService).ask(ANYBODYS, intent, wanted, app.get(AuditLog).by(commandLine(by))),
      );
      print(command, shown(asked));
    });
}

function addSent(refund: Command): void {
  refund
    .command('sent <refund>')
    .description(
      'name the transaction that pays it, where it is not from an address that is known to be yours',
    )
    .requiredOption('--txid <txid>', 'its id')
    .addOption(byOption())
    .action(async (id: string, { txid, by }: ByOption & { txid: string }, command: Command) => {
      const sent = await withWatchedApp((app) =>
        app
          .get(RefundsService)
          .send({ whose: ANYBODYS, id, by: app.get(AuditLog).by(commandLine(by)) }, txid),
      );
      print(command, shown(sent));
    });
}

function addResume(refund: Command): void {
  refund
    .command('resume <refund>')
    .description('look for it for another 30 days, from where the search ended')
    .addOption(byOption())
    .action(async (id: string, { by }: ByOption, command: Command) => {
      const resumed = await withWatchedApp((app) =>
        app.get(RefundsService).resume({ whose: ANYBODYS, id, by: app.get(AuditLog).by(commandLine(by)) }),
      );
      print(command, shown(resumed));
    });
}

function addWithdraw(refund: Command): void {
  refund
    .command('withdraw <refund>')
    .description('it is not sent after all; its money waits for a decision again')
    .option(
      '--sure',
      'your wallet says that nothing was sent, or that it failed, where the chain cannot say so',
    )
    .addOption(byOption())
    .action(async (id: string, { by, sure = false }: ByOption & { sure?: boolean }, command: Command) => {
      const withdrawn = await withWatchedApp((app) => {
        const change: RefundChange = { whose: ANYBODYS, id, by: app.get(AuditLog).by(commandLine(by)) };
        return app.get(RefundsService).withdraw(change, sure);
      });
      print(command, shown(withdrawn));
    });
}

/** Without what only the database needs. */
function shown(refund: RefundOnChain) {
  const { id, intentId, merchantId, state, asset, network, address, txid, blockHeight } = refund;
  const amount = plainText(refund);
  const { actor, note, createdAt, changedAt, openedBy, openedAt } = refund;
  const { searchEndedAt, undoneAt, elsewhereTxid, againTxid } = refund;
  const since = { openedBy, openedAt, searchEndedAt, undoneAt, elsewhereTxid, againTxid };
  const about = { id, intentId, merchantId, state, amount, asset, network, address, txid, blockHeight };
  return { ...about, actor, note, createdAt, changedAt, ...since };
}
