import type {
  EvmBlock,
  EvmNode,
  EvmTransaction,
  InternalCall,
  MinedTransaction,
} from '../node/evm-node.types.js';
import { type Account, walkBlocks, type WalkTerms } from './walked-blocks.js';

const OURS = '0xaaaa';
const FEE = 21_000n;
const HASH = '0xb101';
const SENT: EvmTransaction = { txid: '0xt', sender: OURS, nonce: 0, to: '0xowner', valueAtoms: 500_000n };
const call = (valueAtoms: bigint): InternalCall => ({
  txid: '0xcall',
  path: '0',
  payers: ['0xbuyer'],
  to: OURS,
  valueAtoms,
});

interface Situation {
  /** Before and after the block. */
  readonly held: readonly [bigint, bigint];
  readonly sent?: readonly EvmTransaction[];
  readonly calls?: readonly InternalCall[] | null;
  readonly receipt?: {
    readonly succeeded?: boolean;
    readonly feeAtoms?: bigint;
    readonly blockHash?: string;
  };
}

async function walked({ held: [before, after], sent = [], calls = null, receipt = {} }: Situation) {
  const block: EvmBlock = {
    height: 101,
    hash: HASH,
    parentHash: '0xb100',
    time: new Date(0),
    logsBloom: '0x',
    transactions: sent,
    listed: sent,
  };
  const answer = (txid: string) => ({
    txid,
    blockHash: HASH,
    succeeded: true,
    feeAtoms: FEE,
    logs: [],
    ...receipt,
  });
  const node = {
    internalCalls: () => Promise.resolve(calls),
    receipts: (of: MinedTransaction[]) => Promise.resolve(of.map(({ txid }) => answer(txid))),
  } as unknown as EvmNode;
  const account: Account = {
    address: OURS,
    subject: 'pi_1',
    sinceHeight: 90,
    knownAtoms: before,
    baselineAtoms: 0n,
  };
  async function* stretches() {
    yield await Promise.resolve({
      upTo: block,
      blocks: [{ block, told: [after] }],
      collected: [],
      isCutShort: false,
    });
  }
  const terms: WalkTerms = {
    movements: [],
    isOver: () => false,
    isNamed: true,
    sure: (_, told) => Promise.resolve(told),
    receipts: (of) => node.receipts(of),
  };
  const { transfers, baselines, contradicted } = await walkBlocks(node, 'ETH', [account], stretches(), terms);
  const credited = transfers.map(({ output, amountAtoms }) => [output.split(':')[0], amountAtoms]);
  return { credited, contradicted: contradicted.length, baseline: baselines.at(-1)?.unexplainedAtoms };
}

describe('what a block credits an address', () => {
  it('is what came in while its owner moved coin away, by its balance, its values and its fees', async () => {
    const held = [1_000_000n, 1_000_000n - SENT.valueAtoms - FEE + 70_000n] as const;
    expect(await walked({ held, sent: [SENT] })).toMatchObject({ credited: [['balance', 70_000n]] });
    expect(await walked({ held, sent: [SENT], calls: [call(70_000n)] })).toEqual({
      credited: [['call', 70_000n]],
      contradicted: 0,
      baseline: -SENT.valueAtoms - FEE,
    });
    expect(await walked({ held, sent: [SENT], calls: [call(60_000n)] })).toMatchObject({
      credited: [
        ['call', 60_000n],
        ['balance', 10_000n],
      ],
    });
  });

  it('is less than a fee only by a trace', async () => {
    const held = [1_000_000n, 1_000_000n - SENT.valueAtoms - FEE + 13n] as const;
    expect(await walked({ held, sent: [SENT], calls: [call(13n)] })).toMatchObject({
      credited: [['call', 13n]],
    });
    expect(await walked({ held, sent: [SENT] })).toMatchObject({ credited: [] });
  });

  it('is never what a trace alone says, of an address whose owner sweeps it', async () => {
    const held = [1_000_000n, 1_000_000n - SENT.valueAtoms - FEE] as const;
    const forged = { held, sent: [SENT], calls: [call(10n ** 21n)] };
    expect(await walked(forged)).toMatchObject({ credited: [], contradicted: 1 });
  });

  it("is never what a trace alone says, of an address that somebody else's transaction is said to be of", async () => {
    const token = { ...SENT, to: '0xusdc', valueAtoms: 0n };
    const forged = { held: [0n, 0n] as const, sent: [token], calls: [call(5n * 10n ** 18n)] };
    expect(await walked(forged)).toMatchObject({ credited: [], contradicted: 1 });
  });

  it('is no fee of a transaction of another block', async () => {
    const situation = {
      held: [0n, 5n] as const,
      sent: [SENT],
      receipt: { blockHash: '0xother', feeAtoms: 10n ** 18n },
    };
    await expect(walked(situation)).rejects.toThrow('of another block');
  });

  it('is nothing of what it sends to itself, nor of what failed, but for the fee', async () => {
    const held = [1_000_000n, 1_000_000n - FEE] as const;
    expect(await walked({ held, sent: [{ ...SENT, to: OURS }], calls: [] })).toMatchObject({ credited: [] });
    expect(await walked({ held, sent: [SENT], calls: [], receipt: { succeeded: false } })).toMatchObject({
      credited: [],
    });
  });
});
