import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail, type By } from '../../../database/by.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { fieldsOf } from '../../../kernel/error-fields.js';
import { isId, newId } from '../../../kernel/ids.js';
import { ChainsService } from '../../chains/chains.service.js';
import { OutgoingService } from '../../chains/outgoing.service.js';
import type { FoundPayment, Searched, SoughtPayment } from '../../chains/outgoing.types.js';
import { StatusWriter, type Locked } from '../lifecycle/status-writer.js';
import { RefundRequests } from '../checkout/data/refund-requests.repository.js';
import { presentRequest } from '../checkout/domain/refund-request.js';
import { IntentRows } from '../data/intents.repository.js';
import type { RefundProposal, RefundChange, RefundOnChain, WantedRefund } from '../refunds.types.js';
import { Refunds, type RefundRow } from '../unsettled/data/refunds.repository.js';
import { Reviews } from '../unsettled/data/reviews.repository.js';
import { UnsettledMoneyRows } from '../unsettled/data/unsettled-money.repository.js';
import { ReviewQueue } from '../unsettled/review-queue.js';
import { readTxid } from './domain/refund-txid.js';
import { RefundClaims } from './refund-claims.js';

const MAX_LISTED = 200;
/** A decision is kept for ever: a paragraph of reasons, not a file. */
const MAX_NOTE = 1000;
/** Longer than any address; more is not read. */
const MAX_ADDRESS_LENGTH = 100;
/** A reorganisation that gives up a block seldom begins right there. */
const SEARCHED_AGAIN = 100;

/**
 * Money that goes back to a buyer from the merchant's own wallet: asked for here, paid there, found on the chain. Nothing
 * here sends anything.
 */
@Injectable()
export class RefundsService {
  private readonly logger = new Logger(RefundsService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: IntentRows,
    private readonly requests: RefundRequests,
    private readonly refunds: Refunds,
    private readonly reviews: Reviews,
    private readonly money: UnsettledMoneyRows,
    private readonly claims: RefundClaims,
    private readonly queue: ReviewQueue,
    private readonly writer: StatusWriter,
    private readonly chains: ChainsService,
    private readonly outgoing: OutgoingService,
    private readonly trail: AuditTrail,
  ) {}

  /** The latest first, at most 200. @param merchantId `null` for everybody's */
  list(merchantId: string | null): Promise<RefundOnChain[]> {
    return this.refunds.list(merchantId, MAX_LISTED);
  }

  /** Oldest first. */
  ofIntent(intentId: string): Promise<RefundOnChain[]> {
    return this.refunds.ofIntent(intentId);
  }

  /** @throws DomainError `not-found`, also for another merchant's */
  async get(merchantId: string | null, id: string): Promise<RefundOnChain> {
    const found = isId('rf', id) ? await this.refunds.find(id) : null;
    if (!found || (merchantId !== null && found.merchantId !== merchantId)) throw noRefund(id);
    return found;
  }

  /** @throws DomainError `not-found`, also for another merchant's */
  async proposal(merchantId: string, intentId: string): Promise<RefundProposal> {
    const found = isId('pi', intentId) ? await this.rows.find(intentId) : null;
    if (found?.intent.merchantId !== merchantId) throw noRefund(intentId);
    const requests = await this.requests.of([intentId]);
    const latest = requests.at(-1);
    return {
      refundable: await this.money.refundable(this.dataSource, intentId),
      seen: (await this.reviews.find(intentId))?.transfers ?? [],
      request: latest ? presentRequest(latest, this.chains) : null,
    };
  }

