import { QueryFailedError } from 'typeorm';
import { refusalOf } from './problem.js';

const failed = (code: string) =>
  new QueryFailedError('SELECT $1', [], Object.assign(new Error('invalid byte sequence'), { code }));

it.each(['22021', '22P05'])('a text that PostgreSQL cannot hold (%s) is the client’s mistake', (code) => {
  expect(refusalOf(failed(code))).toMatchObject({ slug: 'bad-request', status: 400 });
});

it('any other error of a statement is ours, and says nothing', () => {
  expect(refusalOf(failed('42601'))).toMatchObject({ slug: 'internal-error', status: 500 });
});
