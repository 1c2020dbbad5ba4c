import { amountField, bpsOf, depthOf, minorOf, wholeOf } from './values.js';

describe('what somebody types into the settings', () => {
  it.each([
    ['0.5', 50],
    ['0,5', 50],
    ['0.5 %', 50],
    ['10', 1_000],
    ['', 0],
    ['0.005', 'unreadable'],
    ['-1', 'unreadable'],
    ['1e2', 'unreadable'],
    ['half', 'unreadable'],
    ['9'.repeat(40), 'unreadable'],
  ])('is a percentage: “%s” → %s', (text, bps) => expect(bpsOf(text)).toBe(bps));

  it.each([
    ['9.90', 990],
    ['25', 2_500],
    ['', 0],
    ['9.999', 'unreadable'],
  ])('is an amount: “%s” → %s', (text, minor) => expect(minorOf(text)).toBe(minor));

  it.each([
    ['12', 12],
    ['', null],
    ['Finalized', 'finalized'],
    ['safe', 'safe'],
    ['latest', 'unreadable'],
    ['1.5', 'unreadable'],
  ])('is a depth: “%s” → %s', (text, depth) => expect(depthOf(text)).toBe(depth));

  it('is a whole number', () =>
    expect([wholeOf('30'), wholeOf(''), wholeOf('3.5')]).toEqual([30, 0, 'unreadable']));

  it('comes back as it is stored', () => {
    expect([amountField(990), amountField(0)]).toEqual(['9.90', '']);
  });
});
