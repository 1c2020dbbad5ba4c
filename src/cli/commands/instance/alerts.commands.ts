import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { DataSource } from 'typeorm';
import { ANYBODYS } from '../../../database/by.js';
import { commandLine } from '../../../modules/accounts/actor.pure.js';
import { AuditLog } from '../../../modules/accounts/audit/audit-log.service.js';
import { AlertsService } from '../../../modules/alerts/alerts.service.js';
import { type ByOption, byOption } from '../../by.js';
import { withApp } from '../../context.js';
import { print } from '../../output.js';

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
    .addOption(byOption())
    .option('--note <text>', 'what you know')
    .action(async (id: string, { by, note }: ByOption & { note?: string }, command: Command) => {
      const acknowledge = (app: INestApplicationContext) =>
        app.get(DataSource).transaction((tx) => {
          const who = app.get(AuditLog).by(commandLine(by));
          return app.get(AlertsService).acknowledge(tx, id, who, { note: note ?? null, whose: ANYBODYS });
        });
      print(command, await withApp(acknowledge));
    });
}
