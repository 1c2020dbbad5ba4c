import { isId, lowestId, newId } from './ids.js';

describe('ids', () => {
  it('sort by time', () => {
    const times = [0, 1, 31, 32, 1_000, 1_763_712_000_000, 2 ** 47, 2 ** 48 - 1];
    const ids = times.map((time) => newId('pi', time));
    expect([...ids].sort()).toEqual(ids);
  });

  it('hold 48 bits of time and 100 of chance in 30 characters', () => {
    expect(newId('pi')).toMatch(/^pi_[0-9a-hjkmnp-tv-z]{30}$/);
    expect(new Set(Array.from({ length: 10_000 }, () => newId('pi', 1))).size).toBe(10_000);
  });

  it('of one millisecond all sort between two bounds', () => {
    expect(newId('evt', 999) < lowestId('evt', 1_000)).toBe(true);
    expect(newId('evt', 1_000) > lowestId('evt', 1_000)).toBe(true);
    expect(lowestId('evt', -5)).toBe(lowestId('evt', 0));
  });

  it('are taken for what they are, and for nothing else', () => {
    expect([isId('pi', newId('pi')), isId('pi', newId('evt')), isId('evt', newId('evt'))]).toEqual([
      true,
      false,
      true,
    ]);
    expect(isId('pi', `${newId('pi')}0`)).toBe(false);
  });

  it.each([
    '',
    'pi_',
    'pi_short',
    'evt_01kdk3x0t6s2v9m4c8q7p5z1r0w3y',
    `pi_${'u'.repeat(30)}`,
    'PI_' + '0'.repeat(30),
  ])('does not take %p for an intent’s id', (text) => expect(isId('pi', text)).toBe(false));
});
