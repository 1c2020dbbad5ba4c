import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { CONFIG, type Config } from '../config/config.types.js';
import { CLI_ACTOR, type Role } from '../modules/accounts/accounts.types.js';
import { LinksService, type OneTimeLink } from '../modules/accounts/links.service.js';
import { withApp } from './context.js';
import { print } from './output.js';

interface InviteOptions {
  readonly email: string;
  readonly merchant?: string;
  readonly role?: string;
  readonly operator?: boolean;
}

interface ResetOptions {
  readonly email: string;
  readonly secondFactors?: boolean;
}

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('let people into the dashboard');
  user
    .command('invite')
    .description('print a link, good for 72 hours and once, with which somebody joins')
    .requiredOption('--email <address>', 'whom')
    .option('--merchant <id>', 'for this merchant …')
    .option('--role <role>', '… as owner, developer, reviewer or read-only')
    .option('--operator', 'as an operator of the instance')
    .action(async ({ email, merchant, role, operator }: InviteOptions, command: Command) => {
      const invitation = {
        email,
        ...(merchant === undefined ? {} : { merchantId: merchant, role: role as Role }),
        isOperator: operator ?? false,
      };
      print(
        command,
        await withApp(async (app) => shown(app, await app.get(LinksService).invite(invitation, CLI_ACTOR))),
      );
    });
  user
    .command('reset')
    .description('print a link, good for 24 hours and once, with which somebody sets a new password')
    .requiredOption('--email <address>', 'whose')
    .option(
      '--second-factors',
      'also forget codes and passkeys and end all sessions, for somebody who lost them',
    )
    .action(async ({ email, secondFactors }: ResetOptions, command: Command) => {
      const reset = async (app: INestApplicationContext) =>
        shown(app, await app.get(LinksService).reset(email, CLI_ACTOR, secondFactors ?? false));
      print(command, await withApp(reset));
    });
}

function shown(app: INestApplicationContext, { email, token, expiresAt }: OneTimeLink) {
  const { baseUrl } = app.get<Config>(CONFIG);
  return { email, url: `${baseUrl}/dashboard/link/${token}`, expiresAt };
}
