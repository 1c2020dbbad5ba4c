import { hashApiKey, isWellFormedApiKey, newApiKey, shortApiKey } from './api-key.js';
import { credentialsOf } from './credentials.js';

describe('API keys', () => {
  it('are the fixed prefix and 32 alphanumeric characters', () => {
    expect(newApiKey()).toMatch(/^svc_live_[0-9A-Za-z]{32}$/);
  });

  it('carry a checksum that refuses every typo in one character', () => {
    const key = newApiKey();
    expect(isWellFormedApiKey(key)).toBe(true);
    for (let i = 9; i < key.length; i++) {
      const typo = key.slice(0, i) + (key[i] === 'a' ? 'b' : 'a') + key.slice(i + 1);
      expect(isWellFormedApiKey(typo)).toBe(false);
    }
  });

  // As CRC-32 by six digits of base 62 has it: a key that was given out stays one.
  it('of earlier versions stay what they are', () => {
    expect(isWellFormedApiKey('svc_live_Rappen0Test1Key2For3Ever441xjnBC')).toBe(true);
  });

  it('are stored as SHA-256 and listed by a short prefix', () => {
    const key = newApiKey();
    // As `printf svc_live_abc | sha256sum` has it.
    expect(hashApiKey('svc_live_abc').toString('hex')).toBe(
      '3582d954d88a88c6ff130da665583d5d1bacd0c223b42a1c633e0f59c966ded6',
    );
    expect(shortApiKey(key)).toBe(`svc_live_${key.slice(9, 15)}…`);
  });
});

describe('credentialsOf', () => {
  it.each([
    [undefined, undefined, { kind: 'none' }],
    ['Bearer k', undefined, { kind: 'key', key: 'k' }],
    ['bearer k', undefined, { kind: 'key', key: 'k' }],
    [undefined, 'k', { kind: 'key', key: 'k' }],
    ['Bearer k', 'k', { kind: 'key', key: 'k' }],
    ['Bearer k', 'other', { kind: 'conflicting' }],
    ['Basic abc', undefined, { kind: 'key', key: '' }],
    ['Bearer', undefined, { kind: 'key', key: '' }],
    ['Basic abc', 'k', { kind: 'conflicting' }],
  ])('reads %p and %p as %p', (authorization, apiKey, credentials) => {
    expect(credentialsOf(authorization, apiKey)).toEqual(credentials);
  });
});
