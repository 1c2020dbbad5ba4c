import { type Command, Option } from 'commander';
import { ANYBODYS } from '../../../database/by.js';
import { commandLine } from '../../../modules/accounts/actor.pure.js';
import { AuditLog } from '../../../modules/accounts/audit/audit-log.service.js';
import type { IntentChange } from '../../../modules/intents/intents.types.js';
import {
  type ClosedAs,
  IntentRepairService,
} from '../../../modules/intents/lifecycle/intent-repair.service.js';
import { IntentsService } from '../../../modules/intents/lifecycle/intents.service.js';
import { type ByOption, byOption } from '../../by.js';
import { withApp, withWatchedApp } from '../../context.js';
import { print } from '../../output.js';

interface CloseOptions extends ByOption {
  readonly as: ClosedAs;
  readonly note: string;
}

export function addIntentCommands(program: Command): void {
  const intent = program.command('intent').description('look at and cancel payment intents');
  intent
    .command('show <id>')
    .description('the intent as it is stored, in the shape of the API, and why it stands still where it does')
    .action(async (id: string, _options: unknown, command: Command) => {
      print(command, await withApp((app) => app.get(IntentRepairService).show(id)));
    });
  intent
    .command('cancel <id>')
    .description('call it off, also while underpaid (what arrived is yours to refund), never once completed')
    .addOption(byOption())
    .action(async (id: string, { by }: ByOption, command: Command) => {
      print(
        command,
        await withWatchedApp((app) =>
          app
            .get(IntentsService)
            .cancel(
              { whose: ANYBODYS, id, by: app.get(AuditLog).by(commandLine(by)) },
              'cancelled-by-operator',
            ),
        ),
      );
    });
  intent
    .command('decide <id>')
    .description('bring it up to now: for one that could not be decided, after what stopped it was mended')
    .addOption(byOption())
    .action(async (id: string, { by }: ByOption, command: Command) => {
      const decided = withWatchedApp((app) =>
        app
          .get(IntentRepairService)
          .decide({ whose: ANYBODYS, id, by: app.get(AuditLog).by(commandLine(by)) }),
      );
      print(command, await decided);
    });
  intent
    .command('close <id>')
    .description('the last resort for one that cannot be decided: its money goes to the review queue')
    .addOption(
      new Option('--as <status>', 'expired if it never was complete, failed if it was and a day has passed')
        .choices(['expired', 'failed'])
        .makeOptionMandatory(),
    )
    .requiredOption('--note <text>', 'why, for the audit log')
    .addOption(byOption())
    .action(async (id: string, { as, note, by }: CloseOptions, command: Command) => {
      const closed = withWatchedApp((app) => {
        const change: IntentChange = { whose: ANYBODYS, id, by: app.get(AuditLog).by(commandLine(by)) };
        return app.get(IntentRepairService).close(change, as, note);
      });
      print(command, await closed);
    });
}
