import type { NetworkConfig } from '../../../config/config.types.js';
import type { BitcoinBlock, BitcoinNode } from '../bitcoin/bitcoin-node.types.js';
import { payersIn, paymentsIn } from '../bitcoin/payments.js';
import type { LedgerRepository } from '../data/ledger.repository.js';
import { type BitcoinNetwork, bitcoinNetwork } from '../domain/bitcoin-network.js';
import { mustBeItsChain } from '../watching/identity.js';
import { agreedBlockOf } from './agreed-block.js';
import { type Movement, unequalMovements } from './compare.js';
import type { ReconciliationRepository } from './data/reconciliation.repository.js';
import { merged } from './differences.js';
import { firstBlockAt } from './first-block.js';
import { KeptBlocks } from './kept-blocks.js';
import type { Pace } from './pace.js';
import type { AgreedBlock, Difference, Found, Part, Position, Reconciler } from './reconciliation.types.js';
import { type UnissuedAddress, unissuedAddresses } from './unissued.js';
import type { UnspentOutputs } from './unspent-outputs.js';

/** A part of a round: on a busy chain, half a minute at one block a second. */
const BLOCKS_AT_ONCE = 20;
/** Read together: on a busy chain up to 40 MB of JSON. */
const READ_AT_ONCE = 4;
const KEYS_AT_ONCE = 1_000;
const ADDRESSES_AT_ONCE = 10_000;

/**
 * What ever arrived is read from the blocks since the first address was issued; what is held, from the node's set of
 * unspent outputs, where it offers that.
 */
export class BitcoinReconciler implements Reconciler {
  private readonly bitcoin: BitcoinNetwork;
  private readonly kept: KeptBlocks;

  constructor(
    private readonly network: NetworkConfig,
    private readonly node: BitcoinNode,
    private readonly unspent: UnspentOutputs,
    private readonly pace: Pace,
    private readonly ledger: LedgerRepository,
    private readonly repository: ReconciliationRepository,
  ) {
    this.bitcoin = bitcoinNetwork(network);
    this.kept = new KeptBlocks(node, pace);
  }

  get requests(): number {
    return this.pace.requests;
  }

  /** As deep as the deepest settlement: what any payment here may have settled on. */
  async agreedBlock(): Promise<AgreedBlock | null> {
    const cursor = await this.ledger.cursor(this.network.id);
    if (!cursor) return null;
    const depths = this.network.settlementDepths.filter((depth) => typeof depth === 'number');
    const height = cursor.height - Math.max(...depths, 1) + 1;
    if (height < 0) return null;
    const tip = await this.node.tip(this.bitcoin.prefix);
    mustBeItsChain(this.network, { ...tip, chainId: null }, cursor);
    return agreedBlockOf(this.ledger, this.network.id, height, await this.node.header(height), false);
  }

  async part(at: AgreedBlock, position: Position, signal?: AbortSignal): Promise<Part> {
    if (position?.['height'] !== undefined) return this.blocks(at, Number(position['height']), signal);
    const after = Number(position?.['after'] ?? -1);
    // Of a cursor that was set back since: what stands there now was never read.
    return this.held(at, after <= at.height ? after : -1, signal);
  }

  /** A round is by blocks here, and the set of unspent outputs is looked through once in each. */
  async *recent(): AsyncGenerator<Part> {}

  async explain(at: AgreedBlock, differences: readonly Difference[]): Promise<Found> {
    const heights = new Set(
      differences
        .filter(({ kind, height }) => kind === 'unrecorded' && height <= at.height)
        .map((one) => one.height),
    );
    const transfers: Found['transfers'][number][] = [];
    const spends = new Map<string, readonly string[]>();
    const failures: unknown[] = [];
    const payersOf = payersIn(this.bitcoin.prefix);
    for (const height of heights) {
      const paid = await this.kept
        .read(height, height)
        .then((blocks) => this.paid(blocks ?? []))
        .catch((error: unknown) => void failures.push(error));
      for (const { block, payment, subject } of paid ?? []) {
        const { transaction, output, address, amountAtoms } = payment;
        const { hash, time } = block;
        spends.set(transaction.txid, transaction.spends);
        transfers.push({
          txid: transaction.txid,
          output,
          asset: this.bitcoin.asset,
          address,
          subject,
          amountAtoms,
          block: { height, hash, time },
          sender: null,
          nonce: null,
          payers: payersOf(transaction),
        });
      }
    }
    return { transfers, spends, collections: 0, failures };
  }

  /**
   * What is held now, of all addresses at once: a node looks through its whole set however few are asked for.
   * @param after the block up to which an earlier round has come; -1 before all of them
   */
  private async held(at: AgreedBlock, after: number, signal?: AbortSignal): Promise<Part> {
    const { family } = this.network;
    const { addresses, sinceMs } = await this.repository.issued(family);
    const timeOf = async (height: number) => {
      await this.pace.turn(signal);
      return (await this.node.header(height))?.time ?? null;
    };
    const first = sinceMs === null ? null : await firstBlockAt(timeOf, at.height, sinceMs);
    const height = first === null ? null : Math.max(first, after + 1);
    const next = height === null || height > at.height ? null : { height };
    const unissued = await this.unissued();
    const named = await this.repository.named(
      family,
      unissued.map(({ address }) => address),
    );
    const looked: string[] = [];
    const differences: Difference[] = [];
    const incomparable: Record<string, number> = {};
    const owned = new Map(unissued.map((one) => [one.address, one]));
    for await (const asked of this.asked(unissued.map(({ address }) => address))) {
      await this.pace.turn(signal);
      const outputs = await this.unspent.of(asked, signal);
      if (!outputs) {
        incomparable['unspent outputs'] = (incomparable['unspent outputs'] ?? 0) + asked.length;
        continue;
      }
      looked.push(...asked.filter((address) => owned.has(address)));
      const final = outputs.filter(({ height }) => height <= at.height);
      const found = final.filter(({ address }) => !owned.has(address));
      const recorded = await this.repository.recorded(this.network.id, family, [
        ...new Set(found.map(({ address }) => address)),
      ]);
      const written = new Set(recorded.map(({ txid, output }) => `${txid} ${output}`));
      for (const { address, txid, output, height, amountAtoms } of final) {
        if (written.has(`${txid} ${output}`) || named.has(address)) continue;
        const key = owned.get(address)?.key ?? null;
        const kind = key ? 'unissued' : 'unrecorded';
        differences.push(this.difference(kind, { address, txid, height, chainAtoms: amountAtoms }, key));
      }
    }
    return {
      compared: addresses,
      incomparable,
      differences: merged(await this.credited(differences)),
      covered: { addresses: looked, heights: null, balances: null },
      next,
      ...(after >= 0 ? { comparedTo: after } : {}),
    };
  }

