import { type Address, encodeFunctionData, erc20Abi, type LocalAccount, parseGwei } from 'viem';
import { z } from 'zod';
import { textLike } from '../../../kernel/foreign-json.js';
import { type Hex, hexOf } from '../../../kernel/text/hex.js';
import { Patience } from '../../../platform/patience.js';
import { deploy } from '../local/evm/deploy.js';
import { forwarder } from '../local/evm/forwarder.js';
import type { Token } from '../local/evm/tokens.js';
import type { Miner } from '../local/miner.js';
import { OneAtATime } from '../local/one-at-a-time.js';
import { readRpc, rpc } from '../local/rpc.js';
import type { SandboxEvm } from '../sandbox-home.service.js';

const COIN_DECIMALS = 18;
/** Far more than a transfer needs, and a local chain asks nothing for it. */
const GAS = 200_000n;
const MAX_FEE = parseGwei('20');
const PRIORITY_FEE = parseGwei('1');
/** Blocks without a transaction that waits: each takes all that there are. */
const MOST_BLOCKS = 60;
/** Three minutes and more without a block: as long as a scenario may keep them from being mined. */
const PATIENCE = { everyMs: 100, looksInVain: 1_800 };
/** For an answer of the local node: on a machine with much else to do it takes seconds. */
const TIMEOUT_MS = 60_000;

const HEX = textLike<Hex>(/^0x[0-9a-fA-F]*$/, 'must be hexadecimal');
const BLOCK = z.object({ timestamp: HEX });
const RECEIPT = z.object({ status: HEX }).nullable();

export interface EvmPayment {
  readonly to: string;
  readonly asset: string;
  readonly atoms: bigint;
}

/** A transaction without nonce and fee. */
interface Call {
  readonly to: Address;
  readonly value?: bigint;
  readonly data?: Hex;
}

/** A buyer's account on a local EVM chain. */
export class EvmBuyer {
  private readonly sending = new OneAtATime();
  private readonly patience = new Patience(PATIENCE);

  /** @param miner absent outside the process that mines: nothing can be paused then */
  constructor(
    readonly chain: SandboxEvm,
    private readonly account: LocalAccount,
    private readonly miner: Miner | null = null,
  ) {}

  /** Symbols of all that can be paid with. */
  get assets(): readonly string[] {
    return [this.chain.coin, ...Object.keys(this.chain.tokens)];
  }

  /** @throws when the chain has no such asset */
  decimalsOf(asset: string): number {
    return asset === this.chain.coin ? COIN_DECIMALS : this.token(asset).decimals;
  }

  /** Sends, and waits for the block. @returns the transaction's hash */
  async pay(payment: EvmPayment): Promise<Hex> {
    return this.sendAndWait(this.callOf(payment));
  }

  /** The same by way of a contract that passes the coin on. */
  async payThroughContract({ to, atoms }: EvmPayment): Promise<Hex> {
    // In turn, like everything that is sent: a reorganisation that somebody plays would take the contract back, and
    // a call to an address without one succeeds and keeps the coin.
    const contract = await this.sending.run(() =>
      deploy(this.chain.rpcUrl, forwarder.bytecode, 'the forwarder'),
    );
    const args = [hexOf(to)] as const;
    const data = encodeFunctionData({ abi: forwarder.abi, functionName: 'forward', args });
    return this.sendAndWait({ to: contract, value: atoms, data });
  }

  /** Nobody else of this process sends meanwhile, and blocks come only when `work` asks for them. */
  whilePaused<Result>(work: () => Promise<Result>): Promise<Result> {
    const { miner } = this;
    if (!miner) throw new Error('Only the sandbox itself mines.');
    return this.sending.run(() =>
      miner.whilePaused(async () => {
        await this.mine(); // what others sent before is safe in a block that nobody touches
        return work();
      }),
    );
  }

  /** The payment with a nonce of one's own. @param feeFactor 3 replaces what waits with the same nonce */
  sign(payment: EvmPayment, nonce: number, feeFactor = 1n): Promise<Hex> {
    return this.signCall(this.callOf(payment), nonce, feeFactor);
  }

  /** Uses up a nonce and pays nobody, at a fee that replaces whatever waits with it. */
  signNothing(nonce: number): Promise<Hex> {
    return this.signCall({ to: this.account.address }, nonce, 3n);
  }

  nextNonce(): Promise<number> {
    return this.read(HEX, 'eth_getTransactionCount', this.account.address, 'pending').then(Number);
  }

  broadcast(signed: Hex): Promise<Hex> {
    return this.read(HEX, 'eth_sendRawTransaction', signed);
  }

  async mine(): Promise<void> {
    await this.call('evm_mine');
  }

  /**
   * Puts an empty block in the place of the last. Anvil forgets the transactions of the old one, and sets its clock back
   * to the block from which it goes on: after many of these a payment that is late would still be in time.
   */
  async dropLastBlock(): Promise<void> {
    await this.call('anvil_reorg', 1, []);
    const behindS = Math.floor((Date.now() - (await this.chainTime()).getTime()) / 1_000);
    if (behindS > 0) await this.call('evm_increaseTime', behindS);
  }

  /** Time of the latest block. */
  async chainTime(): Promise<Date> {
    const { timestamp } = await this.read(BLOCK, 'eth_getBlockByNumber', 'latest', false);
    return new Date(Number(timestamp) * 1_000);
  }

  private async sendAndWait(call: Call): Promise<Hex> {
    const hash = await this.sending.run(async () =>
      this.broadcast(await this.signCall(call, await this.nextNonce())),
    );
    const sentAt = await this.height();
    return this.patience.until<Hex>(
      async () => {
        const height = await this.height();
        const receipt = await this.read(RECEIPT, 'eth_getTransactionReceipt', hash);
        if (receipt?.status === '0x1') return { found: hash };
        if (receipt) throw new Error(`The transaction ${hash} failed. Does the buyer have that much?`);
        if (height - sentAt > MOST_BLOCKS)
          throw new Error(`${height - sentAt} blocks are without the transaction ${hash}.`);
        return { seen: String(height) };
      },
      (height) =>
        new Error(
          `The transaction ${hash} was not mined, and nothing is: block ${height} is still the last.`,
        ),
    );
  }

  private height(): Promise<number> {
    return this.read(HEX, 'eth_blockNumber').then(Number);
  }

  private callOf({ to, asset, atoms }: EvmPayment): Call {
    if (asset === this.chain.coin) return { to: hexOf(to), value: atoms };
    const args = [hexOf(to), atoms] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
    return { to: this.token(asset).address, data };
  }

  private signCall(call: Call, nonce: number, feeFactor = 1n): Promise<Hex> {
    return this.account.signTransaction({
      ...call,
      nonce,
      type: 'eip1559',
      chainId: this.chain.chainId,
      gas: GAS,
      maxFeePerGas: MAX_FEE * feeFactor,
      maxPriorityFeePerGas: PRIORITY_FEE * feeFactor,
    });
  }

  private token(asset: string): Token {
    const tokens: Readonly<Record<string, Token | undefined>> = this.chain.tokens;
    const token = tokens[asset];
    if (!token) throw new Error(`There is no ${asset} on this local chain.`);
    return token;
  }

  private call(method: string, ...params: unknown[]): Promise<unknown> {
    return rpc(this.chain.rpcUrl, method, params, TIMEOUT_MS);
  }

  private read<Schema extends z.ZodType>(schema: Schema, method: string, ...params: unknown[]) {
    return readRpc(schema, this.chain.rpcUrl, method, params, TIMEOUT_MS);
  }
}
