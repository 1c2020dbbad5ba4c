import {
  audienceOf,
  guessedLetter,
  invitationLetter,
  newsLetter,
  proofLetter,
  type News,
} from './letters.js';

const AT = new Date('2026-11-21T14:32:10Z');
const URL = 'https://pay.example/join#token';

describe('an invitation', () => {
  const invited = { merchantName: 'Shop', role: 'owner', invitedBy: 'maria@shop.example', expiresAt: AT };

  it('says who invites to what, how long, and has the link', () => {
    const { subject, text } = invitationLetter(invited, URL);
    expect(subject).toContain('Shop');
    expect(text).toMatch(/^maria@shop\.example invites you to join Shop/);
    expect(text).toContain('until 2026-11-21 14:32 UTC');
    expect(text).toContain(`\n\n${URL}\n\n`);
  });

  it('is from the operator where the command line wrote it, and shows what acts unseen', () => {
    expect(invitationLetter({ ...invited, invitedBy: 'cli' }, URL).text).toMatch(
      /^The operator of this service/,
    );
    expect(invitationLetter({ ...invited, invitedBy: 'a\u202eb' }, URL).text).toMatch(/^a\ufffdb invites/);
  });
});

it('a proof of an address says until when, and has the link', () => {
  const { text } = proofLetter(URL, AT);
  expect(text).toContain('until 2026-11-21 14:32 UTC');
  expect(text).toContain(`\n\n${URL}\n\n`);
});

describe('a letter about guesses', () => {
  it('of codes says that somebody has the password already', () => {
    const { subject, text } = guessedLetter('code', '192.0.2.1');
    expect(subject).toContain('knows your password');
    expect(text).toContain('The last try came from 192.0.2.1.');
    expect(text).toContain('change your password now');
  });

  it('of passwords does not; and names no place where none is known', () => {
    const { subject, text } = guessedLetter('password', null);
    expect(subject).toContain('tries passwords');
    expect(text).toContain('wrong passwords.\n');
    expect(text).not.toMatch(/last try|knows/);
  });
});

describe('news', () => {
  const news: News = {
    ...{ action: 'wallet.set', merchantName: 'Shop', actor: 'maria@shop.example', address: '192.0.2.1' },
    ...{ at: AT, subject: 'bitcoin', detail: { network: 'bitcoin', indexes: [1, 2], next: 3, old: null } },
  };

  it('for owners say what, when, by whom, from where, about what, and what to do', () => {
    const { subject, text } = newsLetter(news);
    expect(subject).toBe('The wallet that money is paid to was changed · Shop');
    expect(text).toBe(
      [
        'The wallet that money is paid to was changed · Shop.',
        'When: 2026-11-21 14:32 UTC\nBy: maria@shop.example\nFrom: 192.0.2.1',
        'About: bitcoin\nnetwork: bitcoin\nindexes: 1,2',
        'If you did not expect this, sign in, undo it, and take the role from whoever did it (Settings, People).\n',
      ].join('\n\n'),
    );
  });

  it('for oneself say nothing of others, and what to do', () => {
    const own = { ...news, action: 'password.changed', merchantName: null, address: null, actor: 'cli' };
    const { subject, text } = newsLetter(own);
    expect(subject).toBe('Your password was changed');
    expect(text).toContain('By: the operator’s command line\n\nIf it was not you');
    expect(text).not.toMatch(/About|From|network/);
  });

  it('show what strangers wrote so that nothing in it acts', () => {
    const hostile = 'x\u202ey';
    const { text } = newsLetter({
      ...{ ...news, merchantName: hostile, actor: hostile, subject: hostile },
      detail: { name: hostile },
    });
    expect(text).not.toContain('\u202e');
    expect(text.match(/x\ufffdy/g)).toHaveLength(4);
  });

  it.each([
    ['wallet.set', 'owners'],
    ['key.created', 'owners'],
    ['person.role-changed', 'owners'],
    ['password.reset', 'self'],
    ['codes.disabled', 'self'],
    ['passkey.removed', 'self'],
    ['signed-out', null],
  ])('of %s concern %s', (action, audience) => {
    expect(audienceOf(action)).toBe(audience);
  });
});
