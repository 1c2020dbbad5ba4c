import { QueryFailedError } from 'typeorm';
import { DomainError } from '../../kernel/domain-error.js';
import { Problems } from '../../platform/problems/problem.js';
import { PROBLEMS } from './problems.types.js';

const problems = new Problems(PROBLEMS);

const failed = (code: string) =>
  new QueryFailedError('SELECT $1', [], Object.assign(new Error('invalid byte sequence'), { code }));

it.each(['22021', '22P05'])('a text that PostgreSQL cannot hold (%s) is the client’s mistake', (code) => {
  expect(problems.refusalOf(failed(code))).toMatchObject({ slug: 'bad-request', status: 400 });
});

it('any other error of a statement is ours, and says nothing', () => {
  expect(problems.refusalOf(failed('42601'))).toMatchObject({ slug: 'internal-error', status: 500 });
});

it.each([
  ['unauthenticated', 'invalid-api-key'],
  ['forbidden', 'insufficient-scope'],
  ['conflict', 'conflict'],
] as const)('a refusal whose code has no page is answered by its kind: %s as %s', (kind, slug) => {
  const refusal = problems.refusalOf(new DomainError(kind, 'no-wallet', 'No.'));
  expect(refusal).toMatchObject({ slug, status: PROBLEMS.types[slug].status, detail: 'No.' });
});
