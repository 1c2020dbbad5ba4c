import { keccak256, stringToHex } from 'viem';
import { safeBatch } from './safe-batch.js';

const about = {
  name: 'Collect USDC',
  description: 'from 1 address',
  safe: `0x${'5a'.repeat(20)}`,
  at: new Date(1_700_000_000_000),
};
const batch = safeBatch(1, about, [{ to: `0x${'11'.repeat(20)}`, value: '0', data: '0xabcd' }]);

it('has what the Transaction Builder reads', () => {
  expect(batch).toMatchObject({
    version: '1.0',
    chainId: '1',
    createdAt: 1_700_000_000_000,
    meta: { name: 'Collect USDC', createdFromSafeAddress: about.safe },
    transactions: [
      {
        to: `0x${'11'.repeat(20)}`,
        value: '0',
        data: '0xabcd',
        contractMethod: null,
        contractInputsValues: null,
      },
    ],
  });
});

it('has the checksum that the builder computes, written out by hand', () => {
  const transaction = [
    `{["contractInputsValues","contractMethod","data","to","value"]`,
    `null,null,"0xabcd","0x${'11'.repeat(20)}","0",}`,
  ].join('');
  const meta = [
    `{["createdFromOwnerAddress","createdFromSafeAddress","description","name","txBuilderVersion"]`,
    `"","${about.safe}","from 1 address",null,"1.16.5",}`,
  ].join('');
  const text = `{["chainId","createdAt","meta","transactions","version"]"1",1700000000000,${meta},[${transaction}],"1.0",}`;
  expect((batch['meta'] as { checksum: string }).checksum).toBe(keccak256(stringToHex(text)));
});
