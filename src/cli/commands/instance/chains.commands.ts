import type { Command } from 'commander';
import { typedNumber } from '../../../kernel/text/typed-number.js';
import { commandLine } from '../../../modules/accounts/actor.pure.js';
import { AuditLog } from '../../../modules/accounts/audit/audit-log.service.js';
import { ChainRepairService } from '../../../modules/chains/repair/chain-repair.service.js';
import { type ByOption, byOption } from '../../by.js';
import { withApp } from '../../context.js';
import { print } from '../../output.js';

interface RewindOptions extends ByOption {
  readonly network: string;
  readonly to: string;
  readonly yes?: true;
}

export function addChainCommands(program: Command): void {
  const chain = program
    .command('chain')
    .description('how a network is watched, and the way out when it halts');
  chain
    .command('show')
    .description("the cursor, the node's chain at its height, who watches, and why it cannot go on")
    .requiredOption('--network <id>', 'network id')
    .action(async ({ network }: { network: string }, command: Command) => {
      print(command, await withApp((app) => app.get(ChainRepairService).show(network)));
    });
  chain
    .command('rewind')
    .description("put the cursor of a network that shares no block with its node at one of the node's blocks")
    .requiredOption('--network <id>', 'network id')
    .requiredOption('--to <height>', 'the block to go on after')
    .addOption(byOption())
    .option('--yes', 'do it: transfers above stand nowhere until the node shows them again')
    .action(async ({ network, to, yes, by }: RewindOptions, command: Command) => {
      if (!yes)
        throw new Error('This is for a chain that was replaced. Look at `chain show`, then say --yes.');
      const rewound = withApp((app) =>
        app.get(ChainRepairService).rewind(network, typedNumber(to), app.get(AuditLog).by(commandLine(by))),
      );
      print(command, await rewound);
    });
}
