import { documentsOf, unplanned, writtenDocuments, writtenPlans } from '../queries/documents.js';
import { EXAMPLES } from '../queries/examples.js';
import { LARGE_TABLES } from '../queries/fill.js';
import { namedStatements } from '../queries/statements.js';

// `npm run queries` writes what these tests miss in docs/queries.

it('has every named statement as the service sends it, and no other', async () => {
  const wanted = documentsOf(await namedStatements(), writtenPlans());
  expect(Object.fromEntries(writtenDocuments())).toEqual(Object.fromEntries(wanted));
});

it('has a plan of every named statement', async () => {
  const plans = writtenPlans();
  expect([...plans.keys()].sort()).toEqual((await namedStatements()).map(({ name }) => name).sort());
  expect(unplanned(plans)).toEqual([]);
  // What `npm run queries -- --moved` leaves of a new statement.
  expect(
    unplanned(
      new Map([
        ['a-new', 'none yet'],
        ['an-old', 'Result'],
      ]),
    ),
  ).toEqual(['a-new']);
});

it('has names of one style, each with its module first', async () => {
  const named = await namedStatements();
  const isNamed = (name: string, module: string) =>
    name.startsWith(`${module}-`) && /^[a-z]+(-[a-z]+)+$/.test(name);
  expect(named.filter(({ name, module }) => !isNamed(name, module)).map(({ name }) => name)).toEqual([]);
});

it('has typical values of no statement that does not exist', async () => {
  const names = (await namedStatements()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(EXAMPLES)));
});

/** Why each of them may. */
const READ_THE_WHOLE: Readonly<Record<string, string>> = {
  'intents-accounting-export': 'an export: decisions are few beside payments',
  'chains-any-address': 'the first row is enough',
  'chains-any-forwarder': 'the first row is enough',
  'chains-holdings': 'a page that somebody looks at: all that lies on a merchant’s addresses',
  'chains-reconcile-issued': 'counts them, once a round',
};

it('has no plan that reads the whole of a large table without a reason', () => {
  const whole = new RegExp(`Seq Scan on (${LARGE_TABLES.join('|')})\\b`);
  const readers = [...writtenPlans()].filter(([, plan]) => whole.test(plan)).map(([name]) => name);
  expect(readers.sort()).toEqual(Object.keys(READ_THE_WHOLE).sort());
});
