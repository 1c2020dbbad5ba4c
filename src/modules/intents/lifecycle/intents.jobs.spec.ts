import type { FactChange } from '../../chains/chains.types.js';
import { IntentsJobs } from './intents.jobs.js';

/** Subjects whose facts have changed, and what deciding about each of them does. */
function jobsOn(changed: readonly string[], applyChange: (change: FactChange) => Promise<void>) {
  const waiting = new Set(changed);
  const events: string[] = [];
  const facts = {
    changes: () => Promise.resolve([...waiting].map((subject) => ({ subject, version: 1n }))),
    postpone: ({ subject }: FactChange) => Promise.resolve(void events.push(`postponed ${subject}`)),
  };
  const undecidable = {
    try: async (id: string, decide: () => Promise<void>) => {
      const isDecided = await decide().then(
        () => true,
        () => false,
      );
      if (isDecided) waiting.delete(id);
      events.push(`${isDecided ? 'decided' : 'failed'} ${id}`);
      return isDecided;
    },
  };
  const unused = {};
  const of = [unused, unused, { applyChange }, facts, unused, undecidable] as never[];
  const jobs = new IntentsJobs(...(of as unknown as ConstructorParameters<typeof IntentsJobs>));
  return { jobs, waiting, events };
}

it('one that is slow holds up no other, is worked on once, and is awaited at the end', async () => {
  let release = () => {};
  const slow = new Promise<void>((resolve) => (release = resolve));
  const begun: string[] = [];
  const { jobs, waiting, events } = jobsOn(['slow', 'a'], ({ subject }) => {
    begun.push(subject);
    return subject === 'slow' ? slow : Promise.resolve();
  });
  await jobs.applyChanges();
  expect([...waiting]).toEqual(['slow']);
  waiting.add('b');
  await jobs.applyChanges();
  expect([begun, events]).toEqual([
    ['slow', 'a', 'b'],
    ['decided a', 'decided b'],
  ]);
  release();
  await jobs.beforeApplicationShutdown();
  expect(events).toEqual(['decided a', 'decided b', 'decided slow']);
});

it('as many that are slow as are worked on at once are waited for, until one is done', async () => {
  const releases: (() => void)[] = [];
  const many = ['1', '2', '3', '4'];
  const { jobs, waiting, events } = jobsOn(many, ({ subject }) =>
    subject === 'a' ? Promise.resolve() : new Promise<void>((resolve) => releases.push(resolve)),
  );
  const first = jobs.applyChanges();
  // By turns of the event loop, in which a test can run out of time.
  while (releases.length < many.length) await new Promise((resolve) => setImmediate(resolve));
  releases[0]?.();
  await first;
  expect([...waiting]).toEqual(['2', '3', '4']);
  waiting.add('a');
  await jobs.applyChanges();
  expect(events).toEqual(['decided 1', 'decided a']);
  for (const release of releases) release();
  await jobs.beforeApplicationShutdown();
});

it('one that cannot be decided goes behind the others, and all others are decided', async () => {
  const { jobs, events } = jobsOn(['bad', 'a'], ({ subject }) =>
    subject === 'bad' ? Promise.reject(new Error('no price')) : Promise.resolve(),
  );
  await jobs.applyChanges();
  expect(events).toEqual(expect.arrayContaining(['postponed bad', 'failed bad', 'decided a']));
});
