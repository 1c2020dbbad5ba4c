import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { commandLine } from '../../../modules/accounts/actor.pure.js';
import { AuditLog } from '../../../modules/accounts/audit/audit-log.service.js';
import { ApiKeysService } from '../../../modules/auth/api-keys.service.js';
import { type ByOption, byOption } from '../../by.js';
import { withApp } from '../../context.js';
import { list, print } from '../../output.js';

interface CreateOptions extends ByOption {
  readonly merchant: string;
  readonly scopes: string;
  readonly label: string;
}

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('issue and revoke API keys');
  key
    .command('create')
    .description('create a key; it is printed once and cannot be shown again')
    .requiredOption('--merchant <id>', 'merchant id')
    .option('--scopes <list>', 'read, write, or both', 'read,write')
    .option('--label <label>', 'what it is for', 'CLI')
    .addOption(byOption())
    .action(async ({ merchant, scopes, label, by }: CreateOptions, command: Command) => {
      const wanted = list(scopes.toLowerCase());
      const create = (app: INestApplicationContext) =>
        app.get(ApiKeysService).create(merchant, wanted, label, app.get(AuditLog).by(commandLine(by)));
      print(command, await withApp(create));
    });
  key
    .command('revoke <id>')
    .description('refuse the key from now on')
    .addOption(byOption())
    .action(async (id: string, { by }: ByOption, command: Command) => {
      const revoke = async (app: INestApplicationContext) => {
        const keys = app.get(ApiKeysService);
        return keys.revoke(await keys.ownerOf(id), id, app.get(AuditLog).by(commandLine(by)));
      };
      print(command, await withApp(revoke));
    });
  key
    .command('list')
    .description('keys of a merchant')
    .requiredOption('--merchant <id>', 'merchant id')
    .action(async ({ merchant }: { merchant: string }, command: Command) => {
      print(command, await withApp((app) => app.get(ApiKeysService).list(merchant)));
    });
}