  /** Newly mined coins are unspent outputs too, and are not credited. */
  private async credited(differences: readonly Difference[]): Promise<Difference[]> {
    const heights = new Set(differences.filter(({ kind }) => kind === 'unrecorded').map((one) => one.height));
    const credited = new Set<string>();
    const pruned = new Set<number>();
    for (const height of heights) {
      const blocks = await this.kept.read(height, height);
      if (!blocks) pruned.add(height);
      for (const { payment } of await this.paid(blocks ?? [])) credited.add(payment.transaction.txid);
    }
    // Where nobody can tell any more whether it was mined, it is money that the ledger does not know.
    return differences.filter(
      ({ kind, txids, height }) =>
        kind !== 'unrecorded' || pruned.has(height) || txids.some((txid) => credited.has(txid)),
    );
  }

  private async blocks(agreed: AgreedBlock, from: number, signal?: AbortSignal): Promise<Part> {
    let to = Math.min(agreed.height, from + BLOCKS_AT_ONCE - 1);
    let following = to + 1;
    const chain: Movement[] = [];
    for (let at = from; at <= to; at += READ_AT_ONCE) {
      const upTo = Math.min(to, at + READ_AT_ONCE - 1);
      const blocks = await this.kept.read(at, upTo, signal);
      if (!blocks) {
        to = at - 1;
        following = await this.kept.first(at, agreed.height, signal);
        break;
      }
      for (const { block, payment } of await this.paid(blocks)) {
        const { address, transaction, amountAtoms: atoms } = payment;
        const { height } = block;
        chain.push({ address, asset: this.bitcoin.asset, txid: transaction.txid, height, atoms });
      }
    }
    const recorded = await this.repository.recordedIn(this.network.id, from, to);
    const differences = unequalMovements(chain, recorded).map(({ txid, ...one }) =>
      this.difference(one.chainAtoms > one.recordedAtoms ? 'unrecorded' : 'missing', { ...one, txid }, null),
    );
    const covered = { addresses: null, heights: { from, to }, balances: null };
    const pruned = following - to - 1;
    return {
      compared: 0,
      differences: merged(differences),
      covered,
      incomparable: pruned > 0 ? { 'blocks that the node has pruned': pruned } : {},
      ...(following > agreed.height
        ? { next: null, comparedTo: agreed.height }
        : { next: { height: following } }),
    };
  }

  /** What these blocks pay to addresses of ours; newly mined coins are not credited. */
  private async paid(blocks: readonly BitcoinBlock[]) {
    const payments = blocks.flatMap((block) => {
      const credited = block.transactions.filter(({ isCoinbase }) => !isCoinbase);
      return paymentsIn(this.bitcoin.prefix, credited).map((payment) => ({ block, payment }));
    });
    const addresses = new Set(payments.map(({ payment }) => payment.address));
    const owners = await this.ledger.owners(this.network.family, [...addresses]);
    return payments.flatMap(({ block, payment }) => {
      const subject = owners.get(payment.address);
      return subject === undefined ? [] : [{ block, payment, subject }];
    });
  }

  private async unissued(): Promise<UnissuedAddress[]> {
    const derived: UnissuedAddress[] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      const keys = await this.repository.unissued(this.bitcoin.family, after, KEYS_AT_ONCE);
      derived.push(...(await unissuedAddresses(this.bitcoin, keys)));
      after = keys.length === KEYS_AT_ONCE ? keys.at(-1)?.id : undefined;
    }
    return derived;
  }

  /** Issued addresses, and these others, in parts that one question may have. */
  private async *asked(others: readonly string[]): AsyncGenerator<readonly string[]> {
    for (let at = 0; at < others.length; at += ADDRESSES_AT_ONCE)
      yield others.slice(at, at + ADDRESSES_AT_ONCE);
    for (let after: { at: string; address: string } | null = null; ;) {
      const issued = await this.repository.addresses(this.network.family, after, ADDRESSES_AT_ONCE);
      after = issued.at(-1) ?? null;
      if (!after) return;
      yield issued.map(({ address }) => address);
    }
  }

  private difference(
    kind: 'unrecorded' | 'missing' | 'unissued',
    about: Pick<Difference, 'address' | 'chainAtoms' | 'height'> & {
      readonly txid: string;
      readonly recordedAtoms?: bigint;
    },
    key: Difference['key'],
  ): Difference {
    const { txid, recordedAtoms = 0n, ...rest } = about;
    return {
      ...rest,
      recordedAtoms,
      network: this.network.id,
      asset: this.bitcoin.asset,
      kind,
      txids: [txid],
      key,
    };
  }
}
