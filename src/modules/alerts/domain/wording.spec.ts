import { linkOf, mailAbout } from './wording.js';

const ALERT = {
  id: 'alr_1',
  kind: 'review-entry',
  subject: 'pi_1',
  summary: 'A payment waits for your decision',
  detail: 'It is short.',
  raisedAt: new Date('2026-11-21T14:03:59Z'),
} as const;

it('says what happened, where to look, and why this mail came', () => {
  expect(mailAbout(ALERT, 'My Shop', 'https://api.example.com')).toEqual({
    subject: 'A payment waits for your decision',
    text:
      'It is short.\n\nLook at it: https://api.example.com/dashboard/review/pi_1\n\n' +
      'Raised 2026-11-21 14:03 UTC as alr_1. You get this mail because your address is set for the alerts of My Shop.\n',
  });
});

it('keeps a subject that is no id inside its part of the link', () => {
  const alert = { kind: 'webhook-endpoint-disabled', subject: '../x?y' } as const;
  expect(linkOf(alert, 'https://a.example')).toBe(
    'https://a.example/dashboard/developers/webhooks/..%2Fx%3Fy',
  );
});
