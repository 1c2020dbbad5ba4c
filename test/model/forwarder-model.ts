import fc from 'fast-check';
import {
  LIMIT,
  TOKEN_MODES,
  type TokenMode,
  WALLET_MODES,
  type WalletMode,
} from '../chain/forwarders/wild-contracts.js';

/** Addresses of a sequence: even ones pay an account, odd ones a contract. */
export const SLOTS = 4;
/** The coin, then two tokens. */
export const ASSETS = 3;
/** So much that no collection of the sequences fails for want of it. */
export const PLENTY = 5_000_000;
export const WAYS = ['plain', 'stipend', 'inner', 'destroy'] as const;

export type Op =
  | {
      readonly op: 'deposit';
      readonly asset: number;
      readonly slot: number;
      readonly amount: number;
      readonly way: (typeof WAYS)[number];
    }
  | {
      readonly op: 'collectAll';
      readonly asset: number;
      readonly destination: number;
      readonly slots: readonly number[];
      readonly gas: number;
    }
  | { readonly op: 'collectOne'; readonly asset: number; readonly slot: number; readonly most: number | null }
  | { readonly op: 'tokenMode'; readonly asset: number; readonly mode: TokenMode }
  | { readonly op: 'walletMode'; readonly mode: WalletMode }
  | { readonly op: 'freeze'; readonly asset: number; readonly slot: number; readonly frozen: boolean };

const asset = fc.nat(ASSETS - 1);
const tokenAsset = fc.integer({ min: 1, max: ASSETS - 1 });
const slot = fc.nat(SLOTS - 1);
const amount = fc.integer({ min: 1, max: 1_000 });

const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      op: fc.constant('deposit' as const),
      asset,
      slot,
      amount,
      way: fc.constantFrom(...WAYS),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('collectAll' as const),
      asset,
      destination: fc.nat(1),
      slots: fc.array(fc.nat(1), { maxLength: 4 }),
      // Also so little that it may end anywhere inside.
      gas: fc.oneof(
        { weight: 3, arbitrary: fc.constant(PLENTY) },
        { weight: 1, arbitrary: fc.integer({ min: 40_000, max: 700_000 }) },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('collectOne' as const),
      asset,
      slot,
      most: fc.option(fc.nat(1_000)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('tokenMode' as const),
      asset: tokenAsset,
      mode: fc.constantFrom(...TOKEN_MODES),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('walletMode' as const), mode: fc.constantFrom(...WALLET_MODES) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('freeze' as const),
      asset: tokenAsset,
      slot,
      frozen: fc.boolean(),
    }),
  },
);

export const sequences = fc.array(op, { minLength: 1, maxLength: 12 });

/** Which of a sequence's addresses pay a destination. */
export const slotsOf = (destination: number) => [destination, destination + 2];

/** What must lie where, from the rules of the tokens alone: it knows nothing of the contracts' code. */
export class ForwarderModel {
  readonly lies = Array.from({ length: ASSETS }, () => new Array<number>(SLOTS).fill(0));
  readonly paid = Array.from({ length: ASSETS }, () => [0, 0]);
  readonly fees = new Array<number>(ASSETS).fill(0);
  private readonly modes = new Array<TokenMode>(ASSETS).fill('plain');
  private walletMode: WalletMode = 'accepts';
  private readonly frozen = new Set<string>();
  private readonly deployed = new Set<number>();

  /**
   * @param succeeded what the chain said
   * @throws Error where it must have said the other
   */
  apply(op: Op, succeeded: boolean): void {
    // With little gas a batch may fail, but then wholly.
    const mayBeEither = op.op === 'collectAll' && op.gas < PLENTY;
    if (!mayBeEither && succeeded === this.isRefused(op))
      throw new Error(`${succeeded ? 'done, and must fail' : 'failed'}: ${JSON.stringify(op)}`);
    if (!succeeded) return;
    if (op.op === 'deposit') this.lies[op.asset]![op.slot]! += op.amount;
    else if (op.op === 'tokenMode') this.modes[op.asset] = op.mode;
    else if (op.op === 'walletMode') this.walletMode = op.mode;
    else if (op.op === 'freeze') this.frozen[op.frozen ? 'add' : 'delete'](`${op.asset} ${op.slot}`);
    else if (op.op === 'collectOne') this.collect(op.asset, op.slot, op.most ?? Infinity, true);
    else {
      for (const each of op.slots) {
        this.deployed.add(op.destination + 2 * each);
        this.collect(op.asset, op.destination + 2 * each, Infinity, false);
      }
    }
  }

  /** Who asks one address alone is told that its token, or the destination, refuses. */
  private isRefused(op: Op): boolean {
    return op.op === 'collectOne' && this.refuses(op.asset, op.slot, op.most ?? Infinity);
  }

  private refuses(asset: number, slot: number, most: number): boolean {
    const all = this.lies[asset]![slot]!;
    const amount = Math.min(all, most);
    if (!this.deployed.has(slot) || amount === 0) return false;
    if (this.frozen.has(`${asset} ${slot}`)) return true;
    switch (this.modeOf(asset, slot)) {
      case 'reverts':
      case 'refuses':
      case 'burnsAllGas':
        return true;
      case 'limit':
        return amount > LIMIT;
      case 'feeOnTop':
        return amount + feeOf(amount) > all;
      default:
        return false;
    }
  }

  private collect(asset: number, slot: number, most: number, direct: boolean): void {
    const all = this.lies[asset]![slot]!;
    const amount = Math.min(all, most);
    if (!this.deployed.has(slot) || amount === 0 || this.refuses(asset, slot, most)) return;
    const fee = feeOf(amount);
    switch (this.modeOf(asset, slot)) {
      case 'falseAndStays':
        return;
      case 'fee':
        return this.move(asset, slot, amount, fee);
      case 'feeOnTop':
        return this.move(asset, slot, amount + fee, fee);
      case 'reentersDeposit':
        return this.move(asset, slot, all);
      case 'reentersFactory':
        // Within a batch an address has less gas than another batch asks for.
        return direct ? this.moveAllOf(asset, slot) : this.move(asset, slot, amount);
      default:
        return this.move(asset, slot, amount);
    }
  }

  /** An account takes whatever comes. */
  private modeOf(asset: number, slot: number): TokenMode | WalletMode {
    if (asset > 0) return this.modes[asset]!;
    return slot % 2 === 0 ? 'plain' : this.walletMode;
  }

  private moveAllOf(asset: number, slot: number): void {
    for (const each of slotsOf(slot % 2)) {
      this.deployed.add(each);
      if (!this.frozen.has(`${asset} ${each}`)) this.move(asset, each, this.lies[asset]![each]!);
    }
  }

  private move(asset: number, slot: number, leaves: number, fee = 0): void {
    this.lies[asset]![slot]! -= leaves;
    this.paid[asset]![slot % 2]! += leaves - fee;
    this.fees[asset]! += fee;
  }
}

const feeOf = (amount: number) => Math.floor(amount / 10);
