import { guideOf } from './guide.view.js';

it('counts the waits together, and tells the limits that are in force', () => {
  const rateLimits = { readsPerMinute: 1_000, writesPerMinute: 7, failedAuthPerMinute: 30 };
  const documented = {
    retryWaitsMs: [0, 5_000, 300_000, 5_400_000],
    fieldCodes: { required: 'it must be there' },
  };
  const { retries, limits, codes } = guideOf({ rateLimits }, documented);
  expect(retries).toEqual([
    { attempt: 1, wait: 'at once', since: '0 s' },
    { attempt: 2, wait: '5 s', since: '5 s' },
    { attempt: 3, wait: '5 min', since: '5 min' },
    { attempt: 4, wait: '1.5 h', since: '1.6 h' },
  ]);
  expect(codes).toEqual([{ code: 'required', meaning: 'it must be there' }]);
  expect(limits.slice(0, 2).map(({ value }) => value)).toEqual(['1,000 a minute', '7 a minute']);
});
