import type { Command } from 'commander';
import { commandLine } from '../../../modules/accounts/actor.pure.js';
import { EmailProofs } from '../../../modules/accounts/people/email-proofs.service.js';
import { InvitationsService } from '../../../modules/accounts/people/invitations.service.js';
import { OperatorsService } from '../../../modules/accounts/people/operators.service.js';
import { LinksService } from '../../../modules/accounts/sign-in/links.service.js';
import { type ByOption, byOption } from '../../by.js';
import { withApp } from '../../context.js';
import { print } from '../../output.js';

interface InviteOptions extends ByOption {
  readonly email: string;
  readonly merchant?: string;
  readonly role?: string;
  readonly operator?: boolean;
  readonly showLink?: boolean;
}

interface WithdrawOptions extends ByOption {
  readonly email: string;
  readonly merchant?: string;
}

interface ResetOptions extends ByOption {
  readonly email: string;
  readonly secondFactors?: boolean;
  readonly endRoles?: boolean;
}

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('let people into the dashboard');
  user
    .command('invite')
    .description(
      'invite somebody by a link, good for 72 hours and once: mailed to them alone, or printed where there is no mail',
    )
    .requiredOption('--email <address>', 'whom')
    .option('--merchant <id>', 'for this merchant …')
    .option('--role <role>', '… as owner, developer, reviewer or read-only')
    .option('--operator', 'as an operator of the instance')
    .option('--show-link', 'print the link although mail is configured; taking it proves no address then')
    .addOption(byOption())
    .action(async ({ email, merchant, role, operator, showLink, by }: InviteOptions, command: Command) => {
      const invitation = {
        email,
        ...(merchant === undefined ? {} : { merchantId: merchant, ...(role === undefined ? {} : { role }) }),
        isOperator: operator ?? false,
        showLink: showLink ?? false,
      };
      print(command, await withApp((app) => app.get(InvitationsService).invite(invitation, commandLine(by))));
    });
  user
    .command('invitations')
    .description('invitations that nobody has answered yet: of operators, or of one merchant’s people')
    .option('--merchant <id>', 'to this merchant, instead of to run the instance')
    .action(async ({ merchant }: { merchant?: string }, command: Command) => {
      print(command, await withApp((app) => app.get(InvitationsService).open(merchant ?? null)));
    });
  user
    .command('withdraw')
    .description(
      'take back what is open for an address: an invitation to run the instance and links that set a new password, or invitations to one merchant',
    )
    .requiredOption('--email <address>', 'whose')
    .option('--merchant <id>', 'only invitations to this merchant')
    .addOption(byOption())
    .action(async ({ email, merchant, by }: WithdrawOptions, command: Command) => {
      const merchantId = merchant ?? null;
      const ended = await withApp(async (app) => ({
        invitation: await app.get(InvitationsService).withdraw(merchantId, email, commandLine(by)),
        resetLink:
          merchantId === null && (await app.get(LinksService).withdrawResets(email, commandLine(by))),
      }));
      if (!ended.invitation && !ended.resetLink) {
        const nor = merchantId === null ? ', nor a link that sets a new password' : '';
        throw new Error(`There is no open invitation of ${email}${nor}.`);
      }
      print(command, { email, withdrawn: true, ...ended });
    });
  user
    .command('operators')
    .description(
      'who runs the instance, since when as far as the audit log says, and whether with a second factor',
    )
    .action(async (_options: object, command: Command) => {
      print(command, await withApp((app) => app.get(OperatorsService).list()));
    });
  user
    .command('dismiss')
    .description(
      'make an operator one no more: their sessions end, and open invitations that they made as one or that would make them one again; what they are to merchants stays',
    )
    .requiredOption('--email <address>', 'whom')
    .addOption(byOption())
    .action(async ({ email, by }: ByOption & { email: string }, command: Command) => {
      await withApp((app) => app.get(OperatorsService).dismiss(email, commandLine(by)));
      print(command, { email, dismissed: true });
    });
  user
    .command('confirm')
    .description(
      'give your word that an account is of the person whose address it has; it may then be invited elsewhere',
    )
    .requiredOption('--email <address>', 'whose')
    .addOption(byOption())
    .action(async ({ email, by }: ByOption & { email: string }, command: Command) => {
      print(command, await withApp((app) => app.get(EmailProofs).vouch(email, commandLine(by))));
    });
  user
    .command('reset')
    .description(
      'print a link, good for 24 hours and once, with which somebody sets a new password; one that was printed before ends',
    )
    .requiredOption('--email <address>', 'whose')
    .addOption(byOption())
    .option(
      '--second-factors',
      'also forget codes and passkeys, and end all sessions and the open invitations that they made, for somebody who lost them',
    )
    .option(
      '--end-roles',
      'that, and end what the account is to merchants, if its address was never proved or confirmed: for somebody whose address another made it of',
    )
    .action(async ({ email, secondFactors, endRoles, by }: ResetOptions, command: Command) => {
      const dropped = endRoles ? 'roles too' : secondFactors ? 'second factors' : 'nothing';
      const reset = withApp((app) => app.get(LinksService).reset(email, commandLine(by), dropped));
      print(command, await reset);
    });
}
