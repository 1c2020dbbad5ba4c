import { AUDIT_ACTIONS } from '../../../database/audit-actions.js';
import { newId } from '../../../kernel/ids.js';
import { LANGUAGES } from '../../../kernel/text/staff-languages.js';
import { audiencesOf } from './news.js';
import { type News, newsLetter, type NewsWorld } from './news-letter.js';

const AT = new Date('2026-11-21T14:32:10Z');
const ADDRESS = '0x52ab91c0D4e7F83b6A2951dcE08f47B3a96C1e5D';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

const world: NewsWorld = {
  urlOf: (place) => `https://pay.example/${place}`,
  networkName: (id) => (id === 'ethereum' ? 'Ethereum' : id),
};
const news: News = {
  action: 'wallet.set',
  audience: 'owners',
  merchantName: 'Shop',
  actor: 'maria@shop.example',
  ip: '192.0.2.1',
  at: AT,
  subject: 'ethereum',
  language: 'en',
  detail: { before: newId('xk'), after: ADDRESS, change: '2' },
};
const letter = (more: Partial<News>) => newsLetter({ ...news, ...more }, world);

describe('news', () => {
  it('for owners say in a sentence what happened; when, by whom, from where; what to do, and where', () => {
    const { subject, text } = letter({});
    expect(subject).toBe('The wallet that money is paid to was changed · Shop');
    expect(text).toBe(
      [
        `maria@shop.example changed where Shop is paid on Ethereum: from now on to ${ADDRESS}.`,
        'When: 21 Nov 2026, 14:32 UTC\nBy: maria@shop.example\nFrom: 192.0.2.1\nBefore: an extended key',
        'If you did not expect this, sign in, undo it, and take the role from whoever did it (Settings, People).',
        'Look at it: https://pay.example/wallets\n',
      ].join('\n\n'),
    );
  });

  it('of where events go name the URL before and after, and of their secret whose it is', () => {
    const [from, to] = ['https://shop.example/hook', 'https://other.example/hook'];
    const endpoint = { subject: newId('we'), actor: 'jan@shop.example' };
    const changed = letter({ ...endpoint, action: 'webhook.url-changed', detail: { from, to } });
    expect(changed.subject).toBe('The URL that events are sent to was changed · Shop');
    expect(changed.text).toMatch(
      /^jan@shop\.example changed where events of Shop are sent: to https:\/\/other\.example\/hook from now on\.\n/,
    );
    expect(changed.text).toContain('\nBefore: https://shop.example/hook\n\n');
    expect(changed.text).toContain('Look at it: https://pay.example/webhooks\n');
    const rotated = letter({ ...endpoint, action: 'webhook.secret-rotated', detail: { url: to } });
    expect(rotated.text).toContain('the secret that signs the events of Shop to https://other.example/hook');
    const added = letter({ ...endpoint, action: 'webhook.created', language: 'de', detail: { url: to } });
    expect(added.text).toContain('gehen Ereignisse von Shop auch an https://other.example/hook hinaus.\n');
    expect(rotated.text + added.text).not.toMatch(/Before:|Bisher:/);
  });

  it('of what is accepted, and of where alerts go, say each setting before and after', () => {
    const changes = {
      name: ['Shop', 'The Shop'],
      alertEmails: [['ops@shop.example'], []],
      toleranceBps: [0, 150],
      acceptShortBps: [0, 10_000],
      acceptShortMinor: [0, 123_450],
      acceptSeenLate: [false, true],
      'networkTerms.ethereum.assets.USDC.e.accepted': [null, false],
      'networkTerms.ethereum.assets.USDC.e.minimumMinor': [null, 0],
      'networkTerms.ethereum.settlementDepths': [null, [1, null, 'safe', 'finalized']],
      'networkTerms.base.settlementDepths': [null, [null, null, null, null]],
    };
    const about = { action: 'settings.changed', detail: { changes } } as const;
    const { subject, text } = letter(about);
    expect(subject).toBe('What is accepted, or where alerts go, was changed · Shop');
    expect(text).toMatch(
      /^maria@shop\.example changed settings of Shop that say what counts as paid, or where/,
    );
    expect(text.split('\n\n')[1]!.split('\n').slice(3)).toEqual([
      'Alerts go to: ops@shop.example → nobody',
      'Tolerance: 0 % → 1.5 %',
      'Accept what is short by at most: 0 % → 100 %',
      'Accept what is short by at most: 0.00 → 1’234.50',
      'Accept what was in time and seen late: no → yes',
      'USDC.e on Ethereum accepted: yes → no',
      'Confirmations on Ethereum: the default → 1, the default, safe, finalized',
    ]);
    expect(text).toContain('Look at it: https://pay.example/paymentSettings\n');
    const { alertEmails } = changes;
    const ofAlerts = letter({
      ...about,
      language: 'de',
      detail: { changes: { name: changes.name, alertEmails } },
    });
    expect(ofAlerts.text).toContain('\nWarnungen gehen an: ops@shop.example → niemand\n');
    expect(ofAlerts.text).toContain('Ansehen: https://pay.example/settings\n');
  });

  it('are in German for whoever reads German', () => {
    const { subject, text } = letter({
      language: 'de',
      action: 'person.role-changed',
      subject: newId('usr'),
      detail: { email: 'jan@shop.example', before: 'read-only', after: 'developer' },
    });
    expect(subject).toBe('Die Rolle von jemandem wurde geändert · Shop');
    expect(text).toMatch(
      /^maria@shop\.example hat die Rolle von jan@shop\.example bei Shop geändert: bisher nur lesend, jetzt Entwickler\.\n\nWann: 21\.11\.2026, 14:32 UTC\n/,
    );
    expect(text).toMatch(/\nAnsehen: https:\/\/pay\.example\/people\n$/);
  });

  it('for oneself say nothing of others, and what to do', () => {
    const { subject, text } = letter({
      action: 'password.changed',
      audience: 'subject',
      detail: { dropped: true },
      merchantName: null,
      ip: null,
      actor: 'cli',
    });
    expect(subject).toBe('Your password was changed');
    expect(text).toContain('By: The operator’s command line\n\nIf it was not you');
    expect(text).not.toMatch(/From:|dropped/);
    expect(text).toContain('\n\nLook at it: https://pay.example/account\n');
  });

  it('name the browser that was new, and not what it calls itself', () => {
    const more = { action: 'signed-in.new-device', audience: 'subject', merchantName: null } as const;
    const { text } = letter({ ...more, detail: { browser: FIREFOX } });
    expect(text).toMatch(/^Somebody signed in to your account with Firefox on Windows, for the first time/);
    expect(text).not.toContain('Mozilla');
    expect(letter({ ...more, detail: { browser: 'curl/8.5.0' } }).text).toContain('with a browser, for');
  });

  it('say that the second factors went with the password', () => {
    const more = { action: 'password.reset-offered', audience: 'subject', merchantName: null } as const;
    expect(letter({ ...more, detail: { dropSecondFactors: true } }).text).toContain('were taken off.');
    expect(letter({ ...more, detail: { dropSecondFactors: false } }).text).not.toContain('taken off');
  });

  it('show what strangers wrote so that nothing in it acts', () => {
    const hostile = 'x\u202ey';
    const { text } = letter({
      action: 'key.created',
      merchantName: hostile,
      actor: hostile,
      subject: hostile,
      detail: { label: hostile, scopes: ['read', 'write'] },
    });
    expect(text).not.toContain('\u202e');
    expect(text).toMatch(/^x\ufffdy created the API key “x\ufffdy” of x\ufffdy\. It may read and write\.\n/);
  });

  it.each([
    ['person.role-changed', 'subject', 'Shop', 'ask an owner of the merchant'],
    ['person.joined', 'subject', 'Shop', 'change your password now'],
    ['person.invited', 'owners', 'Shop', 'withdraw the invitation'],
    ['person.invited', 'operators', null, 'an operator can do everything here'],
    ['sessions.ended', 'subject', null, 'change your password now'],
    ['operator.joined', 'operators', null, 'an operator can do everything here'],
    ['operator.joined', 'subject', null, 'an operator can do everything here'],
    ['operator.dismissed', 'operators', null, 'an operator can do everything here'],
    ['operator.dismissed', 'subject', null, 'ask whoever runs the service'],
    ['password.reset-offered', 'subject', null, 'tell whoever runs the service'],
    ['codes.disabled', 'subject', null, 'change your password now'],
  ] as const)('of %s tell the %s what to do', (action, audience, merchantName, advice) => {
    expect(letter({ action, audience, merchantName }).text).toContain(advice);
  });

  it.each(LANGUAGES)('of every kind have a sentence and a link, and no id of ours, in %s', (language) => {
    const detail = { email: 'jan@shop.example', label: 'Till', role: 'owner' };
    const wallets = { before: newId('xk'), after: newId('xk') };
    const letters = AUDIT_ACTIONS.flatMap((action) =>
      audiencesOf(action).map((audience) =>
        letter({
          action,
          audience,
          language,
          subject: newId('usr'),
          detail: action === 'wallet.set' ? wallets : detail,
        }),
      ),
    );
    expect(letters.length).toBeGreaterThan(20);
    for (const { text } of letters) {
      expect(text).toMatch(/^[^\n]{20,}\.\n\n/);
      expect(text).toMatch(/: https:\/\/pay\.example\/\w+\n$/);
      expect(text.replaceAll(' on usr_', '').replaceAll(' auf usr_', '')).not.toMatch(/\b[a-z]{2,3}_\w{20}/);
    }
  });
});
