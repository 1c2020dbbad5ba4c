import { mailAbout, mailAboutMore } from './wording.js';

const ALERT = {
  id: 'alr_1',
  summary: 'A payment waits for your decision',
  detail: 'It is short.',
  raisedAt: new Date('2026-11-21T14:03:59Z'),
} as const;

it('says what happened, where to look, and why this mail came', () => {
  const readers = { language: 'en', told: (text: string) => text } as const;
  expect(mailAbout(ALERT, readers, { merchant: 'My Shop' }, 'https://api.example.com/look')).toEqual({
    language: 'en',
    subject: 'A payment waits for your decision',
    text:
      'It is short.\n\nLook at it: https://api.example.com/look\n\n' +
      'Raised 21 Nov 2026, 14:03 UTC as alr_1. You get this mail because your address is set for the alerts of My Shop.\n',
  });
});

it('says the same in German, of the instance by its address', () => {
  const readers = { language: 'de', told: (text: string) => `<${text}>` } as const;
  const { subject, text } = mailAbout(ALERT, readers, { instance: 'https://api.example.com' }, 'https://x.y');
  expect(subject).toBe('<A payment waits for your decision>');
  expect(text).toBe(
    '<It is short.>\n\nAnsehen: https://x.y\n\nGemeldet 21.11.2026, 14:03 UTC als alr_1. Sie erhalten diese E-Mail, weil ' +
      'Ihre Adresse für die Warnungen von der Instanz auf https://api.example.com eingetragen ist.\n',
  );
});

it.each([
  [
    'en',
    1,
    'One more alert',
    'Since 21 Nov 2026, 14:03 UTC there was one alert more than are mailed',
    'the alerts of My Shop.\n',
  ],
  [
    'en',
    7,
    '7 more alerts',
    'Since 21 Nov 2026, 14:03 UTC there were 7 alerts more than are mailed',
    'My Shop.\n',
  ],
  [
    'de',
    1,
    'Eine weitere Warnung',
    'Seit 21.11.2026, 14:03 UTC gab es eine Warnung mehr',
    'die Warnungen von My Shop',
  ],
  [
    'de',
    7,
    '7 weitere Warnungen',
    'Seit 21.11.2026, 14:03 UTC gab es 7 Warnungen mehr',
    'die Warnungen von My Shop',
  ],
] as const)(
  'says in %s that there were %i more, and where they are',
  (language, count, subject, ...parts) => {
    const mail = mailAboutMore(
      count,
      ALERT.raisedAt,
      language,
      { merchant: 'My Shop' },
      'https://x.y/alerts',
    );
    expect(mail).toMatchObject({ subject, language });
    for (const part of [...parts, ': https://x.y/alerts\n']) expect(mail.text).toContain(part);
  },
);
