import { z } from 'zod';
import { formatDecimal, parseDecimal } from '../../../kernel/decimal.js';
import { listOf } from '../../../platform/outgoing/read-foreign.js';
import type { CoinMiner } from '../local/coins/coin-miner.js';
import { OneAtATime } from '../local/one-at-a-time.js';
import { readRpc, rpc } from '../local/rpc.js';
import type { SandboxCoin } from '../sandbox-home.service.js';

export const COIN_DECIMALS = 8;
/** For an answer of the local node: on a machine with much else to do it takes seconds. */
const TIMEOUT_MS = 60_000;
/** What a replacement pays more than the first: well above what nodes ask for a transaction of this size. */
const EXTRA_FEE_ATOMS = 100_000n;

const FUNDED = z.object({ hex: z.string(), fee: z.number() });
const DECODED = z.object({
  vin: listOf(z.object({ txid: z.string(), vout: z.number() })),
  vout: listOf(z.object({ value: z.number() })),
});
const SIGNED = z.object({ hex: z.string() });

export interface CoinPayment {
  readonly to: string;
  readonly atoms: bigint;
}

/** A payment whose inputs are known, so that another transaction can spend them too. */
export interface ReplaceablePayment {
  readonly txid: string;
  readonly inputs: readonly { readonly txid: string; readonly vout: number }[];
  readonly inputAtoms: bigint;
  readonly feeAtoms: bigint;
}

/** The buyer's wallet on a local Bitcoin-like node. */
export class CoinBuyer {
  private readonly sending = new OneAtATime();

  /** @param miner absent outside the process that mines: nothing can be paused then */
  constructor(
    private readonly coin: SandboxCoin,
    private readonly miner: CoinMiner | null = null,
  ) {}

  /** It is in the mempool when this returns, not yet in a block. @returns the transaction's id */
  pay({ to, atoms }: CoinPayment): Promise<string> {
    return this.sending.run(() => this.read(z.string(), 'sendtoaddress', to, coins(atoms)));
  }

  /** Nobody else of this process sends meanwhile, and blocks come only by `mine`. */
  whilePaused<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.sending.run(() => this.ownMiner().whilePaused(work));
  }

  /** @returns the hash of the block, which holds all that is in the mempool */
  mine(): Promise<string> {
    return this.ownMiner().mineNow();
  }

  /** An empty block takes the place of the last one, whose payments are back in the mempool. */
  async dropLastBlock(hash: string): Promise<void> {
    await rpc(this.coin.rpcUrl, 'invalidateblock', [hash], TIMEOUT_MS);
    await this.ownMiner().mineEmpty();
  }

  async payReplaceably({ to, atoms }: CoinPayment): Promise<ReplaceablePayment> {
    const draft = await this.read(z.string(), 'createrawtransaction', [], { [to]: coins(atoms) });
    const funded = await this.read(FUNDED, 'fundrawtransaction', draft, { replaceable: true });
    const { vin, vout } = await this.read(DECODED, 'decoderawtransaction', funded.hex);
    const feeAtoms = atomsOf(funded.fee);
    return {
      txid: await this.signAndSend(funded.hex),
      inputs: vin.map(({ txid, vout: index }) => ({ txid, vout: index })),
      inputAtoms: vout.reduce((sum, { value }) => sum + atomsOf(value), feeAtoms),
      feeAtoms,
    };
  }

  /** Spends the same coins with a higher fee: to the same payee, or back to the buyer where there is none. */
  async replace(first: ReplaceablePayment, payment: CoinPayment | null): Promise<string> {
    const feeAtoms = first.feeAtoms + EXTRA_FEE_ATOMS;
    const paid = payment?.atoms ?? 0n;
    const back = await this.read(z.string(), 'getnewaddress', '', 'bech32');
    const inputs = first.inputs.map((input) => ({ ...input, sequence: 0xfffffffd }));
    const draft = await this.read(z.string(), 'createrawtransaction', inputs, {
      ...(payment ? { [payment.to]: coins(payment.atoms) } : {}),
      [back]: coins(first.inputAtoms - paid - feeAtoms),
    });
    return this.signAndSend(draft);
  }

  private ownMiner(): CoinMiner {
    if (!this.miner) throw new Error('Only the sandbox itself mines.');
    return this.miner;
  }

  private async signAndSend(draft: string): Promise<string> {
    const { hex } = await this.read(SIGNED, 'signrawtransactionwithwallet', draft);
    return this.read(z.string(), 'sendrawtransaction', hex, 0);
  }

  private read<Schema extends z.ZodType>(schema: Schema, method: string, ...params: unknown[]) {
    return readRpc(schema, this.coin.buyerWalletUrl, method, params, TIMEOUT_MS);
  }
}

// As text: the node reads it to the last digit, and a JSON number would be a float on its way out of here.
const coins = (atoms: bigint): string => formatDecimal(atoms, COIN_DECIMALS);

/** Exact for every amount of a regtest chain: eight decimals of fewer than 90 million coins fit into a double. */
function atomsOf(value: number): bigint {
  return parseDecimal(value.toFixed(COIN_DECIMALS), COIN_DECIMALS) ?? 0n;
}
