import type { Command } from 'commander';
import { ANYBODYS } from '../../../database/by.js';
import { commandLine } from '../../../modules/accounts/actor.pure.js';
import { AuditLog } from '../../../modules/accounts/audit/audit-log.service.js';
import type { IntentChange } from '../../../modules/intents/intents.types.js';
import { ReviewsService } from '../../../modules/intents/review/reviews.service.js';
import { type ByOption, byOption } from '../../by.js';
import { withApp, withWatchedApp } from '../../context.js';
import { list, print } from '../../output.js';
import { detailJson, detailText, entryJson, queueText } from '../../text/review-text.js';

interface AcceptOptions extends ByOption {
  readonly reason: string;
  readonly transfers?: readonly string[];
}

interface DismissOptions extends ByOption {
  readonly note: string;
  readonly refundAmount?: string;
  readonly refundAsset?: string;
  readonly refundNetwork?: string;
  readonly refundTxid?: string;
  readonly transfers?: readonly string[];
}

export function addReviewCommands(program: Command): void {
  const review = program
    .command('review')
    .description('money that came too little, too late, or to the wrong place');
  addList(review);
  addShow(review);
  addAccept(review);
  addDismiss(review);
  addRefund(review);
}

function addList(review: Command): void {
  review
    .command('list')
    .description('the queue: punctual money first, then the oldest')
    .option('--merchant <id>', 'of one merchant only')
    .action(async ({ merchant }: { merchant?: string }, command: Command) => {
      const entries = await withApp((app) => app.get(ReviewsService).list(merchant ?? ANYBODYS));
      print(command, entries.map(entryJson), () => queueText(entries));
    });
}

function addShow(review: Command): void {
  review
    .command('show <intent>')
    .description(
      'one entry: its transfers, where the buyer wants a refund (unverified), what was decided before',
    )
    .action(async (id: string, _options: unknown, command: Command) => {
      const detail = await withApp((app) => app.get(ReviewsService).show(ANYBODYS, id));
      print(command, detailJson(detail), () => detailText(detail));
    });
}

function addAccept(review: Command): void {
  review
    .command('accept <intent>')
    .description(
      'settle an expired intent with the money that is final; what is not waits in the queue, and has to be left out by --transfers where the rest is less than the price',
    )
    .requiredOption('--reason <text>', 'why')
    .addOption(byOption())
    .option('--transfers <ids>', 'only these, each of them final; without them all that is', list)
    .action(async (id: string, { reason, by, transfers }: AcceptOptions, command: Command) => {
      const accepted = await decided(id, by, (reviews, change) =>
        reviews.accept(change, { reason, seen: transfers }),
      );
      print(command, { intentId: id, decision: 'accept', by, ...accepted });
    });
}

function addDismiss(review: Command): void {
  review
    .command('dismiss <intent>')
    .description('close the entry without settling; new money opens it again')
    .requiredOption('--note <text>', 'why')
    .addOption(byOption())
    .option('--refund-amount <amount>', 'record a refund that you made with your own wallet')
    .option('--refund-asset <symbol>', 'what was sent back, where the money is of several kinds')
    .option('--refund-network <id>', 'and on which network')
    .option('--refund-txid <txid>', 'its transaction')
    .option('--transfers <ids>', 'transferIds that you saw; refused if there are others by now', list)
    .action(async (id: string, options: DismissOptions, command: Command) => {
      const { note, by, transfers } = options;
      const refund = refundOf(options);
      await decided(id, by, (reviews, change) => reviews.dismiss(change, { note, refund, seen: transfers }));
      print(command, { intentId: id, decision: refund ? 'refund' : 'dismiss', by });
    });
}

function addRefund(review: Command): void {
  review
    .command('refund <intent>')
    .description('record a refund that you made with your own wallet, also of what was dismissed or too much')
    .requiredOption('--note <text>', 'why')
    .requiredOption('--refund-amount <amount>', 'what was sent back')
    .addOption(byOption())
    .option('--refund-asset <symbol>', 'of which asset, where the money is of several kinds')
    .option('--refund-network <id>', 'and on which network')
    .option('--refund-txid <txid>', 'its transaction')
    .option('--transfers <ids>', 'transferIds that you saw; refused if there are others by now', list)
    .action(async (id: string, options: DismissOptions & { refundAmount: string }, command: Command) => {
      const { note, by, transfers, refundAmount: amount } = options;
      const refund = { ...refundOf(options), amount, txid: options.refundTxid ?? null };
      await decided(id, by, (reviews, change) => reviews.refund(change, { note, refund, seen: transfers }));
      print(command, { intentId: id, decision: 'refund', by });
    });
}

/** A decision of whoever runs the command, about whichever merchant's intent. */
function decided<Result>(
  id: string,
  by: string,
  decide: (reviews: ReviewsService, change: IntentChange) => Promise<Result>,
): Promise<Result> {
  return withWatchedApp((app) =>
    decide(app.get(ReviewsService), { whose: ANYBODYS, id, by: app.get(AuditLog).by(commandLine(by)) }),
  );
}

/** @throws Error for the rest of a refund without its amount, which would close the entry as if none was made */
function refundOf({ refundAmount, refundAsset, refundNetwork, refundTxid }: DismissOptions) {
  if (refundAmount === undefined) {
    if (refundAsset ?? refundNetwork ?? refundTxid) throw new Error('A refund needs --refund-amount.');
    return undefined;
  }
  const place = { network: refundNetwork ?? null, asset: refundAsset ?? null };
  return { ...place, amount: refundAmount, txid: refundTxid ?? null };
}
