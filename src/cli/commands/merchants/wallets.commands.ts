import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import type { By } from '../../../database/by.js';
import { paired } from '../../../kernel/lookups.js';
import { typedNumber } from '../../../kernel/text/typed-number.js';
import { commandLine } from '../../../modules/accounts/actor.pure.js';
import { AuditLog } from '../../../modules/accounts/audit/audit-log.service.js';
import {
  DestinationsService,
  type WantedDestination,
} from '../../../modules/chains/wallets/destinations.service.js';
import { ExtendedKeysService } from '../../../modules/chains/wallets/extended-keys.service.js';
import { OwnAddressesService } from '../../../modules/chains/wallets/own-addresses.service.js';
import { WalletRecoveryService } from '../../../modules/chains/wallets/wallet-recovery.service.js';
import { WalletsService } from '../../../modules/chains/wallets/wallets.service.js';
import { MerchantsService } from '../../../modules/merchants/merchants.service.js';
import { type ByOption, byOption } from '../../by.js';
import { withApp } from '../../context.js';
import { forPeople, print, wholeNumber } from '../../output.js';
import { destinationText } from '../../text/destination-text.js';
import { sayRecovery, scanJson } from '../../text/scan-text.js';

interface OwnOptions extends ByOption {
  readonly merchant: string;
  readonly network?: string;
  readonly address?: string;
  readonly remove?: true;
}

interface RecoverOptions extends ByOption {
  readonly merchant?: string;
  readonly network?: string;
  readonly beyond: string;
}

interface WalletOptions extends ByOption {
  readonly merchant: string;
  readonly network: string;
}

interface SetOptions extends WalletOptions {
  readonly address?: string;
  readonly xpub?: string;
}

export function addWalletCommands(program: Command): void {
  const wallet = program.command('wallet').description('where merchants are paid');
  addSet(wallet);
  addSkip(wallet);
  addRecover(wallet);
  addList(wallet);
  addOwn(wallet);
}

function addSet(wallet: Command): void {
  wallet
    .command('set')
    .description('set what a merchant is paid to on a network: one address, or an extended public key')
    .requiredOption('--merchant <id>', 'merchant id')
    .requiredOption('--network <id>', 'network id')
    .option('--address <address>', 'EVM networks: the address that gets the money (any wallet, a Safe)')
    .option('--xpub <key>', 'extended public key of an account; a private key is refused')
    .addOption(byOption())
    .action(async ({ merchant, network, xpub, address, by }: SetOptions, command: Command) => {
      if (address !== undefined && xpub === undefined)
        return setAddress({ merchantId: merchant, network, address }, by, command);
      if (address !== undefined || xpub === undefined)
        throw new Error('Name either the --address that gets the money, or the --xpub of an account.');
      const { scan, sentences, isAnswered, addresses, ...wallet } = await withApp(async (app) => {
        await app.get(MerchantsService).get(merchant);
        const extendedKeys = app.get(ExtendedKeysService);
        const wanted = { merchantId: merchant, network, xpub };
        const set = await extendedKeys.set(wanted, byOf(app, by));
        return { ...set, ...extendedKeys.told(set.scan) };
      });
      print(command, { ...wallet, addresses, scan: { ...scanJson(scan), isAnswered } }, () =>
        [forPeople(wallet), comparison(addresses), ...sentences.map((sentence) => `${sentence}\n`)].join(''),
      );
    });
}

function addSkip(wallet: Command): void {
  wallet
    .command('skip')
    .description('go on at a later index, after a restored backup may have issued addresses twice')
    .requiredOption('--merchant <id>', 'merchant id')
    .requiredOption('--network <id>', 'network id')
    .requiredOption('--to <index>', 'next index to issue')
    .addOption(byOption())
    .action(async ({ merchant, network, to, by }: WalletOptions & { to: string }, command: Command) => {
      const skipped = withApp((app) =>
        app
          .get(ExtendedKeysService)
          .skip({ merchantId: merchant, network, to: typedNumber(to) }, byOf(app, by)),
      );
      print(command, await skipped);
    });
}

