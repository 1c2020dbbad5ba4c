import type { Command } from 'commander';
import { IntentsService } from '../modules/intents/intents.service.js';
import { withApp, withWatchedApp } from './context.js';
import { print } from './output.js';

export function addIntentCommands(program: Command): void {
  const intent = program.command('intent').description('look at and cancel payment intents');
  intent
    .command('show <id>')
    .description('the intent as it is stored, in the shape of the API')
    .action(async (id: string, _options: unknown, command: Command) => {
      print(command, await withApp((app) => app.get(IntentsService).peek(id)));
    });
  intent
    .command('cancel <id>')
    .description('call it off, also while underpaid (what arrived is yours to refund), never once completed')
    .action(async (id: string, _options: unknown, command: Command) => {
      print(command, await withWatchedApp((app) => app.get(IntentsService).cancel(id)));
    });
}
