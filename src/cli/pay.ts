import { Command, Option } from 'commander';
import { sandboxPlaces } from '../config/load-config.js';
import { processEnv } from '../config/process.js';
import { readSandboxFile } from '../modules/sandbox/sandbox-home.service.js';
import { SCENARIO_NAMES, type ScenarioName, SCENARIOS } from '../modules/sandbox/scenarios.pure.js';
import { Patience } from '../platform/patience.js';
import { fail } from './output.js';
import { Checkout } from './pay/checkout-client.js';
import { chosen } from './pay/choice.js';
import { pay } from './pay/once.js';
import { patientPick } from './pay/patient-pick.js';
import { playScenario } from './pay/scenario.js';

interface PayOptions {
  readonly asset?: string;
  readonly network?: string;
  readonly amount?: string;
  readonly scenario?: ScenarioName;
  readonly endWindow?: true;
}

/**
 * For an option that is closed: a minute where the sandbox answers at once, and longer where the machine is slow, as the first look
 * at the balances then takes longer, too.
 */
const PATIENCE = { everyMs: 1_000, looksInVain: 60 };

const WIDTH = Math.max(...SCENARIO_NAMES.map((name) => name.length));
const SCENARIO_LINES = SCENARIO_NAMES.map((name) => `  ${name.padEnd(WIDTH)}  ${SCENARIOS[name].summary}`);

new Command('pay')
  .description('Play the buyer in the running sandbox: pick at the checkout, send real transactions.')
  .argument('<intent>', 'intent id or checkout URL')
  .option('--asset <symbol>', 'asset to pick; what has been picked, else USDC, else the coin of the network')
  .option('--network <id>', 'network to pay on; what has been picked, else one that has the asset')
  .option('--amount <amount>', 'amount to send instead of what is missing')
  .addOption(
    new Option('--scenario <name>', 'what the buyer does, and what happens to it (below)')
      .choices(SCENARIO_NAMES)
      .conflicts('amount'),
  )
  .addOption(
    new Option('--end-window', 'end the payment window now, and send nothing').conflicts([
      'amount',
      'scenario',
    ]),
  )
  .addHelpText(
    'after',
    `\nScenarios (docs/scenarios.md says what comes of each):\n${SCENARIO_LINES.join('\n')}`,
  )
  .action(async (intent: string, options: PayOptions) => {
    const sandbox = readSandboxFile(sandboxPlaces(processEnv()).dataDir);
    const checkout = new Checkout(sandbox.checkoutUrl, /pi_[0-9a-z]+/.exec(intent)?.[0] ?? intent);
    if (options.endWindow) {
      process.stdout.write(`The payment window ended at ${await checkout.endWindow()}\n`);
    } else {
      const choice = chosen(options, await checkout.status(), sandbox.networks);
      const quoted = await patientPick(checkout, choice, new Patience(PATIENCE), (option) =>
        process.stderr.write(
          `${option} is not offered at present, as right after a start. Trying up to ${PATIENCE.looksInVain} times more, with a second between.\n`,
        ),
      );
      if (options.scenario) await playScenario(checkout, options.scenario);
      else await pay(sandbox.networks, quoted, options.amount ?? quoted.missing ?? '0');
    }
    process.stdout.write(`Watch it: ${checkout.page}\n`);
  })
  .parseAsync()
  .catch(fail);
