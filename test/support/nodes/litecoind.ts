import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoreRpc } from '../../../src/modules/chains/bitcoin/core-rpc.js';
import { type Coin, nodeProgram, startNode } from '../../../src/modules/sandbox/local/coins/litecoind.js';
import { describeWith, type Tool } from '../run/tools.js';

/** A regtest Bitcoin Core of somebody's own, for the same suite. Its chain is used up by it. */
const GIVEN = process.env.BITCOIN_RPC_URL;
const MATURE_BLOCKS = 110;
/** In coins: for the fees, and for another transaction with the same input that pays more. */
const ROOM = 1;
const ANY_CONFIRMATIONS = 9_999_999;

export const TEST_COIN: Coin = GIVEN === undefined ? 'litecoin' : 'bitcoin';

type Needs = 'any-node' | 'own-nodes';

export const nodeTool = (needs: Needs): Tool => ({
  isFound: nodeProgram('litecoin') !== undefined || (GIVEN !== undefined && needs === 'any-node'),
  missing:
    'There is no litecoind on the PATH, so Bitcoin and Litecoin are NOT tested here ' +
    '(apt-get install litecoind, or set BITCOIN_RPC_URL to a regtest Bitcoin Core).',
  // Whoever names a node of their own has their way.
  mayLackInCi: GIVEN !== undefined,
});

export const describeOnNode = (needs: Needs = 'any-node'): jest.Describe => describeWith(nodeTool(needs));

export interface Sent {
  readonly txid: string;
  /** The input that it spends, so that another transaction can spend it too. */
  readonly input: { readonly txid: string; readonly vout: number };
  readonly inputValue: string;
}

interface Unspent {
  readonly txid: string;
  readonly vout: number;
  readonly amount: number;
}

/** For wallets' methods, whose answers the service never reads: `T` is what the caller knows the method to answer. */
class TestRpc extends CoreRpc {
  override async call<T = unknown>(method: string, ...params: readonly unknown[]): Promise<T> {
    return (await super.call(method, ...params)) as T;
  }
}

/** A real node with a funded wallet, which plays buyer and miner. It mines only when it is told to. */
export class TestNode {
  private constructor(
    readonly rpcUrl: string,
    readonly peer: string,
    readonly rpc: TestRpc,
    readonly wallet: TestRpc,
    private readonly dispose: () => Promise<void>,
  ) {}

  static async start({ funded = true, own = false } = {}): Promise<TestNode> {
    if (GIVEN !== undefined && !own) {
      const node = await TestNode.connect(GIVEN, '', () => Promise.resolve());
      if (funded) await node.mine(MATURE_BLOCKS);
      return node;
    }
    const dataDir = mkdtempSync(join(tmpdir(), 'rappen-node-'));
    const { rpcUrl, peer, stop } = await startNode({ coin: 'litecoin', dataDir });
    const dispose = async () => {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    };
    try {
      const node = await TestNode.connect(rpcUrl, peer, dispose);
      if (funded) await node.mature();
      return node;
    } catch (error) {
      await dispose();
      throw error;
    }
  }

  private static async connect(rpcUrl: string, peer: string, dispose: () => Promise<void>) {
    const rpc = new TestRpc(rpcUrl);
    const name = `test-${process.pid}-${Math.floor(performance.now())}`;
    await rpc.call('createwallet', name);
    const wallet = new TestRpc(`${rpcUrl.replace(/\/$/, '')}/wallet/${name}`);
    return new TestNode(rpcUrl, peer, rpc, wallet, dispose);
  }

  stop(): Promise<void> {
    return this.dispose();
  }

  /**
   * Blocks that are mined at once run ahead of the clock, a second for every six of them, and a header is later than the median
   * of those before it: all but the last are of an hour ago.
   */
  private async mature(): Promise<void> {
    await this.at(Date.now() - 3_600_000, () => this.mine(MATURE_BLOCKS - 1));
    await this.mine();
  }

  /** With the node's clock standing still at that time. */
  async at<Made>(ms: number, work: () => Promise<Made>): Promise<Made> {
    await this.rpc.call('setmocktime', Math.floor(ms / 1_000));
    try {
      return await work();
    } finally {
      await this.rpc.call('setmocktime', 0);
    }
  }

  /** To an address of its own each time: the same miner in the same second would make the same block twice. */
  async mine(blocks = 1): Promise<string[]> {
    return this.wallet.call('generatetoaddress', blocks, await this.newAddress());
  }

  newAddress(): Promise<string> {
    return this.wallet.call('getnewaddress', '', 'bech32');
  }

  /** Spends one coin of the wallet that may be spent again; the rest, less the fee, goes back to it. */
  async send(payments: Readonly<Record<string, string>>): Promise<Sent> {
    const paid = Object.values(payments).reduce((sum, amount) => sum + Number(amount), 0);
    // One that is enough: a wallet that has mined a thousand blocks takes a second to list them all.
    const enough = { minimumAmount: paid + ROOM, maximumCount: 1 };
    const [coin] = await this.wallet.call<Unspent[]>('listunspent', 1, ANY_CONFIRMATIONS, [], true, enough);
    if (!coin) throw new Error(`the test wallet has no coin of ${enough.minimumAmount}`);
    const input = { txid: coin.txid, vout: coin.vout };
    const inputValue = coin.amount.toFixed(8);
    return { txid: await this.spend({ input, inputValue }, payments, '0.001'), input, inputValue };
  }

  /** Another transaction with the same input: it must pay more than the one that it replaces. */
  async spend(
    coin: Pick<Sent, 'input' | 'inputValue'>,
    payments: Readonly<Record<string, string>>,
    fee: string,
  ): Promise<string> {
    const hex = await this.sign(coin, payments, fee);
    return this.rpc.call('sendrawtransaction', hex, 0);
  }

  async sign(
    { input, inputValue }: Pick<Sent, 'input' | 'inputValue'>,
    payments: Readonly<Record<string, string>>,
    fee: string,
  ): Promise<string> {
    const paid = Object.values(payments).reduce((sum, amount) => sum + atoms(amount), 0n);
    const change = atoms(inputValue) - paid - atoms(fee);
    const outputs = { ...payments, [await this.newAddress()]: coins(change) };
    const replaceable = { ...input, sequence: 0xfffffffd };
    const raw = await this.wallet.call<string>('createrawtransaction', [replaceable], outputs);
    const signed = await this.wallet.call<{ hex: string; complete: boolean; errors?: unknown }>(
      'signrawtransactionwithwallet',
      raw,
    );
    if (!signed.complete) throw new Error(`not signed: ${JSON.stringify(signed.errors)}`);
    return signed.hex;
  }

  height(): Promise<number> {
    return this.rpc.call('getblockcount');
  }
}

const atoms = (amount: string): bigint => {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(8, '0'));
};
const coins = (value: bigint): string => {
  const digits = value.toString().padStart(9, '0');
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`;
};
