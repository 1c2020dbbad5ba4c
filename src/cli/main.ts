import 'reflect-metadata';
import { Command } from 'commander';
import { addAlertCommands } from './alerts.commands.js';
import { addDemoCommands } from './demo.commands.js';
import { addExportCommand } from './export.commands.js';
import { addIntentCommands } from './intents.commands.js';
import { addKeyCommands } from './keys.commands.js';
import { addMerchantCommands } from './merchants.commands.js';
import { addDatabaseCommands } from './database.commands.js';
import { addReviewCommands } from './reviews.commands.js';
import { addSecretCommands } from './secrets.commands.js';
import { addUserCommands } from './users.commands.js';
import { addWalletCommands } from './wallets.commands.js';
import { addWebhookCommands } from './webhooks.commands.js';
import { fail } from './output.js';

const program = new Command('cli')
  .description("Rappen's operator command line, against the configured database or the running sandbox's.")
  .option('--json', 'print one JSON object or array and nothing else')
  .showHelpAfterError()
  .configureHelp({ showGlobalOptions: true });

addMerchantCommands(program);
addKeyCommands(program);
addUserCommands(program);
addWalletCommands(program);
addWebhookCommands(program);
addIntentCommands(program);
addReviewCommands(program);
addExportCommand(program);
addAlertCommands(program);
addDatabaseCommands(program);
addDemoCommands(program);
addSecretCommands(program);

program.parseAsync().catch(fail);
