import { type Command, InvalidArgumentError } from 'commander';
import { isProduction, sandboxPlaces } from '../../../config/load-config.js';
import { processEnv } from '../../../config/process.js';
import { readSandboxFile } from '../../../modules/sandbox/sandbox-home.service.js';
import { withWatchedApp } from '../../context.js';
import { DemoFill, type Filled } from '../../demo/fill.js';
import { DEFAULT_COUNT } from '../../demo/orders.js';
import { print } from '../../output.js';

/** A few minutes of local blocks; more would be a load test. */
const MAX_COUNT = 200;

export function addDemoCommands(program: Command): void {
  const demo = program.command('demo').description('something to look at, in the sandbox only');
  demo
    .command('fill')
    .description('a few dozen orders of a shop, paid in every way that buyers have; takes some minutes')
    .option('--count <n>', `1 to ${MAX_COUNT} orders`, count, DEFAULT_COUNT)
    .action(async (options: { count: number }, command: Command) => {
      const env = processEnv();
      if (isProduction(env)) {
        throw new Error('demo fill works in the sandbox only: it would create payments that nobody ordered.');
      }
      const sandbox = readSandboxFile(sandboxPlaces(env).dataDir);
      // On standard error: what stands on standard output is the result.
      const say = (text: string) => void process.stderr.write(`${text}\n`);
      const filled = await withWatchedApp((app) => new DemoFill(app, sandbox, say).run(options.count));
      print(command, filled, (result) => summary(result, sandbox.dashboard.url));
      if (filled.problems.length > 0) process.exitCode = 1;
    });
}

function summary({ created, statuses, reviews, problems }: Filled, dashboardUrl: string): string {
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([word, count]) => `${count} ${word}`)
      .join(', ');
  const failed = problems.map((problem) => `  did not work: ${problem}\n`).join('');
  return `
${created} orders created.
${failed}
  Payments   ${list(statuses)}
  Review     ${list(reviews) || 'nothing waits'}
  Webhooks   one endpoint answers, one is down; some deliveries were sent again

Look at them: ${dashboardUrl}
`;
}

function count(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= MAX_COUNT) return value;
  throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_COUNT}.`);
}
