import { addressGroups } from './address-groups.js';

it.each([
  ['0x52ab91c0D', { prefix: '0x', groups: ['52ab', '91c0', 'D'] }],
  ['rltc1qd', { prefix: '', groups: ['rltc', '1qd'] }],
])('cuts %s into fours', (address, expected) => {
  expect(addressGroups(address)).toEqual(expected);
});