function addRecover(wallet: Command): void {
  wallet
    .command('recover')
    .description(
      'after a failover or a restored backup: search the chains for addresses that this database has forgotten, and go on ' +
        'behind them; exit status 1 where not everything could be asked',
    )
    .option('--merchant <id>', 'one merchant only')
    .option('--network <id>', 'only keys that this network is paid to')
    .option('--beyond <count>', 'indexes to pass over for addresses that nobody has paid yet', '50')
    .addOption(byOption())
    .action(async ({ beyond, by, ...wanted }: RecoverOptions, command: Command) => {
      const { recoveries, told } = await withApp(async (app) => {
        const found = await app
          .get(WalletRecoveryService)
          .recover(
            { merchantId: wanted.merchant, network: wanted.network, beyond: wholeNumber(beyond) },
            byOf(app, by),
          );
        const extendedKeys = app.get(ExtendedKeysService);
        return { recoveries: found, told: found.map(({ scan }) => extendedKeys.told(scan)) };
      });
      const all = paired(recoveries, told);
      const json = all.map(([{ scan, ...one }, { isAnswered }]) => ({
        ...one,
        scan: { ...scanJson(scan), isAnswered },
      }));
      print(command, json, () => all.map(([one, { sentences }]) => sayRecovery(one, sentences)).join(''));
      if (!told.every(({ isAnswered }) => isAnswered)) process.exitCode = 1;
    });
}

function addList(wallet: Command): void {
  wallet
    .command('list')
    .description('wallets of a merchant')
    .requiredOption('--merchant <id>', 'merchant id')
    .action(async ({ merchant }: { merchant: string }, command: Command) => {
      const wallets = await withApp((app) => app.get(WalletsService).list(merchant));
      print(command, wallets);
    });
}

function addOwn(wallet: Command): void {
  wallet
    .command('own')
    .description(
      'addresses that are the merchant’s own: what they send is no payment; without an address, the list',
    )
    .requiredOption('--merchant <id>', 'merchant id')
    .option('--network <id>', 'network id')
    .option('--address <address>', 'the address that sends, for example gas to collect tokens with')
    .addOption(byOption())
    .option('--remove', 'no longer: what it sends from now on is a payment again')
    .action(async (options: OwnOptions, command: Command) => {
      if (options.address === undefined) {
        if (options.remove) throw new Error('Name the --address that is to be removed.');
        print(command, await withApp((app) => app.get(OwnAddressesService).list(options.merchant)));
        return;
      }
      print(command, await changeOwn({ ...options, address: options.address }));
    });
}

async function setAddress(wanted: WantedDestination, by: string, command: Command): Promise<void> {
  const set = await withApp(async (app) => {
    await app.get(MerchantsService).get(wanted.merchantId);
    return app.get(DestinationsService).set(wanted, byOf(app, by));
  });
  const { isSet: _, ...wallet } = set;
  print(command, wallet, () => destinationText(set));
}

/** An address of an EVM network is the merchant's own on all of them. */
function changeOwn({ merchant: merchantId, network, address, remove, by }: OwnOptions & { address: string }) {
  if (network === undefined) throw new Error('Name the --network of the address.');
  return withApp(async (app) => {
    await app.get(MerchantsService).get(merchantId);
    const own = app.get(OwnAddressesService);
    const wanted = { merchantId, network, address };
    return remove ? own.remove(wanted, byOf(app, by)) : own.add(wanted, byOf(app, by));
  });
}

function comparison(addresses: readonly string[]): string {
  const lines = addresses.map((address, index) => `  ${index}  ${address}\n`);
  return `Compare the first addresses with your wallet, before anybody pays:\n${lines.join('')}`;
}

function byOf(app: INestApplicationContext, by: string): By {
  return app.get(AuditLog).by(commandLine(by));
}
