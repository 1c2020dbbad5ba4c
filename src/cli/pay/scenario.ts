import { setTimeout as sleep } from 'node:timers/promises';
import type { ScenarioName } from '../../modules/sandbox/scenarios.pure.js';
import type { Checkout } from './checkout-client.js';

const LOOK_EVERY_MS = 300;

/** Has the running sandbox play a scenario, and prints each step as it is done. @throws when it fails */
export async function playScenario(checkout: Checkout, scenario: ScenarioName): Promise<void> {
  await checkout.begin(scenario);
  let printed = 0;
  for (;;) {
    const run = await checkout.run();
    if (!run) throw new Error('The sandbox was started anew and knows nothing of this scenario.');
    for (const step of run.steps.slice(printed)) process.stdout.write(`${step}\n`);
    printed = run.steps.length;
    if (run.state === 'done') return;
    if (run.state === 'failed') throw new Error(`The scenario ${scenario} did not work: ${run.problem}`);
    await sleep(LOOK_EVERY_MS);
  }
}
