import type { Command } from 'commander';
import { FactoryService } from '../../../modules/chains/forwarders/factory.service.js';
import { withApp } from '../../context.js';
import { forPeople, print } from '../../output.js';
import { readSecret } from '../../secret-input.js';

interface DeployOptions {
  readonly network: string;
  readonly send?: true;
}

const NOTHING_TO_DO = 'The contract is there already: nothing has to be done.\n';

export function addContractCommands(program: Command): void {
  const contracts = program
    .command('contracts')
    .description('the contract that collects money from deposit addresses');
  contracts
    .command('deploy')
    .description(
      'print the transaction that deploys it on an EVM network, for any wallet; once for all merchants, whoever pays the gas',
    )
    .requiredOption('--network <id>', 'network id')
    .option('--send', 'send it with a private key read from standard input, which is kept nowhere')
    .action(async ({ network, send }: DeployOptions, command: Command) => {
      const key = send ? await readSecret('Private key of an account that pays the gas: ') : null;
      const deployment = await withApp((app) => app.get(FactoryService).deployment(network, key));
      print(command, deployment, () => {
        const { isDeployed, sent, ...transaction } = deployment;
        if (isDeployed) return NOTHING_TO_DO;
        return sent ? `Deployed ${transaction.factory} by ${sent}.\n` : forPeople(transaction);
      });
    });
}
