import { readTxid } from './refund-txid.js';

const digits = 'ab'.repeat(32);

it.each([
  ['evm', `0x${digits}`, `0x${digits}`],
  ['evm', ` 0X${digits.toUpperCase()} `, `0x${digits}`],
  ['evm', digits, `0x${digits}`],
  ['litecoin', digits, digits],
  ['litecoin', `0x${digits}`, digits],
  ['evm', '', null],
  ['evm', `0x${digits}0`, null],
  ['bitcoin', digits.slice(1), null],
  ['bitcoin', `https://explorer.example/tx/${digits}`, null],
] as const)('on %s reads %j as %j', (family, typed, read) => {
  expect(readTxid(family, typed)).toBe(read);
});
