import { newsLetter, type News } from './news-letter.js';

const AT = new Date('2026-11-21T14:32:10Z');

describe('news', () => {
  const news: News = {
    action: 'wallet.set',
    audience: 'owners',
    merchantName: 'Shop',
    actor: 'maria@shop.example',
    address: '192.0.2.1',
    at: AT,
    subject: 'bitcoin',
    language: 'en',
    detail: { network: 'bitcoin', indexes: [1, 2], next: 3, old: null },
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
    const own: News = {
      ...news,
      action: 'password.changed',
      audience: 'subject',
      detail: { dropped: true },
      merchantName: null,
      address: null,
      actor: 'cli',
    };
    const { subject, text } = newsLetter(own);
    expect(subject).toBe('Your password was changed');
    expect(text).toContain('By: the operator’s command line\n\nIf it was not you');
    expect(text).not.toMatch(/About|From|dropped/);
  });

  it('show what strangers wrote so that nothing in it acts', () => {
    const hostile = 'x\u202ey';
    const { text } = newsLetter({
      ...news,
      merchantName: hostile,
      actor: hostile,
      subject: hostile,
      detail: { name: hostile },
    });
    expect(text).not.toContain('\u202e');
    expect(text.match(/x\ufffdy/g)).toHaveLength(4);
  });

  it.each([
    ['person.role-changed', 'subject', 'Shop', 'ask an owner of the merchant'],
    ['operator.joined', 'operators', null, 'an operator can do everything here'],
    ['operator.joined', 'subject', null, 'an operator can do everything here'],
    ['password.reset-offered', 'subject', null, 'tell whoever runs the service'],
    ['codes.disabled', 'subject', null, 'change your password now'],
  ] as const)('of %s tell the %s what to do', (action, audience, merchantName, advice) => {
    expect(newsLetter({ ...news, action, audience, merchantName }).text).toContain(advice);
  });
});
