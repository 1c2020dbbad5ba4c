import type { INestApplicationContext } from '@nestjs/common';
import { type Command, Option } from 'commander';
import { type TypedNumber, typedNumber } from '../../../kernel/text/typed-number.js';
import { commandLine } from '../../../modules/accounts/actor.pure.js';
import { AdmissionService } from '../../../modules/accounts/admission/admission.service.js';
import { AuditLog } from '../../../modules/accounts/audit/audit-log.service.js';
import { MerchantsService } from '../../../modules/merchants/merchants.service.js';
import type { MerchantSettings } from '../../../modules/merchants/merchants.types.js';
import { type ByOption, byOption } from '../../by.js';
import { withApp } from '../../context.js';
import { print } from '../../output.js';

interface SetOptions extends ByOption {
  readonly name?: string;
  readonly support?: string;
  readonly alertEmail?: readonly string[];
  readonly toleranceBps?: string;
  readonly spreadBps?: string;
  readonly acceptSeenLate?: string;
  readonly acceptShortBps?: string;
  readonly acceptShortMinor?: string;
  readonly acceptLateMinutes?: string;
  readonly acceptLateMoveBps?: string;
}

interface CreateOptions extends ByOption {
  readonly name: string;
  readonly support?: string;
  readonly approved?: boolean;
  readonly reason: string;
}

const WHY = 'why; it stays in the audit log, which the merchant’s owners can read';
/** The dashboard insists on a reason; scripts from before there was one go on. */
const UNSAID = 'not said, on the command line';

const DECISIONS = [
  ['approve', 'approved', 'its keys work from now on'],
  ['suspend', 'suspended', 'nothing new can be created or picked; what runs goes on'],
  ['close', 'closed', 'for good: its keys stop, its addresses stay watched'],
] as const;

export function addMerchantCommands(program: Command): void {
  const merchant = program.command('merchant').description('create, approve and configure merchants');
  addCreate(merchant);
  addList(merchant);
  for (const decision of DECISIONS) addDecision(merchant, decision);
  addSet(merchant);
}

function addCreate(merchant: Command): void {
  merchant
    .command('create')
    .description('create a merchant, awaiting approval unless --approved')
    .requiredOption('--name <name>', 'display name, shown to buyers')
    .option('--support <contact>', 'support contact, shown to buyers')
    .option('--approved', 'approve at once')
    .option('--reason <text>', WHY, UNSAID)
    .addOption(byOption())
    .action(async (options: CreateOptions, command: Command) => {
      const { name, support, approved, reason, by } = options;
      const settings = { name, ...(support === undefined ? {} : { supportContact: support }) };
      const status = approved ? 'approved' : 'pending';
      const wanted = { ...settings, status, reason, ownerEmail: null } as const;
      const create = (app: INestApplicationContext) =>
        app.get(AdmissionService).create(wanted, commandLine(by));
      print(command, (await withApp(create)).merchant);
    });
}

function addList(merchant: Command): void {
  merchant
    .command('list')
    .description('all merchants')
    .action(async (_options: unknown, command: Command) => {
      print(command, await withApp((app) => app.get(MerchantsService).list()));
    });
}

function addDecision(merchant: Command, [verb, status, description]: (typeof DECISIONS)[number]): void {
  merchant
    .command(`${verb} <id>`)
    .description(description)
    .option('--reason <text>', WHY, UNSAID)
    .addOption(byOption())
    .action(async (id: string, { reason, by }: ByOption & { reason: string }, command: Command) => {
      const decide = async (app: INestApplicationContext) => {
        await app.get(AdmissionService).decide(id, status, reason, commandLine(by));
        return app.get(MerchantsService).get(id);
      };
      print(command, await withApp(decide));
    });
}

function addSet(merchant: Command): void {
  merchant
    .command('set <id>')
    .description('change settings')
    .addOption(byOption())
    .option('--name <name>', 'display name')
    .option('--support <contact>', 'support contact; empty for none')
    .option(
      '--alert-email <address>',
      'who is mailed about alerts; may be repeated, empty for nobody',
      collect,
    )
    .option('--tolerance-bps <bps>', 'how much less completes a payment, in hundredths of a percent')
    .option('--spread-bps <bps>', 'what the rate is worsened by, in hundredths of a percent')
    .addOption(
      new Option('--accept-seen-late <yes|no>', 'accept punctual money that we saw late').choices([
        'yes',
        'no',
      ]),
    )
    .option('--accept-short-bps <bps>', 'accept what is short by at most this; 0 is off')
    .option('--accept-short-minor <cents>', 'accept what is short by at most this many cents; 0 is off')
    .option('--accept-late-minutes <minutes>', 'accept complete money that is late by at most this; 0 is off')
    .option('--accept-late-move-bps <bps>', '… while the price moved by less than this')
    .action(async (id: string, { by, ...options }: SetOptions, command: Command) => {
      const settings = toSettings(options);
      print(
        command,
        await withApp((app) =>
          app.get(MerchantsService).set(id, settings, app.get(AuditLog).by(commandLine(by))),
        ),
      );
    });
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Only what was given is changed; numbers are checked where all settings are. */
function toSettings(options: Omit<SetOptions, 'by'>): MerchantSettings<TypedNumber> {
  const { name, support, alertEmail, acceptSeenLate, ...numbers } = options;
  return {
    ...(name === undefined ? {} : { name }),
    ...(support === undefined ? {} : { supportContact: support || null }),
    ...(alertEmail === undefined ? {} : { alertEmails: alertEmail.filter((address) => address !== '') }),
    ...(acceptSeenLate === undefined ? {} : { acceptSeenLate: acceptSeenLate === 'yes' }),
    ...Object.fromEntries(Object.entries(numbers).map(([setting, text]) => [setting, typedNumber(text)])),
  };
}
