import type { LookupAddress } from 'node:dns';
import { promisify } from 'node:util';
import { MOST_ADDRESSES, NameLookup, type NameLookupOptions } from './name-lookup.js';

const HERE: LookupAddress = { address: '10.0.0.1', family: 4 };
const MOVED: LookupAddress = { address: '10.0.0.2', family: 4 };

/** What was found before is not taken, unless a test is about that: a machine that stands still would have it taken at any time. */
const FAR_MS = 600_000;

/** The machine's look-up, which answers each name when it is told to. */
function machine(options: NameLookupOptions = {}) {
  const asked: string[] = [];
  const hanging = new Map<string, (answer: LookupAddress[] | Error) => void>();
  const { lookup } = new NameLookup({
    patienceMs: FAR_MS,
    ...options,
    ask: (hostname) => {
      asked.push(hostname);
      return new Promise((resolve, reject) => {
        hanging.set(hostname, (answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
      });
    },
  });
  const all = promisify(lookup) as unknown as (hostname: string, options: object) => Promise<LookupAddress[]>;
  const find = (hostname: string) => all(hostname, { all: true });
  const turns = () => new Promise((resolve) => setImmediate(resolve));
  const answer = async (hostname: string, given: LookupAddress[] | Error) => {
    await turns();
    hanging.get(hostname)?.(given);
    await turns();
  };
  return { asked, lookup, find, answer, turns };
}

it('all who ask for a name share one look-up, and the next asks anew', async () => {
  const { asked, find, answer } = machine();
  const asking = Array.from({ length: 40 }, () => find('prices.example'));
  await answer('prices.example', [HERE]);
  for (const found of await Promise.all(asking)) expect(found).toEqual([HERE]);
  const again = find('prices.example');
  await answer('prices.example', [MOVED]);
  expect(await again).toEqual([MOVED]);
  expect(asked).toEqual(['prices.example', 'prices.example']);
});

it('one is under way, and a name that fails makes room for the next', async () => {
  const { asked, find, answer, turns } = machine();
  const [one, two] = [find('one.example'), find('two.example')];
  await turns();
  expect(asked).toEqual(['one.example']);
  await answer('one.example', Object.assign(new Error('no answer'), { code: 'EAI_AGAIN' }));
  await expect(one).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  await answer('two.example', [HERE]);
  expect(await two).toEqual([HERE]);
});

it('a name that was found lately has its addresses while another hangs, and goes before those that were not', async () => {
  const { asked, find, answer } = machine({ patienceMs: 10 });
  const first = find('node');
  await answer('node', [HERE]);
  await first;
  const silent = ['one.example', 'two.example'].map(find);
  expect(await find('node')).toEqual([HERE]);
  await answer('one.example', new Error('no answer'));
  await expect(silent[0]).rejects.toThrow('no answer');
  expect(asked).toEqual(['node', 'one.example', 'node']);
  await answer('node', [MOVED]);
  expect(await find('node')).toEqual([MOVED]);
  await answer('two.example', [HERE]);
  expect(await silent[1]).toEqual([HERE]);
});

it('names that are found and asked for all the time keep no other from its turn', async () => {
  const { asked, find, answer } = machine();
  const first = ['one.example', 'two.example'].map(find);
  for (const name of ['one.example', 'two.example']) await answer(name, [HERE]);
  await Promise.all(first);
  const again = () => ['one.example', 'two.example'].map(find);
  const waiting = again();
  const other = find('new.example');
  await answer('one.example', [HERE]);
  waiting.push(...again());
  await answer('new.example', [MOVED]);
  expect(await other).toEqual([MOVED]);
  expect(asked.slice(2)).toEqual(['one.example', 'new.example', 'two.example']);
  for (const name of ['two.example', 'one.example']) await answer(name, [HERE]);
  await Promise.all(waiting);
});

it('what was found is not taken once a look-up has failed, or after long', async () => {
  const { find, answer } = machine({ patienceMs: 60_000 });
  const first = find('node');
  await answer('node', [HERE]);
  await first;
  const gone = find('node');
  await answer('node', new Error('no such name'));
  await expect(gone).rejects.toThrow('no such name');
  const failing = find('node');
  await answer('node', new Error('no such name'));
  await expect(failing).rejects.toThrow('no such name');

  const old = machine({ patienceMs: 10, keptMs: 0 });
  const found = old.find('node');
  await old.answer('node', [HERE]);
  await found;
  const waiting = old.find('node');
  await new Promise((resolve) => setTimeout(resolve, 30));
  await old.answer('node', [MOVED]);
  expect(await waiting).toEqual([MOVED]);
});

it('of a name with thousands of addresses the first few are dialled and kept', async () => {
  const many = Array.from({ length: 4_000 }, (_, i) => ({ address: `10.0.${i >> 8}.${i & 255}`, family: 4 }));
  const { find, answer } = machine({ patienceMs: 10 });
  const first = find('node');
  await answer('node', many);
  expect(await first).toEqual(many.slice(0, MOST_ADDRESSES));
  expect(await find('node')).toEqual(many.slice(0, MOST_ADDRESSES));
  await answer('node', [HERE]);
});

it('answers as dns.lookup does: one address, or the error alone', async () => {
  const { lookup, answer } = machine();
  const heard: unknown[][] = [];
  lookup('node', { family: 0 }, (...said) => heard.push(said));
  await answer('node', [HERE, MOVED]);
  lookup('none', {}, (error) => heard.push([error?.message]));
  await answer('none', new Error('no such name'));
  expect(heard).toEqual([[null, '10.0.0.1', 4], ['no such name']]);
});
