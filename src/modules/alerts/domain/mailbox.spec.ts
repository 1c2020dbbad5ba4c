import { mailboxOf } from './mailbox.js';

it.each([
  ['ann@x.example', 'ann@x.example'],
  ['Ann@X.example', 'ann@x.example'],
  ['a.n.n+shop+1@x.example', 'ann@x.example'],
  ['+shop@x.example', '+shop@x.example'],
])('of %s is %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});
