import { pad } from 'viem';
import { evmBlock, toEvmBlock } from './rpc-answers.js';

const transaction = {
  hash: pad('0x1'),
  from: pad('0xa', { size: 20 }),
  to: null,
  nonce: '0x0',
  value: '0x0',
};
const block = {
  number: '0x9',
  hash: pad('0x9'),
  parentHash: pad('0x8'),
  timestamp: '0x1',
  transactions: [transaction],
};

it('a block that lists a transaction twice is none: its fee would count twice', async () => {
  const told = await evmBlock.parseAsync(block);
  const [first] = told.transactions;
  expect(toEvmBlock(told).transactions).toHaveLength(1);
  expect(() => toEvmBlock({ ...told, transactions: [first!, first!] })).toThrow('lists a transaction twice');
});
