import type { ProblemSlug } from '../../../../kernel/domain-error.js';
import type { RefusedRequest } from '../../../../platform/problems/problem.js';
import { PROBLEM_TYPES } from '../../../site/problems.types.js';
import { sayIn } from '../../language/say.js';
import { type Asked, errorView } from './error.view.js';

const PAGE: Asked = { path: '/dashboard/payments', again: '/dashboard/payments?page=2', isChange: false };
const FORM: Asked = { path: '/dashboard/settings', again: '/dashboard/settings', isChange: true };

function refusalOf(slug: ProblemSlug, more: Partial<RefusedRequest> = {}): RefusedRequest {
  const { status, title, cause } = PROBLEM_TYPES[slug];
  return { slug, status, title, detail: cause, headers: {}, ...more };
}

describe.each(Object.keys(PROBLEM_TYPES) as ProblemSlug[])('an error page of %s', (slug) => {
  it.each([PAGE, FORM])('says what happened, what to do, and leads on from %j', (asked) => {
    const { title, text, todo, next } = errorView(sayIn('en'), refusalOf(slug), 'trace', asked);
    expect([title, text, todo]).toEqual([
      expect.stringMatching(/^[A-Z].*[^.]$/),
      expect.stringMatching(/^[A-Z].*\.$/),
      expect.stringMatching(/^[A-Z].*\.$/),
    ]);
    expect(next).toEqual({
      text: expect.stringMatching(/^[A-Z]/) as string,
      path: expect.stringMatching(/^\/dashboard/) as string,
    });
  });
});

it('leads to the same page again, and from a form back to its page', () => {
  expect(errorView(sayIn('en'), refusalOf('internal-error'), '', PAGE)['next']).toEqual({
    text: 'Try again',
    path: PAGE.again,
  });
  expect(errorView(sayIn('en'), refusalOf('internal-error'), '', FORM)['next']).toEqual({
    text: 'Back to the page',
    path: '/dashboard/settings',
  });
});

it('does not say that nothing was changed where nobody knows', () => {
  const { text, todo } = errorView(sayIn('en'), refusalOf('internal-error'), '', FORM);
  expect([text, todo]).toEqual([
    expect.stringContaining('Nobody can say'),
    'Look at the page before you ask for it once more.',
  ]);
});

it.each([
  ['42', 'Wait 42 seconds, then try again.'],
  ['3600', 'Wait 60 minutes, then try again.'],
  [undefined, 'Wait a minute, then try again.'],
])('says how long to wait: %s', (after, todo) => {
  const headers: Record<string, string> = after === undefined ? {} : { 'Retry-After': after };
  expect(errorView(sayIn('en'), refusalOf('rate-limit-exceeded', { headers }), '', PAGE)['todo']).toBe(todo);
});

it('tells what has gone from what was never there, and a link that was used from both', () => {
  const gone = refusalOf('not-found', { detail: 'There is no such passkey.' });
  expect(errorView(sayIn('en'), gone, '', PAGE)['text']).toBe('There is no such passkey.');
  expect(errorView(sayIn('en'), refusalOf('not-found'), '', PAGE)['text']).toContain('The address is wrong');
  const link = { ...PAGE, path: '/dashboard/link/abc' };
  expect(errorView(sayIn('en'), gone, '', link)['title']).toBe('This link is no good any more');
});

it('asks for the sign-in where nobody is signed in, and never for the dashboard beside it', () => {
  expect(errorView(sayIn('en'), refusalOf('invalid-api-key'), '', PAGE)).toMatchObject({
    title: 'You are not signed in',
    next: { path: '/dashboard/sign-in' },
    home: null,
  });
});
