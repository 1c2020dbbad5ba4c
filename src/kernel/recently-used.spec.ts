import { RecentlyUsed } from './recently-used.js';

describe('what was recently used', () => {
  const made: string[] = [];
  const kept = new RecentlyUsed<string>(2);
  const get = (key: string) => kept.get(key, () => (made.push(key), key.toUpperCase()));

  it('is made once, and again only after two others were used', () => {
    expect(['a', 'b', 'a', 'c', 'a', 'b'].map(get)).toEqual(['A', 'B', 'A', 'C', 'A', 'B']);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
  });

  it('is not what could not be made', () => {
    const fail = () => {
      throw new Error('no');
    };
    expect(() => kept.get('d', fail)).toThrow('no');
    expect(get('d')).toBe('D');
  });
});
