import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditTrail } from '../../../database/by.js';
import { fieldsOf } from '../../../kernel/error-fields.js';
import { newId } from '../../../kernel/ids.js';
import { entryAt, only, paired } from '../../../kernel/lookups.js';
import { AlertsService } from '../../alerts/alerts.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { BlockGone } from '../../chains/node.errors.js';
import { type FoundPayment, REFUSED_WITHIN_MS, type Searched } from '../../chains/outgoing.types.js';
import { OutgoingService } from '../../chains/outgoing/outgoing.service.js';
import {
  ChainRepairService,
  type RestedOn,
  type RestsOnBlocks,
} from '../../chains/repair/chain-repair.service.js';
import type { Locked } from '../data/intents.repository.js';
import { StatusWriter } from '../lifecycle/status-writer.js';
import type { RefundSight, SearchEnd } from '../refunds.types.js';
import type { RefundRow } from '../unsettled/data/find-refunds.statement.js';
import { RefundFollowingRepository } from '../unsettled/data/refund-following.repository.js';
import { RefundsRepository } from '../unsettled/data/refunds.repository.js';
import { ReviewsRepository } from '../unsettled/data/reviews.repository.js';
import { UnsettledMoneyRepository } from '../unsettled/data/unsettled-money.repository.js';
import { ReviewQueue } from '../unsettled/review-queue.js';
import { SettlementWatch } from '../unsettled/settlement-watch.js';
import {
  paidAgainAlert,
  sharedRefundAlert,
  undoneRefundAlert,
  unfoundAlert,
} from './domain/refund-alerts.js';
import { blockOf, soughtAgain, soughtOf } from './domain/sought.js';
import { recordRefund, type RefundAction } from './refund-records.js';

/** A reorganisation that gives up a block seldom begins right there. */
const SEARCHED_AGAIN = 100;
/** Somebody waits for the answer: what is further behind than this is said to be unknown. */
const MOST_LOOKS = 20;

/** One for which nothing could be searched now, and why. */
interface Refused {
  readonly refund: RefundRow;
  readonly failure: unknown;
}

/** Refunds on their chains: found, followed to finality, and looked after for a while. Nothing here sends anything. */
@Injectable()
export class RefundFollower implements RestsOnBlocks {
  private readonly logger = new Logger(RefundFollower.name);

  constructor(
    private readonly refunds: RefundsRepository,
    private readonly following: RefundFollowingRepository,
    private readonly reviews: ReviewsRepository,
    private readonly money: UnsettledMoneyRepository,
    private readonly queue: ReviewQueue,
    private readonly settlements: SettlementWatch,
    private readonly writer: StatusWriter,
    private readonly networks: NetworksService,
    private readonly outgoing: OutgoingService,
    private readonly alerts: AlertsService,
    private readonly trail: AuditTrail,
    repair: ChainRepairService,
  ) {
    repair.alsoRests(this);
  }

  /** One network's refunds that are not final, a part of the blocks further. @returns whether it came further in these */
  async follow(network: string, most: number): Promise<boolean> {
    const followed = await this.following.takeTurns(network, most);
    const seen = followed.filter(({ state }) => state === 'seen');
    for (const refund of seen.toSorted((a, b) => blockOf(b).height - blockOf(a).height)) {
      const askedMs = performance.now();
      const isJudged = await this.alone(refund, () => this.judge(refund).then(() => true));
      // A node that does not answer is waited for once, however many it is to be asked about.
      if (!isJudged && performance.now() - askedMs > REFUSED_WITHIN_MS) break;
    }
    const waiting = followed.filter(({ state }) => state !== 'seen');
    const searched = waiting.length > 0 ? await this.outgoing.search(network, waiting.map(soughtOf)) : [];
    const each = paired(waiting, searched);
    for (const [refund, found] of each) await this.alone(refund, () => this.keep(refund, found));
    const refused = each.flatMap(([refund, { failure }]) => (failure ? [{ refund, failure }] : []));
    await this.noteRefused(network, refused);
    return each.some(([before, { searchedHeight }]) => searchedHeight > before.searchedHeight);
  }

  /** While the watcher gets on, nobody else would say that these do not; while it does not, its network is said to stand. */
  private async noteRefused(network: string, refused: readonly Refused[]): Promise<void> {
    if (refused.length === 0) return;
    if (!(await this.outgoing.isUpToDate(network))) return this.following.unanswered(network);
    const each = refused.map(({ refund, failure }) => ({
      refund,
      end: failure instanceof BlockGone ? { gone: failure.height } : ('refused' as const),
    }));
    const idsOf = (of: typeof each) => of.map(({ refund: { id } }) => id);
    const isOver = await this.following.refused(
      idsOf(each),
      idsOf(each.filter(({ end }) => end !== 'refused')),
    );
    for (const { refund, end } of each.filter(({ refund: { id } }) => isOver.has(id)))
      await this.alone(refund, () => this.endSearch(refund, end));
  }

