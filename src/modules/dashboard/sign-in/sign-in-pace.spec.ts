import type { DataSource } from 'typeorm';
import type { Config } from '../../../config/config.types.js';
import { RateWindows } from '../../../platform/rate-limit/rate-windows.js';
import type { SignInService } from '../../accounts/sign-in/sign-in.service.js';
import { SignInPace } from './sign-in-pace.js';

const LIMIT = 30;
const NOON_MS = Date.UTC(2026, 10, 28, 12);
const MARIA = 'maria@shop.example';

beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(NOON_MS));
afterEach(() => jest.restoreAllMocks());

/** Of each kind of subject two are counted one by one. */
function paced() {
  const noted: unknown[][] = [];
  const signIn = {
    knownBrowser: (_: string | null, device: string) =>
      Promise.resolve(device.startsWith('known') ? { personId: `usr of ${device}` } : null),
    tooSoon: (...of: unknown[]) => Promise.resolve(noted.push(of)),
  } as unknown as SignInService;
  const config = { rateLimits: { failedAuthPerMinute: LIMIT } } as Config;
  const pace = new SignInPace(new RateWindows({} as DataSource, 2), signIn, config);
  const times = async (n: number, ip: string, device: string | null = null) => {
    let kept = 0;
    for (let i = 0; i < n; i += 1)
      kept += await pace.keep({ ip, userAgent: '', device }, MARIA).then(
        () => 1,
        () => 0,
      );
    return kept;
  };
  return { times, noted };
}

it('shares no counter between known browsers and any number of addresses', async () => {
  const { times } = paced();
  for (let i = 0; i < 10; i += 1) await times(LIMIT, `192.0.2.${i}`);
  expect(await times(1, '192.0.2.20')).toBe(0);
  expect(await times(1, '192.0.2.20', 'unknown')).toBe(0);
  expect(await times(LIMIT, '192.0.2.20', 'known 1')).toBe(LIMIT);
  expect(await times(LIMIT, '192.0.2.20', 'known 2')).toBe(LIMIT);
});

it('tells of each that it refuses whose account was asked for, and by whom', async () => {
  const { times, noted } = paced();
  expect(await times(LIMIT + 1, '192.0.2.1')).toBe(LIMIT);
  expect(await times(LIMIT + 1, '192.0.2.1', 'known 1')).toBe(LIMIT);
  expect(noted).toEqual([
    [MARIA, '192.0.2.1', null],
    [MARIA, '192.0.2.1', { personId: 'usr of known 1' }],
  ]);
});
