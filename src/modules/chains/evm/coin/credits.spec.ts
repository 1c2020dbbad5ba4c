import { type Hex, pad, toHex } from 'viem';
import type { EvmBlock, EvmLog, EvmReceipt } from '../node/evm-node.types.js';
import { TRANSFER_TOPIC } from '../node/transfer-topic.js';
import { candidates, credits, evmAssets, parties, tokensPaidOut } from './credits.js';

const OURS: Hex = '0x9858effd232b4033e47d90003d41ec34ecaeda94';
const THEIRS: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const USDC: Hex = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const NONE = new Set<string>();
const owners = new Map([[OURS, 'pi_1']]);
const assets = evmAssets([
  { symbol: 'ETH', decimals: 18, contract: null, dustAtoms: 0n },
  { symbol: 'USDC', decimals: 6, contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', dustAtoms: 0n },
]);

function log(index: number, changes: Partial<EvmLog> & { to?: Hex; atoms?: bigint } = {}): EvmLog {
  const { to = OURS, atoms = 5n, ...rest } = changes;
  const topics = [TRANSFER_TOPIC, pad(THEIRS), pad(to)];
  return { contract: USDC, topics, data: pad(toHex(atoms)), txid: '0xt', blockHash: '0xb', index, ...rest };
}

function block(to: string | null, valueAtoms: bigint): EvmBlock {
  const transaction = { txid: '0xt', sender: THEIRS, nonce: 7, to, valueAtoms };
  const header = { height: 9, hash: '0xb', parentHash: '0xa', time: new Date(0) };
  return { ...header, logsBloom: '0x', transactions: [transaction], listed: [transaction] };
}

function receipt(logs: EvmLog[], changes: Partial<EvmReceipt> = {}): EvmReceipt {
  return { txid: '0xt', blockHash: '0xb', succeeded: true, feeAtoms: 0n, logs, ...changes };
}

const found = (of: EvmBlock, answer: EvmReceipt) =>
  credits({ block: of, transaction: of.transactions[0]! }, answer, assets, owners).map(
    ({ output, asset, amountAtoms }) => ({ output, asset, amountAtoms }),
  );

describe('credits', () => {
  it('credits coin and token of one transaction apart, each log by its position in the transaction', () => {
    const logs = [log(40, { to: THEIRS }), log(41), log(42, { atoms: 6n })];
    expect(found(block(OURS, 3n), receipt(logs))).toEqual([
      { output: 'native', asset: 'ETH', amountAtoms: 3n },
      { output: 'log:1', asset: 'USDC', amountAtoms: 5n },
      { output: 'log:2', asset: 'USDC', amountAtoms: 6n },
    ]);
  });

  it('credits nothing of a failed transaction', () => {
    expect(found(block(OURS, 3n), receipt([], { succeeded: false }))).toEqual([]);
  });

  it('ignores zero, other contracts, and the ERC-721 event of the same name', () => {
    const nft = log(2, { topics: [...log(2).topics, pad(toHex(1n))], data: '0x' });
    const logs = [log(0, { atoms: 0n }), log(1, { contract: THEIRS }), nft];
    expect(found(block(THEIRS, 0n), receipt(logs))).toEqual([]);
  });

  it('credits nothing that an address sends to itself', () => {
    const own = block(THEIRS, 3n);
    const toSelf = {
      ...own,
      transactions: own.transactions.map((tx) => ({ ...tx, sender: OURS, to: OURS })),
    };
    expect(found(toSelf, receipt([]))).toEqual([]);
  });

  it('refuses a receipt of another block', () => {
    expect(() => found(block(OURS, 3n), receipt([], { blockHash: '0xc' }))).toThrow('another block');
  });
});

describe('candidates', () => {
  it('are asked for each party once, never for the creation of a contract or a call without value', () => {
    const blocks = [block(OURS, 3n), block(null, 4n), block(THEIRS, 0n)];
    expect(parties(blocks, [log(0), log(1)], assets)).toEqual([OURS, THEIRS]);
  });

  it('take a log whose transaction its block does not list, without a sender', () => {
    const found = candidates([block(THEIRS, 3n)], [log(0, { txid: '0xother' })], assets, owners, NONE);
    expect(found).toMatchObject([
      { block: { hash: '0xb' }, transaction: { txid: '0xother', sender: null, nonce: null, valueAtoms: 0n } },
    ]);
  });

  it('refuse a log of a block that is not among these', () => {
    const elsewhere = log(0, { txid: '0xother', blockHash: '0xc' });
    expect(() => candidates([block(OURS, 3n)], [elsewhere], assets, owners, NONE)).toThrow('0xother');
  });
});

describe('tokens that deposit addresses paid out', () => {
  const forwarders = new Set<string>([THEIRS]);
  const paidOut = (answer: EvmReceipt) => {
    const of = block(USDC, 0n);
    const candidate = { block: of, transaction: of.transactions[0]! };
    return tokensPaidOut(candidate, answer, assets, forwarders).map(
      ({ output, asset, address, amountAtoms }) => {
        return [output, asset, address, amountAtoms];
      },
    );
  };

  it('are the logs of listed tokens with one of them as sender, wherever they went', () => {
    const elsewhere = log(3, { topics: [TRANSFER_TOPIC, pad(OURS), pad(THEIRS)] });
    const logs = [log(0), log(1, { to: USDC, atoms: 6n }), log(2, { atoms: 0n }), elsewhere];
    expect(paidOut(receipt([...logs, log(4, { contract: OURS })]))).toEqual([
      ['log:0', 'USDC', THEIRS, 5n],
      ['log:1', 'USDC', THEIRS, 6n],
    ]);
  });

  it('are none of a transaction that failed', () => {
    expect(paidOut(receipt([log(0)], { succeeded: false }))).toEqual([]);
  });

  it('have their receipts read, also where nobody of ours is paid', () => {
    const logs = [log(0, { to: USDC })];
    const found = candidates([block(USDC, 0n)], logs, assets, owners, forwarders);
    expect(found.map(({ transaction }) => transaction.txid)).toEqual(['0xt']);
    expect(candidates([block(USDC, 0n)], logs, assets, owners, NONE)).toEqual([]);
  });
});
