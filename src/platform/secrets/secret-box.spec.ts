import { randomBytes } from 'node:crypto';
import { SecretBox } from './secret-box.js';

const SEALED = [{ table: 'webhook_endpoint', columns: ['secret', 'previous_secret'], boundAs: 'secret' }];
const box = new SecretBox(SEALED, randomBytes(32));
const place = { table: 'webhook_endpoint', column: 'secret', rowId: 'we_1' };

describe('SecretBox', () => {
  it('opens what it sealed', () => {
    for (const text of ['', 'whsec_abc', 'Käse 🧀'])
      expect(box.open(box.seal(text, place), place)).toBe(text);
  });

  it('never seals twice to the same, and says so in one shape', () => {
    const sealed = Array.from({ length: 200 }, () => box.seal('same', place));
    expect(new Set(sealed).size).toBe(200);
    for (const text of sealed) expect(text).toMatch(/^v1\.[A-Za-z0-9_-]+$/);
  });

  it.each([
    { ...place, rowId: 'we_2' },
    { ...place, column: 'previous_secret' },
    { ...place, table: 'totp' },
  ])('does not open in another place: %j', (other) => {
    expect(() => box.open(box.seal('x', place), other)).toThrow(/cannot be opened/);
  });

  it('does not open with another key', () => {
    expect(() => new SecretBox(SEALED, randomBytes(32)).open(box.seal('x', place), place)).toThrow(
      /cannot be opened/,
    );
  });

  it('opens what the key before it sealed, and seals with its own', () => {
    const [old, present] = [randomBytes(32), randomBytes(32)];
    const both = new SecretBox(SEALED, present, old);
    const sealed = new SecretBox(SEALED, old).seal('x', place);
    expect(both.open(sealed, place)).toBe('x');
    expect(both.keyOf(sealed, place)).toBe('previous');
    const again = both.seal('x', place);
    expect(both.keyOf(again, place)).toBe('present');
    expect(new SecretBox(SEALED, present).open(again, place)).toBe('x');
    expect(new SecretBox(SEALED, randomBytes(32), randomBytes(32)).keyOf(sealed, place)).toBe('unknown');
    expect(new SecretBox(SEALED, old).keyOf(again, place)).toBe('unknown');
  });

  it('seals for no place that a change of the key would not find', () => {
    expect(() => box.seal('x', { ...place, column: 'url' })).toThrow(
      'webhook_endpoint.url is in no module’s list of sealed columns',
    );
  });

  it('does not open after a change of any character', () => {
    const sealed = box.seal('whsec_secret', place);
    for (let i = 0; i < sealed.length; i++) {
      const changed = sealed.slice(0, i) + (sealed[i] === 'A' ? 'B' : 'A') + sealed.slice(i + 1);
      expect(() => box.open(changed, place)).toThrow(/cannot be opened/);
    }
  });

  it.each(['', 'v1.', 'v1.AAAA', 'v2.AAAA', 'whsec_plain', 'v1.AA.AA'])('refuses %j', (text) => {
    expect(() => box.open(text, place)).toThrow(/cannot be opened/);
  });

  it('keeps the content out of the message', () => {
    const sealed = box.seal('whsec_secret', place);
    expect(() => box.open(`${sealed}A`, place)).toThrow(/^the secret of webhook_endpoint we_1 cannot/);
  });
});
