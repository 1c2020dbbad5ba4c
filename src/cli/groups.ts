import type { Command } from 'commander';

interface Group {
  /** In the order of the help; what each is about is said once more where it is loaded. */
  readonly nouns: readonly { readonly name: string; readonly description: string }[];
  readonly load: () => Promise<(program: Command) => void>;
}

const one = (name: string, description: string, load: Group['load']): Group => ({
  nouns: [{ name, description }],
  load,
});

/** What the command line can do, without loading any of it. */
export const GROUPS: readonly Group[] = [
  one(
    'merchant',
    'create, approve and configure merchants',
    async () => (await import('./commands/merchants/merchants.commands.js')).addMerchantCommands,
  ),
  one(
    'key',
    'issue and revoke API keys',
    async () => (await import('./commands/merchants/keys.commands.js')).addKeyCommands,
  ),
  one(
    'user',
    'let people into the dashboard',
    async () => (await import('./commands/merchants/users.commands.js')).addUserCommands,
  ),
  one(
    'wallet',
    'where merchants are paid',
    async () => (await import('./commands/merchants/wallets.commands.js')).addWalletCommands,
  ),
  one(
    'contracts',
    'the contract that collects money from deposit addresses',
    async () => (await import('./commands/instance/contracts.commands.js')).addContractCommands,
  ),
  one(
    'treasury',
    'what lies on deposit addresses without keys, and how it is collected',
    async () => (await import('./commands/payments/treasury.commands.js')).addTreasuryCommands,
  ),
  one(
    'webhook',
    'where events are delivered',
    async () => (await import('./commands/merchants/webhooks.commands.js')).addWebhookCommands,
  ),
  one(
    'intent',
    'look at and cancel payment intents',
    async () => (await import('./commands/payments/intents.commands.js')).addIntentCommands,
  ),
  one(
    'review',
    'money that came too little, too late, or to the wrong place',
    async () => (await import('./commands/payments/reviews.commands.js')).addReviewCommands,
  ),
  one(
    'refund',
    'money that goes back to a buyer from the merchant’s own wallet, followed on the chain',
    async () => (await import('./commands/payments/refunds.commands.js')).addRefundCommands,
  ),
  one(
    'export',
    'settled payments and recorded refunds of a period, for the books',
    async () => (await import('./commands/payments/export.commands.js')).addExportCommand,
  ),
  one(
    'alert',
    'what a merchant or the operator must hear of',
    async () => (await import('./commands/instance/alerts.commands.js')).addAlertCommands,
  ),
  one(
    'chain',
    'how a network is watched, and the way out when it halts',
    async () => (await import('./commands/instance/chains.commands.js')).addChainCommands,
  ),
  {
    nouns: [
      { name: 'migrate', description: 'apply pending migrations; run it before a new version is started' },
      {
        name: 'retention',
        description: 'remove now what is kept for a time only, as the service does once an hour',
      },
    ],
    load: async () => (await import('./commands/instance/database.commands.js')).addDatabaseCommands,
  },
  one(
    'check',
    'verify the invariants of all stored money; exit status 1 when one is broken',
    async () => (await import('./commands/instance/check.commands.js')).addCheckCommand,
  ),
  one(
    'demo',
    'something to look at, in the sandbox only',
    async () => (await import('./commands/instance/demo.commands.js')).addDemoCommands,
  ),
  one(
    'secrets',
    'the key under which secrets are stored',
    async () => (await import('./commands/instance/secrets.commands.js')).addSecretCommands,
  ),
];
