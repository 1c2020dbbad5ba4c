import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { By, Whose } from '../../../database/by.js';
import { about, DomainError, notFound, wrongField } from '../../../kernel/domain-error.js';
import { isId, newId } from '../../../kernel/ids.js';
import { characterCount } from '../../../kernel/text/character-count.js';
import { AlertsService } from '../../alerts/alerts.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { OutgoingService } from '../../chains/outgoing/outgoing.service.js';
import { RefundRequestsRepository } from '../checkout/data/refund-requests.repository.js';
import { presentRequest } from '../checkout/domain/refund-request.js';
import { IntentsRepository } from '../data/intents.repository.js';
import { filterOf, isOf } from '../domain/whose.js';
import { intentNotFound } from '../intents.errors.js';
import { StatusWriter } from '../lifecycle/status-writer.js';
import type {
  NamedRefund,
  RefundChange,
  RefundOnChain,
  RefundProposal,
  WantedRefund,
} from '../refunds.types.js';
import type { RefundRow } from '../unsettled/data/find-refunds.statement.js';
import { RefundsRepository } from '../unsettled/data/refunds.repository.js';
import { ReviewsRepository } from '../unsettled/data/reviews.repository.js';
import { MAX_NOTE } from './domain/decision-note.js';
import { readTxid } from './domain/refund-txid.js';
import { RefundClaims } from './refund-claims.js';
import { RefundFollower } from './refund-follower.service.js';
import { recordRefund } from './refund-records.js';

const MAX_LISTED = 200;

/**
 * Money that goes back to a buyer from the merchant's own wallet: asked for here, paid there, found on the chain. Nothing
 * here sends anything.
 */
