import type { Command } from 'commander';
import { commandLine } from '../../modules/accounts/accounts.types.js';
import { AuditLog } from '../../modules/accounts/audit/audit-log.service.js';
import { RefundsService } from '../../modules/intents/review/refunds.service.js';
import type { RefundOnChain } from '../../modules/intents/refunds.types.js';
import { byOption, type ByOption } from '../by.js';
import { withApp, withWatchedApp } from '../context.js';
import { forPeople, print } from '../output.js';

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
  refund
    .command('list')
    .description('the latest first, at most 200')
    .option('--merchant <id>', 'of one merchant only')
    .action(async ({ merchant }: { merchant?: string }, command: Command) => {
      const refunds = await withApp((app) => app.get(RefundsService).list(merchant ?? null));
      print(command, refunds.map(shown), (all) => (all.length === 0 ? 'No refunds.\n' : forPeople(all)));
    });
  refund
    .command('show <refund>')
    .description('where it goes, and what the chain says of it')
    .action(async (id: string, _options: unknown, command: Command) => {
      print(command, shown(await withApp((app) => app.get(RefundsService).get(null, id))));
    });
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
        app.get(RefundsService).ask(null, intent, wanted, app.get(AuditLog).by(commandLine(by))),
      );
      print(command, shown(asked));
    });
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
          .send({ merchantId: null, id, by: app.get(AuditLog).by(commandLine(by)) }, txid),
      );
      print(command, shown(sent));
    });
  refund
    .command('withdraw <refund>')
    .description('it is not sent after all; its money waits for a decision again')
    .addOption(byOption())
    .action(async (id: string, { by }: ByOption, command: Command) => {
      const withdrawn = await withWatchedApp((app) =>
        app.get(RefundsService).withdraw({ merchantId: null, id, by: app.get(AuditLog).by(commandLine(by)) }),
      );
      print(command, shown(withdrawn));
    });
}

/** Without what only the database needs. */
function shown(refund: RefundOnChain) {
  const { id, intentId, merchantId, state, amount, asset, network, address, txid, blockHeight } = refund;
  const { actor, note, createdAt, changedAt } = refund;
  const about = { id, intentId, merchantId, state, amount, asset, network, address, txid, blockHeight };
  return { ...about, actor, note, createdAt, changedAt };
}
