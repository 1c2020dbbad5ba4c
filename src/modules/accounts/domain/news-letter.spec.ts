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
    expect(text).toMatch(
      /^Somebody signed in to your account with Firefox on Windows\. That browser counts as a new one\./,
    );
    expect(text).not.toContain('Mozilla');
    expect(letter({ ...more, detail: { browser: 'curl/8.5.0' } }).text).toContain('with a browser. That');
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
    ['operator.dismissed', 'subject', null, 'If you did not expect this, ask whoever runs the service'],
    ['password.reset-offered', 'subject', null, 'tell whoever runs the service'],
    ['codes.disabled', 'subject', null, 'change your password now'],
  ] as const)('of %s tell the %s what to do', (action, audience, merchantName, advice) => {
    expect(letter({ action, audience, merchantName }).text).toContain(advice);
  });

  it.each([
    ['person.invited', 'operators', 'operatorAudit'],
    ['operator.joined', 'subject', 'operatorAudit'],
    ['operator.dismissed', 'subject', 'account'],
    ['person.role-changed', 'subject', 'account'],
    ['key.created', 'owners', 'keys'],
    ['webhook.created', 'owners', 'webhooks'],
    ['wallet.own-added', 'owners', 'wallets'],
    ['settings.changed', 'owners', 'settings'],
    ['person.removed', 'owners', 'people'],
  ] as const)('of %s send the %s to where they see it: %s', (action, audience, place) => {
    expect(letter({ action, audience }).text).toMatch(
      new RegExp(`Look at it: https://pay.example/${place}\n$`),
    );
  });

  it.each(LANGUAGES)('for operators name no merchant in %s: they are of the whole service', (language) => {
    const told = AUDIT_ACTIONS.filter((action) => audiencesOf(action).includes('operators'));
    expect(told).toEqual(['operator.dismissed', 'operator.joined', 'person.invited']);
    for (const action of told) {
      const { subject, text } = letter({ action, audience: 'operators', merchantName: null, language });
      expect(subject).not.toContain(' · ');
      expect(text).not.toMatch(/Rappen|null|undefined/);
      expect(letter({ action, audience: 'operators', language }).text).toBe(text);
    }
  });

  it('of what nobody is told are no letter', () => {
    expect(() => letter({ action: 'signed-in' })).toThrow('nothing is told of signed-in to owners');
    expect(() => letter({ action: 'wallet.set', audience: 'subject' })).toThrow(
      'nothing is told of wallet.set to subject',
    );
  });

  it.each([
    ['maria@shop.example', 'invited by maria@shop.example.', 'eingeladen von maria@shop.example.'],
    ['cli', 'invited by the operator’s command line.', 'eingeladen von der Kommandozeile des Betreibers.'],
    [undefined, 'invited by somebody.', 'eingeladen von jemand.'],
  ])('of who joined say as what, and by whom they were invited: %s', (invitedBy, english, german) => {
    const about = {
      action: 'person.joined',
      detail: { email: 'jan@shop.example', role: 'reviewer', invitedBy },
    } as const;
    expect(letter(about).text).toContain(`jan@shop.example has joined Shop as reviewer, ${english}\n`);
    expect(letter({ ...about, language: 'de' }).text).toContain(
      `jan@shop.example ist Shop beigetreten (Prüfer), ${german}\n`,
    );
  });

  it('call somebody of no known address so, and a role that is none of ours as the log has it', () => {
    const about = { action: 'person.removed', detail: { email: '', role: 'auditor' } } as const;
    expect(letter(about).text).toMatch(/ removed somebody from Shop, who was auditor\.\n/);
    expect(letter({ ...about, language: 'de' }).text).toMatch(
      / hat jemand \(auditor\) aus Shop entfernt\.\n/,
    );
  });

  it.each([
    [['read'], 'It may read.', 'Er darf lesen.'],
    [['read', 'write'], 'It may read and write.', 'Er darf lesen und schreiben.'],
    [['read', 'refund'], 'It may read and refund.', 'Er darf lesen und refund.'],
    [['read', 7], 'It may read.', 'Er darf lesen.'],
  ])('of a key say what it may: %j', (scopes, english, german) => {
    const about = { action: 'key.created', detail: { label: 'Till', scopes } } as const;
    expect(letter(about).text).toContain(`“Till” of Shop. ${english}\n`);
    expect(letter({ ...about, language: 'de' }).text).toContain(`«Till» von Shop erstellt. ${german}\n`);
  });

  it.each([
    ['wallet.own-added', 'never counts as a payment', 'zählt nie als Zahlung'],
    ['wallet.own-removed', 'counts as a buyer’s again', 'zählt wieder als das eines Käufers'],
  ] as const)('of an own address name it whole, and what it means: %s', (action, english, german) => {
    const about = { action, detail: { address: ADDRESS } };
    expect(letter(about).text).toContain(`own: ${ADDRESS}. Money from there ${english}.\n`);
    expect(letter({ ...about, language: 'de' }).text).toContain(`: ${ADDRESS}. Geld von dort ${german}.\n`);
  });

  it('say what was before of a changed URL or wallet alone', () => {
    const from = 'https://shop.example/hook';
    const added = letter({ action: 'webhook.created', detail: { url: from, from } });
    expect(added.text).not.toContain('Before:');
    expect(letter({ detail: { before: ADDRESS, after: newId('xk') } }).text).toContain(
      `\nBefore: ${ADDRESS}\n`,
    );
    expect(letter({ detail: { before: null, after: ADDRESS } }).text).not.toContain('Before:');
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
