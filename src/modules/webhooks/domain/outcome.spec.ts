import { outcomeOf } from './outcome.js';

const answer = (
  httpStatus: number | null,
  error: string | null = null,
  retryAfterMs: number | null = null,
) => ({
  httpStatus,
  error,
  retryAfterMs,
});

describe('outcomeOf', () => {
  it.each([200, 201, 202, 204, 299])('takes a complete %d for delivered', (status) =>
    expect(outcomeOf(answer(status), 1, 0.5)).toEqual({ kind: 'delivered' }),
  );

  it.each([300, 301, 302, 307, 308, 400, 401, 404, 409, 429, 500, 503, 599, 600, 999, 199])(
    'tries again after %d',
    (status) => expect(outcomeOf(answer(status), 1, 0.5)).toEqual({ kind: 'retry', waitMs: 5_000 }),
  );

  it('tries again when no answer came, or a 2xx that never ended', () => {
    expect(outcomeOf(answer(null, 'connect-failed'), 2, 0.5)).toEqual({ kind: 'retry', waitMs: 300_000 });
    expect(outcomeOf(answer(200, 'timeout'), 2, 0.5)).toEqual({ kind: 'retry', waitMs: 300_000 });
  });

  it('passes on how long the receiver wants to be left alone', () => {
    expect(outcomeOf(answer(503, null, 90_000), 1, 0.5)).toEqual({ kind: 'retry', waitMs: 90_000 });
  });

  it('takes 410 for the end of the endpoint at every try, whatever became of its body', () => {
    for (const tries of [1, 5, 10]) expect(outcomeOf(answer(410), tries, 0.5)).toEqual({ kind: 'gone' });
    expect(outcomeOf(answer(410, 'timeout'), 1, 0.5)).toEqual({ kind: 'gone' });
  });

  it('gives up after the tenth try, and not before', () => {
    expect(outcomeOf(answer(500), 9, 0.5).kind).toBe('retry');
    expect(outcomeOf(answer(500), 10, 0.5)).toEqual({ kind: 'exhausted' });
    expect(outcomeOf(answer(200), 10, 0.5)).toEqual({ kind: 'delivered' });
  });
});