  /** What paid the same once more, or was withdrawn and paid all the same: in blocks that are deep, because it is told at once. */
  async lookAfter(network: string, most: number): Promise<void> {
    const paid = await this.following.takeAfterwards(network, most);
    const searched = paid.length > 0 ? await this.outgoing.search(network, paid.map(soughtAgain)) : [];
    for (const [refund, one] of paired(paid, searched))
      await this.alone(refund, async () => {
        for (const payment of one.found) await this.paidAgain(refund, payment);
        await this.following.searched(refund, one);
        if (one.failure) throw one.failure;
      });
  }

  /** Final ones whose blocks the watcher had to give up, and those that have been looked for long enough. */
  async reconsider(most: number): Promise<void> {
    for (const refund of await this.following.reorganised(most))
      await this.alone(refund, () => this.undoneAfterFinal(refund));
    for (const refund of await this.following.overdue(most))
      await this.alone(refund, () => this.endSearch(refund, 'time'));
  }

  /** What the chain says now of one that somebody wants to take back. What is found there is kept. */
  async sight(id: string): Promise<RefundSight> {
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const refund = await this.refunds.find(id);
      if (refund?.state !== 'asked' && refund?.state !== 'sent') return 'paid';
      const { network } = refund;
      try {
        const searched = only(await this.outgoing.search(network, [soughtOf(refund)]));
        if (await this.keep(refund, searched)) return 'paid';
        const tip = await this.outgoing.height(network);
        if (tip !== null && searched.searchedHeight >= tip && (await this.outgoing.isUpToDate(network)))
          return refund.state === 'sent' || refund.openedBy !== null ? 'possible' : 'none';
        if (searched.searchedHeight === refund.searchedHeight) return 'unknown';
      } catch (error) {
        this.logger.warn({ ...fieldsOf(error), network, refund: id }, 'a refund could not be looked for');
        return 'unknown';
      }
    }
    return 'unknown';
  }

  /**
   * Final refunds of a network, against its chain: ids of those that it does not hold where they are recorded.
   * `untold`: of how many others the node does not say it, such as where it keeps their blocks no more.
   * @throws where the node does not answer at all
   */
  async missing(network: string): Promise<{ compared: number; untold: number; missing: string[] }> {
    const AT_ONCE = 100;
    const missing: string[] = [];
    let [compared, untold] = [0, 0];
    for (let after = ''; ;) {
      const rows = await this.following.finalOn(network, after, AT_ONCE);
      for (const refund of rows) {
        const isThere = await this.outgoing.isOnChain(network, blockOf(refund)).catch(unlessGone);
        if (isThere === null) untold += 1;
        else compared += 1;
        if (isThere === false) missing.push(refund.id);
      }
      if (rows.length < AT_ONCE) return { compared, untold, missing };
      after = entryAt(rows, -1).id;
    }
  }

  restedOn(network: string, upTo: number, most: number): Promise<RestedOn[]> {
    return this.following.restedOn(network, upTo, most);
  }

  /** Those above are looked for again from there on, however many blocks that are: the chain is another one. */
  async rewound(tx: EntityManager, network: string, height: number): Promise<void> {
    for (const refund of await this.following.standingAbove(tx, network, height)) {
      const { id, txid, blockHeight: block, state } = refund;
      if (state === 'final') {
        await this.following.undoneAfterFinal(tx, id, height);
        await this.alerts.raise(tx, undoneRefundAlert(refund));
      } else await this.following.undone(tx, id, height);
      await this.told(tx, refund, 'refund.undone', { txid, block, afterFinal: state === 'final' });
    }
  }

  /**
   * What goes wrong with one refund keeps no other waiting: it is looked at again in its next turn.
   * @returns `null` where it went wrong
   */
  private async alone<T>({ id, network }: RefundRow, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      this.logger.warn({ ...fieldsOf(error), network, refund: id }, 'a refund could not be looked after');
      return null;
    }
  }

  /** @returns whether it is paid */
  private async keep(refund: RefundRow, searched: Searched): Promise<boolean> {
    // First, so that what replaces it is known for what it is once a block holds it.
    if (searched.account) await this.following.belongs(refund, searched.account);
    const { found } = searched;
    if (found.length > 0 && (await this.see(refund, found))) return true;
    for (const payment of found) await this.following.elsewhere(refund.id, payment);
    await this.following.searched(refund, searched);
    if (searched.failure) throw searched.failure;
    return false;
  }

  /** Whichever of these pays no other refund. */
  private see({ id, intentId, merchantId }: RefundRow, found: readonly FoundPayment[]): Promise<boolean> {
    return this.writer.underLock(merchantId, intentId, async (tx) => {
      const now = await this.refunds.find(id, tx);
      const isUndone = now?.state === 'final' && now.undoneAt !== null;
      if (!now || !(now.state === 'asked' || now.state === 'sent' || isUndone)) return false;
      for (const payment of found) {
        if (!(await this.following.seen(tx, id, payment))) continue;
        const { txid, height } = payment;
        await this.told(tx, now, 'refund.seen', { txid, block: height });
        await this.alerts.resolve(tx, isUndone ? 'refund-undone' : 'refund-unfound', id);
        return true;
      }
      return false;
    });
  }

  /** Final where its block is on the chain and deep enough; undone where it is not there. */
  private async judge(refund: RefundRow): Promise<void> {
    const { id, intentId, merchantId, network, isDeep } = refund;
    const { height, hash } = blockOf(refund);
    const isOnChain = await this.outgoing.isOnChain(network, { height, hash });
    if (isOnChain === null || (isOnChain && !isDeep)) return;
    await this.writer.underLock(merchantId, intentId, async (tx, locked) => {
      const now = await this.refunds.find(id, tx);
      if (now?.state !== 'seen' || now.blockHash !== hash) return;
      if (isOnChain) return now.isDeep ? this.settle(tx, now, locked) : undefined;
      await this.following.undone(tx, id, height - SEARCHED_AGAIN);
      await this.told(tx, now, 'refund.undone', { txid: now.txid, block: height });
    });
  }

  /** Into the books, and out of the queue, whatever became of the money that it returned: the chain has paid it. */
  private async settle(tx: EntityManager, refund: RefundRow, locked: Locked): Promise<void> {
    const { id, intentId, actor, note, amount, asset, network, txid, decimals, atoms, transfers } = refund;
    const decisionId = newId('rev');
    // First, because what is on its way back is not there to be given back.
    if (!(await this.following.final(tx, id, decisionId))) return;
    await this.reviews.decided(
      tx,
      { intentId, kind: 'refund', actor, note, transfers },
      { typed: amount, money: { network, asset, decimals, atoms }, txid },
      decisionId,
    );
    if (await this.following.isShared(tx, id)) await this.alerts.raise(tx, sharedRefundAlert(refund));
    await this.told(tx, refund, 'refund.recorded', { amount: `${amount} ${asset}`, network, txid, note });
    await this.queue.reconcile(tx, locked, await this.money.recorded(tx, intentId));
    await this.settlements.compareRefunds(tx, locked.intent);
  }

  private undoneAfterFinal(refund: RefundRow): Promise<void> {
    const { id, intentId, merchantId, txid } = refund;
    const { height, hash } = blockOf(refund);
    return this.writer.underLock(merchantId, intentId, async (tx) => {
      const now = await this.refunds.find(id, tx);
      if (now?.state !== 'final' || now.undoneAt !== null || now.blockHash !== hash) return;
      if (await this.following.cameBack(tx, id)) return;
      await this.following.undoneAfterFinal(tx, id, height - SEARCHED_AGAIN);
      await this.told(tx, now, 'refund.undone', { txid, block: height, afterFinal: true });
      await this.alerts.raise(tx, undoneRefundAlert(now));
    });
  }

  private async now(tx: EntityManager, id: string): Promise<RefundRow> {
    const refund = await this.refunds.find(id, tx);
    if (!refund) throw new Error(`refund ${id} is gone`);
    return refund;
  }

  private endSearch({ id, intentId, merchantId }: RefundRow, end: SearchEnd): Promise<void> {
    return this.writer.underLock(merchantId, intentId, async (tx) => {
      if (!(await this.following.endSearch(tx, id))) return;
      const now = await this.now(tx, id);
      await this.told(tx, now, 'refund.search-ended', { searchedTo: now.searchedHeight });
      const networkName = this.networks.nameOf(now.network);
      if (now.state !== 'final') await this.alerts.raise(tx, unfoundAlert({ ...now, networkName }, end));
    });
  }

  private paidAgain({ id, intentId, merchantId }: RefundRow, payment: FoundPayment): Promise<void> {
    return this.writer.underLock(merchantId, intentId, async (tx) => {
      if (!(await this.following.paidAgain(tx, id, payment))) return;
      const now = await this.now(tx, id);
      await this.told(tx, now, 'refund.paid-again', { txid: payment.txid, block: payment.height });
      await this.alerts.raise(tx, paidAgainAlert(now, payment.txid));
    });
  }

  private told(tx: EntityManager, refund: RefundRow, action: RefundAction, detail: object): Promise<void> {
    return recordRefund(tx, this.trail.agent(`chain:${refund.network}`, null), refund, action, { ...detail });
  }
}

/** Of a block that no node keeps any more nobody can say whether it is on the chain. */
function unlessGone(error: unknown): null {
  if (error instanceof BlockGone) return null;
  throw error;
}
