import { percentText } from './percent.js';

it('writes hundredths of a percent without dead zeros', () => {
  expect([50, 1_000, 0, 12, 150].map(percentText)).toEqual(['0.5', '10', '0', '0.12', '1.5']);
});
