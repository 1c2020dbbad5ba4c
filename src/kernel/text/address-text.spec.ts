import { addressGroups, typedAddress } from './address-text.js';

it.each([
  ['0x52ab91c0D', { prefix: '0x', groups: ['52ab', '91c0', 'D'] }],
  ['rltc1qd', { prefix: '', groups: ['rltc', '1qd'] }],
])('cuts %s into fours', (address, expected) => {
  expect(addressGroups(address)).toEqual(expected);
});

it.each(['bc1qar0srrr', ' bc1qar0srrr\n', 'bc1q\r\n ar0srrr', 'bc1q ar0s rrr', 'bc1q\tar0s\u00a0rrr'])(
  'reads %j as one address',
  (typed) => {
    expect(typedAddress(typed)).toBe('bc1qar0srrr');
  },
);
