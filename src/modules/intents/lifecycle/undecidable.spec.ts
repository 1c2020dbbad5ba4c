import { Logger } from '@nestjs/common';
import { IntentsJobs } from './intents.jobs.js';
import { Undecidable } from './undecidable.js';

const failing = (code: string | null) => () =>
  Promise.reject(Object.assign(new Error('it fails'), code === null ? {} : { code }));

function undecidable() {
  const told: string[] = [];
  const standing = new Set<string>();
  const alerts = {
    raise: (_tx: unknown, { subject }: { subject: string }) => {
      standing.add(subject);
      return Promise.resolve(void told.push('raised'));
    },
    resolve: async (_tx: unknown, _kind: string, subject: string) => {
      standing.delete(subject);
      return Promise.resolve(void told.push('resolved'));
    },
    standingOf: () => Promise.resolve([...standing]),
  };
  const of = [{ manager: {} }, alerts] as never[];
  return {
    told,
    standing,
    intents: new Undecidable(...(of as unknown as ConstructorParameters<typeof Undecidable>)),
  };
}

/** The sweep over intents that can be decided but for some; nothing is due, so that of each it makes one try at most. */
function sweepOf(intents: Undecidable, broken: ReadonlySet<string>) {
  const tried: string[] = [];
  const decideAnew = (id: string) => {
    tried.push(id);
    return broken.has(id) ? Promise.reject(new Error('it fails')) : Promise.resolve();
  };
  const rows = { overdue: () => Promise.resolve([]) };
  const unused = {};
  const of = [unused, rows, { decideAnew }, unused, { isOpen: true }, intents] as never[];
  const jobs = new IntentsJobs(...(of as unknown as ConstructorParameters<typeof IntentsJobs>));
  return { tried, sweep: () => jobs.sweepOverdue() };
}

let logged: jest.SpyInstance;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const LONG_MS = 121_000;
async function failThrice(intents: Undecidable, id: string): Promise<void> {
  for (let times = 0; times < 3; times += 1) await intents.try(id, failing(null));
}

it('what fails by itself is known at once, to jobs and to readers', async () => {
  for (const way of ['try', 'tryToRead'] as const) {
    const { intents } = undecidable();
    expect(await intents[way]('pi_1', failing(null))).toBe(false);
    expect([intents.has('pi_1'), intents.has('pi_2')]).toEqual([true, false]);
    expect(await intents[way]('pi_1', () => Promise.resolve())).toBe(true);
    expect(intents.has('pi_1')).toBe(false);
  }
});

it.each(['55P03', '57014', '40P01', 'ECONNREFUSED', '57P01'])(
  'what the database gives up (%s) is thrown to readers, and known when it lasts',
  async (code) => {
    const { intents, told } = undecidable();
    await expect(intents.tryToRead('pi_1', failing(code))).rejects.toMatchObject({ code });
    for (const known of [false, false, true]) {
      expect(await intents.try('pi_1', failing(code))).toBe(false);
      expect(intents.has('pi_1')).toBe(known);
    }
    expect(told).toEqual(['raised']);
    await expect(intents.tryToRead('pi_1', failing(code))).rejects.toMatchObject({ code });
    expect(await intents.tryToRead('pi_1', () => Promise.resolve())).toBe(true);
    expect([intents.has('pi_1'), told]).toEqual([false, ['raised', 'resolved']]);
  },
);

it('what somebody else decided is asked about once it fails no more, and its alert is over', async () => {
  const { intents, standing } = undecidable();
  await failThrice(intents, 'pi_1');
  await failThrice(intents, 'pi_2');
  const { tried, sweep } = sweepOf(intents, new Set(['pi_2']));
  await sweep();
  expect([tried, [...standing]]).toEqual([[], ['pi_1', 'pi_2']]);
  jest.advanceTimersByTime(LONG_MS);
  await sweep();
  expect([tried, [...standing]]).toEqual([['pi_1', 'pi_2'], ['pi_2']]);
});

it('an alert from before the start of this instance stands until a try goes through', async () => {
  const { intents, standing } = undecidable();
  standing.add('pi_1').add('pi_2');
  await sweepOf(intents, new Set(['pi_1'])).sweep();
  expect([...standing]).toEqual(['pi_1']);
});

it('is not known any more when it has not failed again for long', async () => {
  const { intents } = undecidable();
  await intents.try('pi_1', failing(null));
  jest.advanceTimersByTime(LONG_MS);
  expect(intents.has('pi_1')).toBe(false);
});

it('a thousand that others decided keep the alert of none that fails', async () => {
  const { intents, standing } = undecidable();
  for (let other = 0; other < 1_000; other += 1) await intents.try(`pi_other${other}`, failing('55P03'));
  jest.advanceTimersByTime(LONG_MS);
  await failThrice(intents, 'pi_1');
  expect([...standing]).toEqual(['pi_1']);
});

it('of more than a thousand that fail at once the first are told of, and the log is not filled by the others', async () => {
  const { intents, standing } = undecidable();
  for (let round = 0; round < 3; round += 1)
    for (let each = 0; each < 1_100; each += 1) await intents.try(`pi_${each}`, failing(null));
  expect(standing.size).toBe(1_000);
  expect(logged).toHaveBeenCalledTimes(1_001);
});

it('a try never rejects, whatever becomes of what it tells: what its alert waits for is tried again', async () => {
  jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  const { intents, standing } = undecidable();
  await failThrice(intents, 'pi_1');
  const away = jest.spyOn(standing, 'delete').mockImplementation(() => {
    throw new Error('the database is away');
  });
  await expect(intents.try('pi_1', () => Promise.resolve())).resolves.toBe(true);
  away.mockRestore();
  expect(await intents.unseen()).toEqual(['pi_1']);
});
