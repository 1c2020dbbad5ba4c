import { userInfo } from 'node:os';
import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { DataSource } from 'typeorm';
import { AlertsService } from '../../modules/alerts/alerts.service.js';
import { withApp } from '../context.js';
import { print } from '../output.js';

interface ListOptions {
  readonly merchant?: string;
  readonly operator?: boolean;
  readonly open?: boolean;
}

/** As many as a person looks through. */
const MOST = 100;

export function addAlertCommands(program: Command): void {
  const alert = program.command('alert').description('what a merchant or the operator must hear of');
  alert
    .command('list')
    .description('the newest 100')
    .option('--merchant <id>', 'of one merchant only')
    .option('--operator', "the operator's only")
    .option('--open', 'only those that are neither over nor acknowledged')
    .action(async ({ merchant, operator, open = false }: ListOptions, command: Command) => {
      const whose = operator ? { merchantId: null } : merchant === undefined ? {} : { merchantId: merchant };
      const alerts = await withApp((app) => app.get(AlertsService).list({ ...whose, open, pageSize: MOST }));
      print(command, alerts.items);
    });
  alert
    .command('acknowledge <id>')
    .description('you know; it no longer asks for attention')
    .option('--by <name>', 'who knows', userInfo().username)
    .option('--note <text>', 'what you know')
    .action(async (id: string, { by, note }: { by: string; note?: string }, command: Command) => {
      const acknowledge = (app: INestApplicationContext) =>
        app.get(AlertsService).acknowledge(app.get(DataSource).manager, id, { by, note: note ?? null });
      print(command, (await withApp(acknowledge)).alert);
    });
}
