import { Logger } from '@nestjs/common';
import { Metrics } from './metrics.js';
import { SecurityLog } from './security-log.js';

const NOW_MS = Date.UTC(2026, 10, 22, 12);
let lines: { leftOut?: number; account?: string; accountHash?: string }[];

beforeEach(() => {
  lines = [];
  const silent = () => undefined;
  Logger.overrideLogger({ log: silent, error: silent, warn: (line: object) => void lines.push(line) });
});
afterAll(() => Logger.overrideLogger(false));

function flooded(): SecurityLog<'key-refused'> {
  const log = new SecurityLog<'key-refused'>(new Metrics(), ['key-refused']);
  for (let i = 0; i < 12; i++) log.note('key-refused', { ip: '192.0.2.1' }, NOW_MS);
  return log;
}

it('says how many lines it left out though nothing comes after them, once', async () => {
  const log = flooded();
  expect(lines).toHaveLength(5);
  await log.tellOfFormerMinutes();
  await log.tellOfFormerMinutes();
  expect(lines.slice(5)).toEqual([{ security: 'key-refused', leftOut: 7 }]);
});

it('says it when the process ends within the minute', () => {
  const log = new SecurityLog<'key-refused'>(new Metrics(), ['key-refused']);
  for (let i = 0; i < 12; i++) log.note('key-refused', { ip: '192.0.2.1' });
  log.onApplicationShutdown();
  expect(lines.slice(5).reduce((sum, { leftOut = 0 }) => sum + leftOut, 0)).toBe(7);
});

it('writes of what was typed for an account the hash alone, also where it is no address', () => {
  const log = new SecurityLog<'key-refused'>(new Metrics(), ['key-refused']);
  log.note('key-refused', { account: null, typed: 'a password in the wrong field' });
  log.note('key-refused', { account: 'usr_1', typed: 'maria@shop.example' });
  log.note('key-refused', { account: null, typed: '' });
  const hash = expect.stringMatching(/^[0-9a-f]{16}$/) as string;
  expect(lines).toEqual([
    { security: 'key-refused', accountHash: hash },
    { security: 'key-refused', account: 'usr_1' },
    { security: 'key-refused' },
  ]);
});