@Injectable()
export class RefundsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: IntentsRepository,
    private readonly requests: RefundRequestsRepository,
    private readonly refunds: RefundsRepository,
    private readonly reviews: ReviewsRepository,
    private readonly claims: RefundClaims,
    private readonly follower: RefundFollower,
    private readonly writer: StatusWriter,
    private readonly networks: NetworksService,
    private readonly outgoing: OutgoingService,
    private readonly alerts: AlertsService,
  ) {}

  /** The latest first, at most 200. */
  async list(whose: Whose): Promise<NamedRefund[]> {
    return (await this.refunds.list(filterOf(whose), MAX_LISTED)).map((one) => this.named(one));
  }

  /** Oldest first. */
  async ofIntent(whose: Whose, intentId: string): Promise<NamedRefund[]> {
    const refunds = await this.refunds.ofIntent(intentId);
    return refunds.filter((one) => isOf(whose, one)).map((one) => this.named(one));
  }

  /** @throws DomainError `not-found`, also for another merchant's */
  async get(whose: Whose, id: string): Promise<RefundOnChain> {
    const found = isId('rf', id) ? await this.refunds.find(id) : null;
    if (!found || !isOf(whose, found)) throw noRefund(id);
    return found;
  }

  /** @throws DomainError `intent-not-found`, also for another merchant's */
  async proposal(merchantId: string, intentId: string): Promise<RefundProposal> {
    const found = isId('pi', intentId) ? await this.rows.find(intentId) : null;
    if (found?.intent.merchantId !== merchantId) throw intentNotFound();
    const requests = await this.requests.of([intentId]);
    const latest = requests.at(-1);
    return {
      refundable: await this.claims.refundable(this.dataSource, intentId),
      seen: (await this.reviews.find(intentId))?.transfers ?? [],
      request: latest ? presentRequest(latest, this.networks) : null,
    };
  }

  /**
   * Decides to send money back. It cannot be refunded or accepted otherwise until it is final or withdrawn.
   * @throws DomainError `intent-not-found`, `validation-error` with the field that is wrong
   */
  async ask(whose: Whose, intentId: string, wanted: WantedRefund, by: By): Promise<RefundOnChain> {
    const note = wanted.note.trim();
    if (note === '' || characterCount(note) > MAX_NOTE)
      throw wrong('note', `Say why, in at most ${MAX_NOTE} characters.`);
    const id = newId('rf');
    await this.writer.underLock(whose, intentId, async (tx, { intent, quotes }) => {
      const open = new Set((await this.reviews.find(intentId, tx))?.transfers);
      if (wanted.seen?.some((one) => !open.has(one)))
        throw new DomainError('conflict', 'conflict', 'The entry has changed since you looked. Look again.');
      const told = { ...wanted, txid: null };
      const { of, atoms, transfers } = await this.claims.claim(tx, intentId, told, wanted.seen);
      const { network, asset, decimals } = of;
      const paidTo = quotes.map((quote) => quote.address);
      const address = await this.addressOf(tx, { ...wanted, network, merchantId: intent.merchantId, paidTo });
      const askedHeight = await this.outgoing.height(network, tx);
      if (askedHeight === null)
        throw wrong(
          'asset',
          `The node of ${of.networkName} has not answered yet, so nothing could be found there.`,
        );
      const amount = wanted.amount.trim();
      await this.refunds.add(tx, {
        id,
        intentId,
        merchantId: intent.merchantId,
        network,
        asset,
        decimals,
        atoms,
        amount,
        address,
        transfers,
        actor: by.name,
        note,
        askedHeight,
      });
      const detail = { refund: id, amount: `${amount} ${asset}`, network, address, note };
      await by.record(tx, {
        merchantId: intent.merchantId,
        action: 'refund.asked',
        subject: intentId,
        detail,
      });
    });
    return this.get(whose, id);
  }

  /**
   * Names the transaction that pays it; the chain decides whether it does.
   * @throws DomainError `not-found`, `validation-error`, `conflict` once a block holds it or it was withdrawn
   */
  async send({ whose, id, by }: RefundChange, typed: string): Promise<RefundOnChain> {
    const { network } = await this.get(whose, id);
    const txid = readTxid(this.networks.network(network)?.family ?? 'evm', typed);
    if (txid === null) throw wrong('txid', 'A transaction’s id is 64 hexadecimal digits.');
    return this.change({ whose, id, by }, async (tx, refund) => {
      await this.refunds.sent(tx, id, txid);
      await this.alerts.resolve(tx, 'refund-unfound', id);
      await recordRefund(tx, by, refund, 'refund.sent', { txid });
    });
  }

  /**
   * Somebody is about to pay it and is shown how. Nobody else is, unless they say that they have seen who.
   * @param seen when the page that they look at says that it was opened last; `null` where it was not
   * @throws DomainError `not-found`, `conflict` where it was opened meanwhile, is not there to be paid any more, or its money left
   * the chain
   */
  async open({ whose, id, by }: RefundChange, seen: Date | null): Promise<RefundOnChain> {
    return this.change({ whose, id, by }, async (tx, refund) => {
      const { openedAt, openedBy, state } = refund;
      if (state === 'sent') throw conflict('A transaction is named for it already.');
      if (openedAt !== null && openedAt.getTime() !== seen?.getTime())
        throw conflict(`${openedBy} has opened the payment before you.`);
      await this.claims.mustHold(tx, refund);
      await this.refunds.opened(tx, id, by.name);
      await recordRefund(tx, by, refund, 'refund.opened', { ...(openedBy !== null && { after: openedBy }) });
    });
  }

  /**
   * It is looked for again, from where the search ended.
   * @throws DomainError `not-found`, `conflict` while it is looked for
   */
  async resume({ whose, id, by }: RefundChange): Promise<RefundOnChain> {
    const { intentId } = await this.get(whose, id);
    await this.writer.underLock(whose, intentId, async (tx) => {
      const refund = await this.refunds.find(id, tx);
      if (!refund || refund.searchEndedAt === null) throw conflict('It is being looked for.');
      await this.refunds.resume(tx, id);
      await this.alerts.resolve(tx, 'refund-unfound', id);
      await recordRefund(tx, by, refund, 'refund.resumed');
    });
    return this.get(whose, id);
  }

  /**
   * It is not sent after all; its money waits for a decision again. The chain is looked at first.
   * @param isSure somebody says that nothing was sent, or that it failed: needed where nobody else can say so
   * @throws DomainError `not-found`, `conflict` once a block holds it or it was withdrawn, or where it may be on its way
   */
  async withdraw({ whose, id, by }: RefundChange, isSure: boolean): Promise<RefundOnChain> {
    const { state } = await this.get(whose, id);
    const sight = state === 'asked' || state === 'sent' ? await this.follower.sight(id) : 'paid';
    return this.change({ whose, id, by }, async (tx, refund) => {
      // What somebody opened or named meanwhile was not looked for.
      const isPossible = refund.state === 'sent' || refund.openedBy !== null;
      if (!isSure && sight === 'unknown')
        throw unsure('The blocks up to now could not be searched, so it may have been paid.');
      if (!isSure && isPossible) throw unsure('Somebody has opened or sent the payment.');
      await this.refunds.withdraw(tx, id);
      await this.alerts.resolve(tx, 'refund-unfound', id);
      await recordRefund(tx, by, refund, 'refund.withdrawn', {
        txid: refund.txid,
        ...(isSure && { despite: sight }),
      });
    });
  }

  private async change(
    { whose, id }: RefundChange,
    work: (tx: EntityManager, refund: RefundRow) => Promise<void>,
  ): Promise<RefundOnChain> {
    const { intentId } = await this.get(whose, id);
    await this.writer.underLock(whose, intentId, async (tx) => {
      const refund = await this.refunds.find(id, tx);
      if (refund?.state !== 'asked' && refund?.state !== 'sent') throw tooLate(refund?.state);
      await work(tx, refund);
    });
    return this.get(whose, id);
  }

  /** Never where the buyer paid to, nor what is the merchant's own: a payment between its own addresses is no refund. */
  private async addressOf(
    tx: EntityManager,
    { merchantId, network: networkId, address: typed, paidTo }: WantedGoal,
  ): Promise<string> {
    const network = this.networks.network(networkId);
    const address = this.networks.readAddress(networkId, typed.trim());
    if (!network || address === null)
      throw wrong('address', `That is no address of ${network?.name ?? networkId}.`);
    if (paidTo.includes(address)) throw wrong('address', 'That is an address of the payment itself.');
    const refusal = await this.outgoing.refusalOf(tx, { merchantId, network: networkId, address });
    if (refusal !== null) throw wrong('address', `Nothing can be sent back there: ${refusal}.`);
    return address;
  }

  private named(refund: RefundOnChain): NamedRefund {
    return { ...refund, networkName: this.networks.nameOf(refund.network) };
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

const wrong = (field: string, detail: string) => wrongField(field, detail, 'invalid_refund');

/** A person has to say what the chain cannot. */
function unsure(why: string): DomainError {
  const detail = `${why} Withdraw it only if your wallet says that nothing was sent, or that it failed, and say so.`;
  return new DomainError('conflict', 'conflict', detail, about('sure', detail));
}

function conflict(why: string, what = 'Look again.'): DomainError {
  return new DomainError('conflict', 'conflict', `${why} ${what}`);
}

function tooLate(state: string | undefined): DomainError {
  return conflict(state === 'withdrawn' ? 'It was withdrawn.' : 'A block holds it already.');
}

function noRefund(id: string): DomainError {
  return notFound(`There is no refund ${id}.`);
}
