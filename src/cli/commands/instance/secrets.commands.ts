import type { Command } from 'commander';
import { commandLine } from '../../../modules/accounts/actor.pure.js';
import { AuditLog } from '../../../modules/accounts/audit/audit-log.service.js';
import { Rekeying } from '../../../platform/secrets/rekeying.js';
import { type ByOption, byOption } from '../../by.js';
import { withApp } from '../../context.js';
import { print } from '../../output.js';

export function addSecretCommands(program: Command): void {
  const secrets = program.command('secrets').description('the key under which secrets are stored');
  secrets
    .command('status')
    .description(
      'how many stored secrets SECRET_KEY opens, how many only SECRET_KEY_PREVIOUS, how many neither',
    )
    .action(async (_options: unknown, command: Command) => {
      const standing = await withApp((app) => app.get(Rekeying).standing());
      print(command, { ...standing, unknown: standing.unknown.length });
    });
  secrets
    .command('rekey')
    .description('seal with SECRET_KEY what SECRET_KEY_PREVIOUS sealed; may be interrupted and run again')
    .option('--leave-unknown', 'pass over what neither key opens, instead of refusing')
    .addOption(byOption())
    .action(async ({ leaveUnknown = false, by }: ByOption & { leaveUnknown?: boolean }, command: Command) => {
      const result = await withApp(async (app) => {
        const rekeyed = await app.get(Rekeying).run({ leaveUnknown }, app.get(AuditLog).by(commandLine(by)));
        return { rekeyed, ...(await app.get(Rekeying).standing()) };
      });
      print(command, { ...result, unknown: result.unknown.length });
      if (result.previous > 0) {
        throw new Error(
          'An instance still seals with the old key: restart it with both, then run this again.',
        );
      }
    });
}
