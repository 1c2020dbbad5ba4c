import type { Command } from 'commander';
import { processEnv } from '../../../config/process.js';
import { migrate } from '../../../database/migrate.js';
import { Retention } from '../../../platform/retention/retention.js';
import { cliConfig, withApp } from '../../context.js';
import { print } from '../../output.js';

export function addDatabaseCommands(program: Command): void {
  program
    .command('migrate')
    .description('apply pending migrations; run it before a new version is started')
    .option('--application-role <name>', 'a database role that the service runs as: it gets what that needs')
    .action(async ({ applicationRole }: { applicationRole?: string }, command: Command) => {
      const applied = await migrate(cliConfig(processEnv()).databaseUrl, applicationRole);
      print(command, { migrated: true, applied }, () => saidOf(applied, applicationRole));
    });
  program
    .command('retention')
    .description('remove now what is kept for a time only, as the service does once an hour')
    .action(async (_options: unknown, command: Command) => {
      print(command, await withApp((app) => app.get(Retention).run()));
    });
}

function saidOf(applied: readonly string[], role?: string): string {
  const head =
    applied.length === 0
      ? 'The database is up to date: no migration was pending.\n'
      : `Applied ${applied.length}:\n${applied.map((name) => `  ${name}\n`).join('')}`;
  return role === undefined ? head : `${head}The role ${role} has what the service needs.\n`;
}