  /**
   * Decides to send money back. It cannot be refunded or accepted otherwise until it is final or withdrawn.
   * @throws DomainError `intent-not-found`, `not-found`, `validation-error` with the field that is wrong
   */
  async ask(
    merchantId: string | null,
    intentId: string,
    wanted: WantedRefund,
    by: By,
  ): Promise<RefundOnChain> {
    const note = wanted.note.trim();
    if (note === '' || note.length > MAX_NOTE)
      throw wrong('note', `Say why, in at most ${MAX_NOTE} characters.`);
    const id = newId('rf');
    await this.writer.within(intentId, async (tx, { intent, quotes }) => {
      if (merchantId !== null && intent.merchantId !== merchantId) throw noRefund(intentId);
      const open = (await this.reviews.find(intentId, tx))?.transfers ?? [];
      if (wanted.seen?.some((one) => !open.includes(one)))
        throw new DomainError('conflict', 'conflict', 'The entry has changed since you looked. Look again.');
      const told = { ...wanted, txid: null };
      const { of, atoms, transfers } = await this.claims.claim(tx, intentId, told, wanted.seen);
      const { network, asset, decimals } = of;
      const paidTo = quotes.map((quote) => quote.address);
      const address = await this.addressOf(tx, { ...wanted, network, merchantId: intent.merchantId, paidTo });
      const askedHeight = await this.outgoing.height(network, tx);
      if (askedHeight === null)
        throw wrong('asset', `The node of ${network} has not answered yet, so nothing could be found there.`);
      const amount = wanted.amount.trim();
      await this.refunds.add(tx, {
        ...{ id, intentId, merchantId: intent.merchantId, network, asset, decimals, atoms, amount },
        ...{ address, transfers, actor: by.name, note, askedHeight },
      });
      const detail = { refund: id, amount: `${amount} ${asset}`, network, address, note };
      await by.record(tx, {
        merchantId: intent.merchantId,
        action: 'refund.asked',
        subject: intentId,
        detail,
      });
    });
    return this.get(null, id);
  }

  /**
   * Names the transaction that pays it; the chain decides whether it does.
   * @throws DomainError `not-found`, `validation-error`, `conflict` once a block holds it or it was withdrawn
   */
  async send({ merchantId, id, by }: RefundChange, typed: string): Promise<RefundOnChain> {
    const { network } = await this.get(merchantId, id);
    const txid = readTxid(this.chains.network(network)?.family ?? 'evm', typed);
    if (txid === null) throw wrong('txid', 'A transaction’s id is 64 hexadecimal digits.');
    return this.change({ merchantId, id, by }, async (tx, refund) => {
      await this.refunds.sent(tx, id, txid);
      await recordOf(tx, by, refund, 'refund.sent', { txid });
    });
  }

  /**
   * It is not sent after all; its money waits for a decision again.
   * @throws DomainError `not-found`, `conflict` once a block holds it or it was withdrawn
   */
  async withdraw({ merchantId, id, by }: RefundChange): Promise<RefundOnChain> {
    return this.change({ merchantId, id, by }, async (tx, refund) => {
      await this.refunds.withdraw(tx, id);
      await recordOf(tx, by, refund, 'refund.withdrawn', { txid: refund.txid });
    });
  }

  /** One network's refunds that are not final, a part of the blocks further. @returns whether it came further in these */
  async follow(network: string, most: number): Promise<boolean> {
    const open = await this.refunds.takeTurns(network, most);
    for (const refund of open.filter(({ state }) => state === 'seen'))
      await this.alone(refund, () => this.judge(refund));
    const waiting = open.filter(({ state }) => state !== 'seen');
    const searched = waiting.length > 0 ? await this.outgoing.search(network, waiting.map(soughtOf)) : [];
    for (const [i, refund] of waiting.entries())
      await this.alone(refund, () => this.keep(refund, searched[i]!));
    return searched.some(({ searchedHeight }, i) => searchedHeight > waiting[i]!.searchedHeight);
  }

