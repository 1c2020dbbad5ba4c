import { mailAbout } from './wording.js';

const ALERT = {
  id: 'alr_1',
  summary: 'A payment waits for your decision',
  detail: 'It is short.',
  raisedAt: new Date('2026-11-21T14:03:59Z'),
} as const;

it('says what happened, where to look, and why this mail came', () => {
  expect(mailAbout(ALERT, 'My Shop', 'https://api.example.com/look')).toEqual({
    subject: 'A payment waits for your decision',
    text:
      'It is short.\n\nLook at it: https://api.example.com/look\n\n' +
      'Raised 2026-11-21 14:03 UTC as alr_1. You get this mail because your address is set for the alerts of My Shop.\n',
  });
});
