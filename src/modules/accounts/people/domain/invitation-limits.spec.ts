import { flawOfInvitation } from './invitation-limits.js';

const NONE = { byInviter: 0, byMerchant: 0, toAddress: 0 };

it.each([
  ['an inviter', { byInviter: 19 }, { byInviter: 20 }, 'You have invited 20 people today'],
  ['a merchant', { byMerchant: 29 }, { byMerchant: 30 }, 'This merchant has invited 30 people today'],
  ['an address', { toAddress: 4 }, { toAddress: 5 }, 'This address was invited 5 times today'],
])('%s has a number of invitations a day, and not one more', (_who, last, tooMany, flaw) => {
  expect(flawOfInvitation({ ...NONE, ...last })).toBeNull();
  expect(flawOfInvitation({ ...NONE, ...tooMany })).toContain(flaw);
});
