import { sayIn } from '../language/say.js';
import { ago, moment } from './times.js';

describe('a moment', () => {
  it('is said in UTC, with a month of three letters', () => {
    const said = Array.from({ length: 12 }, (_, month) => moment(new Date(Date.UTC(2026, month, 1))).utc);
    const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
    expect(said).toEqual(months.map((month) => `1 ${month} 2026, 00:00 UTC`));
    expect(moment(new Date('2026-11-21T23:59:59.999Z')).utc).toBe('21 Nov 2026, 23:59 UTC');
  });

  it.each([
    ['2026-11-21T12:00:00Z', 'just now'],
    ['2026-11-21T11:59:00Z', '1 minute ago'],
    ['2026-11-21T11:00:01Z', '59 minutes ago'],
    ['2026-11-20T12:00:01Z', '23 hours ago'],
    ['2026-11-20T12:00:00Z', null],
  ])('%s was, at noon, %s', (iso, since) => {
    const found = ago(new Date(iso), new Date('2026-11-21T12:00:00Z')).since;
    expect(found && sayIn('en')(found.text, { count: found.count })).toBe(since);
  });
});
