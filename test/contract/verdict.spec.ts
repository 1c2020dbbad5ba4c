import { type Ran, verdictOn } from '../support/run/verdict.js';

const NAMED = [{ file: 'a.spec.ts', title: 'holds' }];
const fileWith = (status: string, ofTest = status) => ({
  name: 'a.spec.ts',
  status,
  assertionResults: [{ title: 'holds', status: ofTest }],
});
const GOOD: Ran = { code: 0, results: [fileWith('passed')], leftRunning: [], again: [] };

it('a run in which nothing is wrong ends with 0 and says nothing', () => {
  expect(verdictOn(GOOD, NAMED)).toEqual({ code: 0, complaints: [] });
});

it.each<[string, Partial<Ran>, string[]]>([
  [
    'a test failed, which docs/ names',
    { code: 1, results: [fileWith('failed')] },
    ['Failed: a.spec.ts', 'Tests that docs/ names did not all run and pass: a.spec.ts › holds'],
  ],
  ['a file could not be run', { code: 1, results: [fileWith('failed', 'passed')] }, ['Failed: a.spec.ts']],
  [
    'a test that docs/ names was left out',
    { results: [fileWith('passed', 'pending')] },
    ['Tests that docs/ names did not all run and pass: a.spec.ts › holds'],
  ],
  [
    'the file of a test that docs/ names did not run',
    { results: [] },
    ['Tests that docs/ names did not all run and pass: a.spec.ts › holds'],
  ],
  ['a worker had to be ended', { leftRunning: ['it stays'] }, ['A test left something running: it stays']],
  [
    'Jest had to be ended',
    { code: 1, leftRunning: ['it stays'] },
    ['A test left something running: it stays'],
  ],
  [
    'a file was begun again',
    { again: ['a.spec.ts'] },
    ['Begun again by Jest after their worker had died in them: a.spec.ts'],
  ],
  ['Jest itself failed', { code: 2 }, ['No file failed, but: Jest ended with 2.']],
])('a run in which %s ends with 1 and says so', (_what, ran, said) => {
  const { code, complaints } = verdictOn({ ...GOOD, ...ran }, NAMED);
  expect(code).toBe(1);
  expect(complaints.map(({ heading, lines }) => `${heading} ${lines.join()}`)).toEqual(said);
});
