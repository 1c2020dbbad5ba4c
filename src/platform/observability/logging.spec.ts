import { QueryFailedError } from 'typeorm';
import { createLogger, onlyOf, StructuredLogger } from './logging.js';

const KEY = 'svc_live_0123456789ABCDEFGHIJKLMNOPQRSTUV';
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const BODY =
  '661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8';
const XPUB = `xpub${BODY}`;

function logged(): { lines: string[]; logger: StructuredLogger } {
  const lines: string[] = [];
  const out = { write: (line: string) => void lines.push(line) };
  return { lines, logger: new StructuredLogger(createLogger({ logLevel: 'info' }, out)) };
}

describe('a log line', () => {
  it('holds no secret, whichever field it came in', () => {
    const { lines, logger } = logged();
    logger.log({ wallet: { xpub: XPUB }, headers: [`Bearer ${KEY}`] }, `signed with ${SECRET}`, 'Test');
    logger.error(new Error(`no such key: ${KEY}`), 'Test');
    logger.error(`stack of ${XPUB}`, `Error: ${SECRET}`, 'Test');
    expect(lines).toHaveLength(3);
    const text = lines.join('');
    for (const secret of [KEY.slice(9), SECRET.slice(6), BODY]) expect(text).not.toContain(secret);
    expect(text).toContain('no such key: svc_live_[redacted]');
  });

  it('holds no more of what an error says than anybody reads', () => {
    const { lines, logger } = logged();
    const error = new Error('x'.repeat(5_000_000), { cause: new Error('y'.repeat(5_000_000)) });
    logger.error(error, 'Test');
    logger.error(error.message, error.stack, 'Test');
    logger.error(error, 'a text of ours', 'Test');
    logger.error({ err: error }, 'a text of ours', 'Test');
    expect(lines.join('').length).toBeLessThan(400_000);
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg.slice(0, 20))).toEqual([
      'x'.repeat(20),
      'x'.repeat(20),
      'a text of ours',
      'a text of ours',
    ]);
  });

  it('says of a failed statement what failed, and none of its values', () => {
    const refused = Object.assign(new Error('duplicate key value violates unique constraint "wallet_key"'), {
      code: '23505',
      detail: 'Key (email)=(alice@example.com) already exists.',
    });
    const failed = new QueryFailedError('INSERT INTO wallet VALUES ($1)', ['alice@example.com'], refused);
    const { lines, logger } = logged();
    logger.error({ err: failed }, 'job failed', 'Test');
    logger.error({ error: failed }, 'under another name', 'Test');
    logger.error(failed, 'Test');
    logger.error({ err: new Error('outer', { cause: failed }) }, 'as a cause', 'Test');
    expect(lines).toHaveLength(4);
    expect(lines.join('')).not.toContain('alice');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'job failed',
      err: {
        name: 'QueryFailedError',
        code: '23505',
        message: expect.stringContaining('wallet_key') as string,
      },
    });
    expect(JSON.parse(lines[3] ?? '')).toMatchObject({ err: { message: 'outer', cause: { code: '23505' } } });
  });
});

it('lets only the lines of one context through where a program speaks for itself', () => {
  const written: string[] = [];
  const logger = onlyOf('Security', { write: (line: string) => void written.push(line) });
  logger.log('started', 'Security');
  logger.warn('something else', 'Jobs');
  logger.warn({ security: 'role-changed' }, 'role-changed', 'Security');
  expect(written.map((line) => (JSON.parse(line) as { security: string }).security)).toEqual([
    'role-changed',
  ]);
});
