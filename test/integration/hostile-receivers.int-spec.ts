import { setTimeout as sleep } from 'node:timers/promises';
import { WebhookSender } from '../../src/modules/webhooks/delivery/sender.js';
import { Helper } from '../bench/helper.js';

/** A sender's turn with one receiver, so that a flood that is never cut would cost about as much processor time. */
const DEADLINE_MS = 1_500;
/** What an exchange may cost of the processor: some milliseconds on this machine, and a slow one is no attack. */
const MAX_CPU_MS = 300;

interface HostileReceiver {
  readonly name: string;
  readonly isHandshake: boolean;
  readonly port: number;
}

let helper: Helper;
let receivers: HostileReceiver[];
let sender: WebhookSender;

beforeAll(async () => {
  helper = Helper.start('../support/hostile-receivers.mjs');
  receivers = await helper.call('listen');
  await helper.call('attack', true);
  sender = new WebhookSender({
    policy: { sandbox: true },
    resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    deadlineMs: DEADLINE_MS,
  });
});
afterAll(async () => {
  await sender.close();
  helper.stop();
});

const message = (url: string) => ({
  url,
  signature: { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' },
  body: '{}',
});

/** Processor time of this process while `work` runs. The processor's time, because a busy machine makes nothing of it longer. */
async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

it('no receiver takes the processor, whatever it sends', async () => {
  const costs: Record<string, number> = {};
  for (const { name, isHandshake, port } of receivers) {
    const url = `${isHandshake ? 'https' : 'http'}://127.0.0.1:${port}/`;
    costs[name] = await cpuMsOf(() => sender.send(message(url)));
    await sleep(0); // sockets that were destroyed are closed
  }
  const tooMuch = Object.entries(costs).filter(([, cpuMs]) => cpuMs > MAX_CPU_MS);
  expect(Object.keys(costs)).toHaveLength(18);
  expect(tooMuch).toEqual([]);
});

it.each(['endless 103', 'endless 102', 'endless chunk extension', 'endless blank lines', 'endless trailers'])(
  '%s is cut long before the deadline',
  async (name) => {
    const { port } = receivers.find((receiver) => receiver.name === name)!;
    const result = await sender.send(message(`http://127.0.0.1:${port}/`));
    expect(result.error).not.toBe('timeout');
    expect(result.error).not.toBeNull();
  },
);

it('an answer that follows others on one connection is judged by itself', async () => {
  await helper.call('attack', false);
  const { port } = receivers[0]!;
  for (let i = 0; i < 50; i++) {
    expect(await sender.send(message(`http://127.0.0.1:${port}/`))).toMatchObject({ httpStatus: 204 });
  }
  await helper.call('attack', true);
});
