import { Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { Subscription } from 'rxjs';
import type { DataSource } from 'typeorm';
import { checkoutStates } from '../../../test/support/checkout/checkout-states.js';
import type { Config } from '../../config/config.types.js';
import { Readiness } from '../../platform/health/readiness.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import type { CheckoutIntent, ClosedReason } from '../intents/checkout.types.js';
import type { CheckoutIntentsService } from '../intents/checkout/checkout-intents.service.js';
import { CheckoutFeed } from './checkout.feed.js';

let jobs: Jobs;
let readiness: Readiness;
let feed: CheckoutFeed;
let feedOf: (streams: number) => CheckoutFeed;
let find: (id: string) => Promise<CheckoutIntent | null>;
/** Of every page: another one with each block. */
let revision: string;
/** How many were asked for, question by question. */
let asked: number[];
let reads: number;
const open: Subscription[] = [];

beforeAll(() => Logger.overrideLogger(false));
beforeEach(() => {
  jobs = new Jobs(new SchedulerRegistry());
  readiness = new Readiness({} as DataSource);
  find = (id) => Promise.resolve({ ...checkoutStates['waiting']!, id });
  revision = '1';
  asked = [];
  reads = 0;
  const revisions = (ids: string[]) => {
    asked.push(ids.length);
    return Promise.resolve(new Map(ids.map((id) => [id, revision])));
  };
  const findAll = async (ids: string[]) => {
    reads += 1;
    const found = await Promise.all(ids.map(async (id) => [id, await find(id)] as const));
    return new Map(found.filter(([, intent]) => intent !== null));
  };
  const intents = { findAll, revisions } as unknown as CheckoutIntentsService;
  feedOf = (checkoutStreams) => new CheckoutFeed({ checkoutStreams } as Config, jobs, intents, readiness);
  feed = feedOf(100);
  jobs.adopt(feed);
  jobs.start();
});
afterEach(async () => {
  for (const stream of open.splice(0)) stream.unsubscribe();
  await jobs.onModuleDestroy();
});

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Opens a stream; `told` are the ids that it was told of, or the code with which it was refused. */
function watch(id: string, address = '192.0.2.1'): { told: string[]; stream: Subscription } {
  const told: string[] = [];
  const stream = feed.watch(id, address).subscribe({
    next: (view) => told.push(view.id),
    error: (error: { code: string }) => told.push(error.code),
  });
  open.push(stream);
  return { told, stream };
}

it('opens twenty streams for an address, and another one once one of them has ended', async () => {
  const streams = Array.from({ length: 20 }, (_, i) => watch(`pi_${i}`));
  expect(watch('pi_20').told).toEqual(['unavailable']);
  const neighbour = watch('pi_20', '192.0.2.2');
  streams[0]!.stream.unsubscribe();
  const next = watch('pi_21');
  await settle();
  expect([neighbour.told, next.told, streams[1]!.told]).toEqual([['pi_20'], ['pi_21'], ['pi_1']]);
});

it.each([
  [
    'a /56',
    100,
    (i: number) => `2001:db8:1:2${(i % 256).toString(16).padStart(2, '0')}::/64`,
    '2001:db8:1:300::/64',
  ],
  [
    'a /48',
    500,
    (i: number) => `2001:db8:1:${((i % 10) * 256 + Math.floor(i / 10)).toString(16)}::/64`,
    '2001:db8:2:0::/64',
  ],
])(
  'opens no more than its part for %s, whatever addresses are chosen in it',
  (_, most, address, elsewhere) => {
    feed = feedOf(5_000);
    for (let i = 0; i < most; i += 1) expect(watch('pi_1', address(i)).told).toEqual([]);
    expect(watch('pi_1', address(most)).told).toEqual(['unavailable']);
    expect(watch('pi_1', elsewhere).told).toEqual([]);
    open[0]!.unsubscribe();
    expect(watch('pi_1', address(most)).told).toEqual([]);
  },
);

it('opens no more streams in all than it was told to', () => {
  for (let i = 0; i < 100; i += 1) watch(`pi_${i}`, `192.0.2.${i}`);
  const more = watch('pi_100', '192.0.2.100');
  expect(more.told).toEqual(['unavailable']);
  open[0]!.unsubscribe();
  expect(watch('pi_101', '192.0.2.101').told).toEqual([]);
});

it('asks for those alone that were opened, and for all at a look', async () => {
  for (const n of [1, 2, 3]) {
    watch(`pi_${n}`);
    await settle();
  }
  for (const n of [4, 5, 1]) watch(`pi_${n}`);
  await settle();
  await feed.look();
  expect(asked).toEqual([1, 1, 1, 3, 5]);
});

it('tells whoever joins an open page what it shows', async () => {
  watch('pi_1');
  await settle();
  const { told } = watch('pi_1');
  await settle();
  expect(told).toEqual(['pi_1']);
});

it('tells nobody of what was read before the last that it told', async () => {
  const statuses: string[] = [];
  open.push(feed.watch('pi_1', '192.0.2.1').subscribe(({ status }) => statuses.push(status)));
  await settle();
  const waiting: (() => void)[] = [];
  find = (id) => {
    const status = waiting.length === 0 ? 'pending' : 'confirmed';
    const read = { ...checkoutStates['waiting']!, id, status } as const;
    return new Promise((resolve) => waiting.push(() => resolve(read)));
  };
  revision = '2';
  const looking = feed.look();
  await settle();
  revision = '3';
  watch('pi_1');
  await settle();
  // The later one, if it has been asked for.
  waiting[1]?.();
  await settle();
  waiting[0]!();
  await looking;
  await settle();
  waiting[1]!();
  await settle();
  expect(statuses).toEqual(['initiated', 'pending', 'confirmed']);
});

it('tells the others when one page cannot be read', async () => {
  find = (id) =>
    id === 'pi_2'
      ? Promise.reject(new Error('no such quote'))
      : Promise.resolve({ ...checkoutStates['waiting']!, id });
  const streams = [1, 2, 3].map((n) => watch(`pi_${n}`));
  await settle();
  expect(streams.map(({ told }) => told)).toEqual([['pi_1'], [], ['pi_3']]);
});

/** A page each, of as many addresses as it takes; not told of anything yet. */
function openPages(count: number) {
  feed = feedOf(1_000);
  return Array.from({ length: count }, (_, n) => watch(`pi_${n}`, `192.0.2.${Math.floor(n / 20)}`));
}

it('reads a hundred pages together, and four such parts at a time', async () => {
  const waiting: (() => void)[] = [];
  find = () => new Promise((resolve) => waiting.push(() => resolve(null)));
  openPages(520);
  const looking = feed.look();
  await settle();
  expect(waiting).toHaveLength(400);
  waiting.slice(0, 100).forEach((read) => read());
  await settle();
  expect(waiting).toHaveLength(500);
  find = () => Promise.resolve(null);
  waiting.forEach((read) => read());
  await looking;
});

it('finds the one of a hundred pages that cannot be read with twenty reads more, and tells the others', async () => {
  const streams = openPages(100);
  find = (id) =>
    id === 'pi_42'
      ? Promise.reject(new Error('no such quote'))
      : Promise.resolve({ ...checkoutStates['waiting']!, id });
  await expect(feed.look()).rejects.toThrow('no such quote');
  expect(reads).toBe(1 + 20);
  expect(streams.flatMap(({ told }, n) => (told.length === 1 ? [] : [n]))).toEqual([42]);
});

it.each([
  ['settled', 1],
  ['seen', 4],
])('a page that is %s is told of it and of three blocks on top: %i messages', async (state, messages) => {
  const { quote, ...rest } = checkoutStates[state]!;
  let blocks = 0;
  find = (id) => {
    const transfers = quote!.transfers.map((transfer) => ({
      ...transfer,
      confirmations: transfer.confirmations + blocks,
    }));
    return Promise.resolve({ ...rest, id, quote: { ...quote!, transfers } });
  };
  const { told } = watch('pi_1');
  await settle();
  while (blocks < 3) {
    blocks += 1;
    revision += '1';
    await feed.look();
  }
  expect(told).toHaveLength(messages);
});

it.each([
  ['choose', 2],
  ['blind', 2],
  ['waiting', 1],
])(
  'a page that is %s is told of it, and of a way to pay that closes where it has some',
  async (state, messages) => {
    const { options, ...rest } = checkoutStates[state]!;
    let closed: ClosedReason | null = null;
    find = (id) =>
      Promise.resolve({ ...rest, id, options: options.map((option) => ({ ...option, closed })) });
    const { told } = watch('pi_1');
    await settle();
    closed = 'no_rate';
    revision += '1';
    await feed.look();
    expect(told).toHaveLength(messages);
  },
);

it('ends what is open at shutdown, and at once what comes later', () => {
  const ended: string[] = [];
  open.push(feed.ending().subscribe(() => ended.push('open')));
  readiness.close();
  open.push(feed.ending().subscribe(() => ended.push('late')));
  expect(ended).toEqual(['open', 'late']);
});

it('ends a stream after half an hour', () => {
  jest.useFakeTimers();
  const ended: string[] = [];
  open.push(feed.ending().subscribe(() => ended.push('ended')));
  jest.advanceTimersByTime(29 * 60_000);
  expect(ended).toEqual([]);
  jest.advanceTimersByTime(60_000);
  expect(ended).toEqual(['ended']);
  jest.useRealTimers();
});
