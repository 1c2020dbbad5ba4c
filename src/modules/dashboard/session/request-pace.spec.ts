import type { Request, Response } from 'express';
import type { DataSource } from 'typeorm';
import type { SecurityLog } from '../../../platform/observability/security-log.js';
import { RateWindows } from '../../../platform/rate-limit/rate-windows.js';
import type { AccountSecurityEvent } from '../../accounts/accounts.types.js';
import type { AuditLog } from '../../accounts/audit/audit-log.service.js';
import type { SessionsService } from '../../accounts/sessions/sessions.service.js';
import type { DashboardPages } from './pages/dashboard.pages.js';
import { RequestPace } from './request-pace.js';

const LIMIT = 600;
const NOON_MS = Date.UTC(2026, 10, 28, 12);

beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(NOON_MS));
afterEach(() => jest.restoreAllMocks());

/** Of each kind of subject two are counted one by one. */
function paced() {
  const noted: unknown[][] = [];
  const entries: unknown[][] = [];
  const looked: string[] = [];
  const security = { note: (...line: unknown[]) => noted.push(line) };
  const audit = { refused: (...entry: unknown[]) => entries.push(entry) };
  const sessions = {
    askerIn: ({ personId }: { personId: string | null }, ip: string) =>
      personId === null ? null : { name: 'a session', personId, ip },
    countedBy: (session: string) => {
      looked.push(session);
      if (session === '') return Promise.resolve(null);
      if (session === 'shared') return Promise.resolve({ kind: 'device', id: session, personId: null });
      return Promise.resolve({ kind: 'session', id: session, personId: `usr_${session}` });
    },
  };
  const pages = {
    sessionCookie: { read: ({ headers }: Request) => headers.cookie ?? '' },
    deviceCookie: { read: () => null },
  };
  const pace = new RequestPace(
    new RateWindows({} as DataSource, 2),
    sessions as unknown as SessionsService,
    pages as unknown as DashboardPages,
    security as unknown as SecurityLog<AccountSecurityEvent>,
    audit as unknown as AuditLog,
  );
  const response = { set: () => undefined } as unknown as Response;
  const ask = (ip: string, cookie = '') =>
    pace.keep({ ip, headers: { cookie } } as unknown as Request, response).then(
      () => 'kept' as const,
      (error: { kind: string }) => error.kind,
    );
  const times = async (n: number, ip: string, cookie = '') => {
    const answers = [];
    for (let i = 0; i < n; i += 1) answers.push(await ask(ip, cookie));
    return new Set(answers);
  };
  return { ask, times, noted, entries, looked };
}

it('looks nobody up before the address is over its limit, and counts whoever is known by themselves after it', async () => {
  const { ask, times, noted, looked } = paced();
  expect(await times(LIMIT, '192.0.2.1', 'ses_1')).toEqual(new Set(['kept']));
  expect([looked, noted]).toEqual([[], []]);
  expect(await ask('192.0.2.1')).toBe('throttled');
  expect(noted).toEqual([['dashboard-throttled', { account: null, ip: '192.0.2.1', why: 'address' }]]);
  expect(await times(LIMIT, '192.0.2.1', 'ses_1')).toEqual(new Set(['kept']));
  expect(await ask('192.0.2.1', 'ses_1')).toBe('throttled');
  expect(noted.slice(1)).toEqual([
    ['dashboard-throttled', { account: 'usr_ses_1', ip: '192.0.2.1', why: 'session' }],
  ]);
  expect(await ask('192.0.2.1', 'ses_2')).toBe('kept');
});

it('leaves an entry of what it refuses to an account, and none where it cannot be said whose', async () => {
  const { times, noted, entries } = paced();
  await times(LIMIT, '192.0.2.1');
  await times(LIMIT + 1, '192.0.2.1', 'ses_1');
  await times(LIMIT + 1, '192.0.2.1', 'shared');
  await times(1, '192.0.2.1');
  expect(noted.map(([, line]) => line)).toEqual([
    { account: 'usr_ses_1', ip: '192.0.2.1', why: 'session' },
    { account: null, ip: '192.0.2.1', why: 'device' },
    { account: null, ip: '192.0.2.1', why: 'address' },
  ]);
  expect(entries).toEqual([
    [
      { name: 'a session', personId: 'usr_ses_1', ip: '192.0.2.1' },
      { merchantId: null, action: 'dashboard.throttled', subject: 'usr_ses_1', why: 'session' },
    ],
  ]);
});

it('shares no counter between whoever is known and any number of addresses', async () => {
  const { ask, times } = paced();
  for (let i = 0; i < 10; i += 1) await times(LIMIT, `192.0.2.${i}`);
  expect(await ask('192.0.2.20')).toBe('throttled');
  expect(await times(LIMIT, '192.0.2.20', 'ses_1')).toEqual(new Set(['kept']));
});
