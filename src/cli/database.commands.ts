import type { Command } from 'commander';
import { processEnv } from '../config/process.js';
import { migrate } from '../database/migrate.js';
import { Retention } from '../platform/retention.js';
import { cliConfig, withApp } from './context.js';
import { print } from './output.js';
import { InvariantsService } from '../modules/intents/invariants.service.js';

export function addDatabaseCommands(program: Command): void {
  program
    .command('migrate')
    .description('apply pending migrations; run it before a new version is started')
    .option('--application-role <name>', 'a database role that the service runs as: it gets what that needs')
    .action(async ({ applicationRole }: { applicationRole?: string }, command: Command) => {
      await migrate(cliConfig(processEnv()).databaseUrl, applicationRole);
      print(command, { migrated: true });
    });
  program
    .command('retention')
    .description('remove now what is kept for a time only, as the service does once an hour')
    .action(async (_options: unknown, command: Command) => {
      print(command, await withApp((app) => app.get(Retention).run()));
    });
  program
    .command('check')
    .description('verify the invariants of all stored money; exit status 1 when one is broken')
    .action(async (_options: unknown, command: Command) => {
      const findings = await withApp((app) => app.get(InvariantsService).check());
      print(command, findings);
      if (findings.some(({ violations }) => violations > 0)) process.exitCode = 1;
    });
}
