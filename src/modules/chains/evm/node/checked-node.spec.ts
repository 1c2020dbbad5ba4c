import { type Hex, pad } from 'viem';
import { CheckedNode } from './checked-node.js';
import type { EvmBlock, EvmHeader, EvmNode, EvmReceipt, InternalCall } from './evm-node.types.js';

const HEADER: EvmHeader = { height: 9, hash: '0x9', parentHash: '0x8', time: new Date(9_000) };
const TOKEN_SENT = { txid: '0xt', sender: '0xa', nonce: 1, to: '0xusdc', valueAtoms: 0n };
const block = ({ transactions = [TOKEN_SENT], ...changes }: Partial<EvmBlock> = {}): EvmBlock => ({
  ...HEADER,
  logsBloom: '0x',
  transactions,
  listed: transactions,
  ...changes,
});
const MINED = { txid: '0xt', blockHash: '0x9' };
const receipt = (feeAtoms: bigint): EvmReceipt => ({
  txid: '0xt',
  blockHash: '0x9',
  succeeded: true,
  feeAtoms,
  logs: [],
});
const call = (changes: Partial<InternalCall> = {}): InternalCall => ({
  txid: '0xt',
  path: '0',
  payers: ['0xb'],
  to: '0xours',
  valueAtoms: 5n,
  ...changes,
});

const saying = <T>(method: keyof EvmNode, answer: T) =>
  ({ [method]: () => Promise.resolve(answer) }) as unknown as EvmNode;
const both = <T>(method: keyof EvmNode, first: T, second: T) =>
  new CheckedNode(saying(method, first), saying(method, second));

describe('what two nodes must both say', () => {
  it('is all of a header: its time and its parent too', async () => {
    expect(await both('header', HEADER, { ...HEADER }).header(9)).toEqual(HEADER);
    for (const other of [{ time: new Date(10_000) }, { parentHash: '0x7' }])
      await expect(both('header', HEADER, { ...HEADER, ...other }).header(9)).rejects.toThrow('block 9');
  });

  it('is who sent each transaction, whatever its value', async () => {
    const other = block({ transactions: [{ ...TOKEN_SENT, sender: '0xours' }] });
    expect(await both('blocks', [block()], [block()]).blocks(9, 9)).toEqual([block()]);
    for (const node of [both('blocks', [other], [block()]), both('blocks', [block()], [other])]) {
      await expect(node.blocks(9, 9)).rejects.toThrow('who sent what in blocks 9 to 9');
      expect(node.verdict).toBe('disagrees');
    }
    const twice = block({ transactions: [{ ...TOKEN_SENT, sender: '0xours' }, TOKEN_SENT] });
    await expect(both('blocks', [twice], [block()]).blocks(9, 9)).rejects.toThrow('who sent what');
  });

  it("is not what a chain does itself, which some implementations list and others don't", async () => {
    const more = block({ transactions: [TOKEN_SENT, { ...TOKEN_SENT, txid: '0xown', sender: '0x0' }] });
    const [told] = await both('blocks', [more], [block()]).blocks(9, 9);
    expect(told!.transactions).toEqual([
      TOKEN_SENT,
      { ...TOKEN_SENT, txid: '0xown', sender: '0x0', nonce: null },
    ]);
    // In the order of the first: its traces are told by place. Whoever looks for what is among them has those of either.
    const [fewer] = await both('blocks', [block()], [more]).blocks(9, 9);
    expect(fewer!.transactions).toEqual([TOKEN_SENT]);
    const alone = { ...TOKEN_SENT, txid: '0xown', sender: '0x0', nonce: null };
    expect([told!.listed, fewer!.listed]).toEqual([told!.transactions, [TOKEN_SENT, alone]]);
  });
});

describe('whether there is a newer block', () => {
  it.each([
    [true, true],
    [true, false],
    [false, true],
  ])('is what both have, and says nothing of whether they agree: %s, %s', async (first, second) => {
    const node = both('hasBlock', first, second);
    node.verdict = 'agrees';
    expect([await node.hasBlock(9), node.verdict]).toEqual([first && second, 'agrees']);
  });
});

describe('what one of two nodes alone says', () => {
  it('makes no fee larger, by which coin would seem to have come in', async () => {
    const [least, most] = [[receipt(3n)], [receipt(4n)]];
    expect(await both('receipts', most, least).receipts([MINED])).toEqual(least);
    expect(await both('receipts', least, most).receipts([MINED])).toEqual(least);
  });

  it('is no nonce, by which a payment could be called one that never comes back', async () => {
    const other = block({ transactions: [{ ...TOKEN_SENT, nonce: 0 }] });
    for (const node of [both('blocks', [other], [block()]), both('blocks', [block()], [other])]) {
      const [told] = await node.blocks(9, 9);
      expect(told!.transactions).toEqual([{ ...TOKEN_SENT, nonce: null }]);
      expect(node.verdict).not.toBe('disagrees');
    }
  });

  it('leaves nothing out of a bloom', async () => {
    const [low, high]: [Hex, Hex] = [pad('0x01', { size: 256 }), pad('0x80', { size: 256 })];
    const read = async (first: Hex, second: Hex) => {
      const of = (logsBloom: Hex) => [block({ logsBloom })];
      return (await both('blocks', of(first), of(second)).blocks(9, 9))[0]!.logsBloom;
    };
    expect(await read(low, high)).toBe(pad('0x81', { size: 256 }));
    expect(await read('0x', high)).toBe(high);
    expect(await read(low, pad('0x00', { size: 256 }))).toBe(low);
  });

  it('is no payment inside a transaction, where the other traces too', async () => {
    const traced = (first: InternalCall[] | null, second: InternalCall[] | null) =>
      both('internalCalls', first, second).internalCalls(block());
    const forged = call({ path: '1', valueAtoms: 6n });
    expect(await traced([call(), forged], [call({ path: '0.1' })])).toEqual([call()]);
    expect(await traced([], [forged])).toEqual([]);
    expect(await traced([call({ payers: ['0xmerchant'] })], [call()])).toEqual([]);
    expect(await traced([call()], null)).toEqual([call()]);
    expect(await traced(null, [call()])).toEqual([call()]);
    expect(await traced(null, null)).toBeNull();
  });
});
