import { codeAt, stepAt, stepOfCode, totpUri } from './totp.js';

const SECRET = Buffer.from('12345678901234567890');

// RFC 6238, appendix B, SHA-1.
it.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('gives the code of RFC 6238 at %i s', (seconds, code) => {
  expect(codeAt(SECRET, stepAt(new Date(seconds * 1000)), 8)).toBe(code);
});

// RFC 4226, appendix D.
it('gives the codes of RFC 4226', () => {
  expect([0, 1, 2, 9].map((counter) => codeAt(SECRET, counter))).toEqual([
    '755224',
    '287082',
    '359152',
    '520489',
  ]);
});

it('takes the code of this step and of its neighbours, typed with or without a space, and no other', () => {
  const now = new Date(1_800_000_010_000);
  const step = stepAt(now);
  for (const drift of [-1, 0, 1])
    expect(stepOfCode(SECRET, codeAt(SECRET, step + drift), now)).toBe(step + drift);
  const code = codeAt(SECRET, step);
  expect(stepOfCode(SECRET, `${code.slice(0, 3)} ${code.slice(3)}`, now)).toBe(step);
  for (const wrong of [codeAt(SECRET, step + 2), codeAt(SECRET, step - 2), '', '0', `${code}0`, 'abcdef']) {
    expect(stepOfCode(SECRET, wrong, now)).toBeNull();
  }
});

it('names issuer and address for the authenticator', () => {
  expect(totpUri('ABC', 'a b@x.example', 'Rappen')).toBe(
    'otpauth://totp/Rappen:a%20b%40x.example?secret=ABC&issuer=Rappen',
  );
});
