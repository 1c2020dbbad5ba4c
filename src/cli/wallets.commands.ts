import type { Command } from 'commander';
import { CLI_ACTOR } from '../modules/accounts/accounts.types.js';
import { ChainsService } from '../modules/chains/chains.service.js';
import { WalletChangesService } from '../modules/dashboard/wallet-changes.service.js';
import { MerchantsService } from '../modules/merchants/merchants.service.js';
import { withApp } from './context.js';
import { print } from './output.js';

interface WalletOptions {
  readonly merchant: string;
  readonly network: string;
}

export function addWalletCommands(program: Command): void {
  const wallet = program.command('wallet').description('where merchants are paid');
  wallet
    .command('set')
    .description('set the extended public key (account level) of a merchant on a network')
    .requiredOption('--merchant <id>', 'merchant id')
    .requiredOption('--network <id>', 'network id')
    .requiredOption('--xpub <key>', 'extended public key; a private key is refused')
    .action(async ({ merchant, network, xpub }: WalletOptions & { xpub: string }, command: Command) => {
      const set = withApp(async (app) => {
        await app.get(MerchantsService).get(merchant);
        return app.get(WalletChangesService).set({ merchantId: merchant, network, xpub }, CLI_ACTOR);
      });
      print(command, await set);
    });
  wallet
    .command('skip')
    .description('go on at a later index, after a restored backup may have issued addresses twice')
    .requiredOption('--merchant <id>', 'merchant id')
    .requiredOption('--network <id>', 'network id')
    .requiredOption('--to <index>', 'next index to issue')
    .action(async ({ merchant, network, to }: WalletOptions & { to: string }, command: Command) => {
      const skipped = withApp((app) =>
        app.get(WalletChangesService).skip({ merchantId: merchant, network, to: Number(to) }, CLI_ACTOR),
      );
      print(command, await skipped);
    });
  wallet
    .command('list')
    .description('wallets of a merchant')
    .requiredOption('--merchant <id>', 'merchant id')
    .action(async ({ merchant }: { merchant: string }, command: Command) => {
      const wallets = await withApp((app) => app.get(ChainsService).wallets(merchant));
      print(command, wallets);
    });
}
