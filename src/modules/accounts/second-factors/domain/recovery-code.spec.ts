import { hashRecoveryCode, newRecoveryCodes } from './recovery-code.js';

it('are ten codes of 80 bits, in groups that can be read out, never twice the same', () => {
  const codes = newRecoveryCodes();
  expect(codes).toHaveLength(10);
  for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  expect(new Set(Array.from({ length: 50 }, newRecoveryCodes).flat()).size).toBe(500);
  expect(new Set(Array.from({ length: 50 }, newRecoveryCodes).join('').replace(/[,-]/g, '')).size).toBe(32);
});

it('are the same however they are typed, and no other', () => {
  const code = '7hq2-x9fk-00ab-zzyx';
  for (const typed of ['7hq2x9fk00abzzyx', '7HQ2-X9FK-00AB-ZZYX', ' 7hq2 x9fk 00ab zzyx\n'])
    expect(hashRecoveryCode(typed)).toEqual(hashRecoveryCode(code));
  expect(hashRecoveryCode('7hq2-x9fk-00ab-zzyz')).not.toEqual(hashRecoveryCode(code));
  expect(hashRecoveryCode(code)).toHaveLength(32);
});