  /** What goes wrong with one refund keeps no other waiting: it is looked at again in its next turn. */
  private async alone({ id, network }: RefundRow, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn({ ...fieldsOf(error), network, refund: id }, 'a refund could not be looked after');
    }
  }

  private async keep(refund: RefundRow, searched: Searched): Promise<void> {
    if (searched.failure !== undefined) throw searched.failure;
    // First, so that what replaces it is known for what it is once a block holds it.
    if (searched.account && refund.txid) await this.refunds.belongs(refund.id, refund.txid, searched.account);
    const isSeen = searched.found.length > 0 && (await this.see(refund, searched.found));
    if (!isSeen) await this.refunds.searched(refund.id, searched);
  }

  /** Whichever of these pays no other refund. */
  private see({ id, intentId }: RefundRow, found: readonly FoundPayment[]): Promise<boolean> {
    return this.writer.within(intentId, async (tx) => {
      const now = await this.refunds.find(id, tx);
      if (now?.state !== 'asked' && now?.state !== 'sent') return false;
      for (const payment of found) if (await this.refunds.seen(tx, id, payment)) return true;
      return false;
    });
  }

  /** Whether its block is still on the chain, and deep enough. */
  private async judge({ id, intentId, network, blockHeight, blockHash, isDeep }: RefundRow): Promise<void> {
    const place = { height: blockHeight!, hash: blockHash! };
    const isOnChain = await this.outgoing.isOnChain(network, place);
    if (isOnChain === null || (isOnChain && !isDeep)) return;
    await this.writer.within(intentId, async (tx, locked) => {
      const now = await this.refunds.find(id, tx);
      if (now?.state !== 'seen' || now.blockHash !== blockHash) return;
      if (!isOnChain) await this.refunds.undone(tx, id, place.height - SEARCHED_AGAIN);
      else await this.settle(tx, now, locked);
    });
  }

  /** Into the books, and out of the queue. */
  private async settle(tx: EntityManager, refund: RefundRow, locked: Locked): Promise<void> {
    const { id, intentId, actor, note, amount, asset, network, txid, decimals, atoms, transfers } = refund;
    const decisionId = newId('rev');
    // First, because what is on its way back is not there to be given back.
    await this.refunds.final(tx, id, decisionId);
    await this.reviews.decided(
      tx,
      { intentId, kind: 'refund', actor, note, transfers: [...transfers] },
      {
        ...{ refundAmount: amount, refundTxid: txid, refundNetwork: network, refundAsset: asset },
        ...{ refundDecimals: decimals, refundAtoms: atoms },
      },
      decisionId,
    );
    const by = this.trail.agent(`chain:${network}`, null);
    const told = { refund: id, amount: `${amount} ${asset}`, network, txid, note };
    await recordOf(tx, by, refund, 'refund.recorded', told);
    await this.queue.reconcile(tx, locked, await this.money.recorded(tx, intentId));
  }

  private async change(
    { merchantId, id }: RefundChange,
    work: (tx: EntityManager, refund: RefundRow) => Promise<void>,
  ): Promise<RefundOnChain> {
    const { intentId } = await this.get(merchantId, id);
    await this.writer.within(intentId, async (tx) => {
      const refund = await this.refunds.find(id, tx);
      if (refund?.state !== 'asked' && refund?.state !== 'sent') throw tooLate(refund?.state);
      await work(tx, refund);
    });
    return this.get(merchantId, id);
  }

  /** Never where the buyer paid to, nor what is the merchant's own: a payment between its own addresses is no refund. */
  private async addressOf(
    tx: EntityManager,
    { merchantId, network: networkId, address: typed, paidTo }: WantedGoal,
  ): Promise<string> {
    const network = this.chains.network(networkId);
    const text = typed.trim();
    const address = text.length <= MAX_ADDRESS_LENGTH ? this.chains.readAddress(networkId, text) : null;
    if (!network || address === null)
      throw wrong('address', `That is no address of ${network?.name ?? networkId}.`);
    if (paidTo.includes(address)) throw wrong('address', 'That is an address of the payment itself.');
    const refusal = await this.outgoing.refusalOf(tx, { merchantId, network: networkId, address });
    if (refusal !== null) throw wrong('address', `Nothing can be sent back there: ${refusal}.`);
    return address;
  }
}

interface WantedGoal {
  readonly merchantId: string;
  readonly network: string;
  /** As it was typed. */
  readonly address: string;
  /** Where the buyer paid to. */
  readonly paidTo: readonly string[];
}

const soughtOf = ({
  network,
  asset,
  address: to,
  atoms,
  merchantId,
  txid,
  account,
  askedHeight,
  searchedHeight,
  searchedHash,
}: RefundRow): SoughtPayment => {
  const searched = { askedHeight, searchedHeight, searchedHash, upTo: null };
  return { network, asset, to, atoms, merchantId, txid, account, ...searched };
};

function recordOf(
  tx: EntityManager,
  by: By,
  { id, merchantId, intentId }: RefundRow,
  action: 'refund.sent' | 'refund.withdrawn' | 'refund.recorded',
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  return by.record(tx, { merchantId, action, subject: intentId, detail: { refund: id, ...detail } });
}

function wrong(field: string, detail: string): DomainError {
  return new DomainError('invalid', 'validation-error', detail, {
    errors: [{ pointer: `/${field}`, code: 'invalid_refund', detail }],
  });
}

function tooLate(state: string | undefined): DomainError {
  const why = state === 'withdrawn' ? 'It was withdrawn.' : 'A block holds it already.';
  return new DomainError('conflict', 'conflict', `${why} Look again.`);
}

function noRefund(id: string): DomainError {
  return new DomainError('not_found', 'not-found', `There is no refund ${id}.`);
}
