import { guessedLetter, invitationLetter, proofLetter, unfinishedLetter } from './letters.js';

const AT = new Date('2026-11-21T14:32:10Z');
const URL = 'https://pay.example/join#token';

describe('an invitation', () => {
  const invited = {
    merchantName: 'Shop',
    role: 'owner',
    invitedBy: 'maria@shop.example',
    expiresAt: AT,
  } as const;

  it('says who invites to what, how long, and has the link', () => {
    const { subject, text } = invitationLetter(invited, URL, 'en');
    expect(subject).toContain('Shop');
    expect(text).toMatch(/^maria@shop\.example invites you to join Shop/);
    expect(text).toContain('until 21 Nov 2026, 14:32 UTC');
    expect(text).toContain(`\n\n${URL}\n\n`);
  });

  it('is from the operator where the command line wrote it, and shows what acts unseen', () => {
    expect(invitationLetter({ ...invited, invitedBy: 'cli' }, URL, 'en').text).toMatch(
      /^The operator of this service/,
    );
    expect(invitationLetter({ ...invited, invitedBy: 'a\u202eb' }, URL, 'en').text).toMatch(
      /^a\ufffdb invites/,
    );
  });
});

it('a proof of an address says until when, and has the link', () => {
  const { text } = proofLetter(URL, AT, 'en');
  expect(text).toContain('until 21 Nov 2026, 14:32 UTC');
  expect(text).toContain(`\n\n${URL}\n\n`);
});

describe('a letter about guesses', () => {
  it('of codes says that somebody has the password already', () => {
    const { subject, text } = guessedLetter({ guessed: 'code', by: 'stranger', ip: '192.0.2.1' }, URL, 'en');
    expect(subject).toContain('knows your password');
    expect(text).toContain('The last try came from 192.0.2.1.');
    expect(text).toContain('change your password now');
  });

  it('of passwords does not; and names no place where none is known', () => {
    const { subject, text } = guessedLetter({ guessed: 'password', by: 'stranger', ip: null }, URL, 'en');
    expect(subject).toContain('tries passwords');
    expect(text).toContain('wrong passwords.\n');
    expect(text).toContain(`\n\nYour account: ${URL}\n`);
    expect(text).not.toMatch(/last try|knows/);
  });

  it.each([
    ['session', 'in a session that is signed in'],
    ['device', 'in a browser where you signed in before'],
  ] as const)('in a %s says so, and what to do', (by, where) => {
    const { subject, text } = guessedLetter({ guessed: 'code', by, ip: '192.0.2.1' }, URL, 'en');
    expect(subject).toBe('Wrong codes again and again at your account on Rappen');
    expect(text).toContain(`wrong codes ${where}`);
    expect(text).toMatch(/The last try came from 192\.0\.2\.1\.\n\n.*end all other sessions/s);
  });
});

it('a letter about a password without its second step says from where it came, and what to do', () => {
  const { subject, text } = unfinishedLetter('192.0.2.1', URL, 'en');
  expect(subject).toBe('Somebody has entered your password on Rappen');
  expect(text).toContain('It came from 192.0.2.1.');
  expect(text).toContain('change it now');
  expect(text).toContain(`\n\nYour account: ${URL}\n`);
});
