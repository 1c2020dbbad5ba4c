import { mailAbout } from './wording.js';

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
