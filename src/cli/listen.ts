import 'reflect-metadata';
import { Command, InvalidArgumentError } from 'commander';
import { isProduction, sandboxPlaces } from '../config/load-config.js';
import { processEnv } from '../config/process.js';
import { messageOf } from '../kernel/error-fields.js';
import { INTENT_STATUSES } from '../kernel/intent-status.js';
import { parseUrl } from '../kernel/text/parse-url.js';
import { sign } from '../kernel/webhook-signature.js';
import { readSandboxFile } from '../modules/sandbox/sandbox-home.service.js';
import { ENDPOINT_EVENTS } from '../modules/webhooks/webhooks.types.js';
import { onEndingSignal } from '../platform/process/ending-signals.js';
import { Listener } from './listen/listener.js';
import { fail, list, time } from './output.js';

interface Options {
  readonly forwardTo: string;
  readonly merchant?: string;
  readonly events?: readonly string[];
  readonly secret?: string;
  readonly since?: Date;
}

const EVENTS: readonly string[] = [...INTENT_STATUSES, ...ENDPOINT_EVENTS, 'webhook.test'];

function url(text: string): string {
  const parsed = parseUrl(text);
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.username + parsed.password === '')
    return parsed.href;
  throw new InvalidArgumentError(
    'Give an address such as http://localhost:4000/hook, without a user or password.',
  );
}

function eventNames(text: string): string[] {
  const names = list(text);
  const unknown = names.find((name) => !EVENTS.includes(name));
  if (unknown === undefined) return names;
  throw new InvalidArgumentError(`There is no ${unknown || 'empty name'}. Choose from ${EVENTS.join(', ')}.`);
}

function secret(text: string): string {
  try {
    sign([text], 'evt_check', 0, '');
    return text;
  } catch (error) {
    throw new InvalidArgumentError(`${messageOf(error)}.`);
  }
}

async function listen({ merchant, ...options }: Options): Promise<void> {
  const env = processEnv();
  if (isProduction(env))
    throw new Error('Only the sandbox can be listened to; production delivers to endpoints.');
  const { dataDir } = sandboxPlaces(env);
  const merchantId = merchant ?? readSandboxFile(dataDir).merchantId;
  const stop = new AbortController();
  onEndingSignal(() => stop.abort());
  await new Listener({ ...options, merchantId }, dataDir, stop.signal).run();
}

new Command('listen')
  .description("Forward the running sandbox's events to a server on this machine, signed as webhooks.")
  .requiredOption('--forward-to <url>', 'where your server listens, e.g. http://localhost:4000/hook', url)
  .option('--merchant <id>', 'whose events; the demo shop’s without it')
  .option(
    '--events <list>',
    'only these: statuses (settled,expired), payment.money, or webhook.test',
    eventNames,
  )
  .option('--secret <secret>', 'sign with this whsec_… instead of one that is made and kept', secret)
  .option(
    '--since <time>',
    'everything since then once more, e.g. 2026-11-21T08:00:00Z, and then what follows',
    time,
  )
  .action(listen)
  .parseAsync()
  .then(() => process.exit(), fail);
