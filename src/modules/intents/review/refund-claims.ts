import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { DomainError } from '../../../kernel/domain-error.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import type { Refundable } from '../reviews.types.js';
import { ReviewsRepository } from '../unsettled/data/reviews.repository.js';
import { UnsettledMoneyRepository } from '../unsettled/data/unsettled-money.repository.js';
import { type ReadRefund, readRefund, type Refund } from './domain/refund.js';

/** An amount that may be given back, with the transfers that it is of. */
export interface Claim extends ReadRefund {
  readonly transfers: string[];
}

/** A refund that was asked for. */
interface PromisedRefund {
  readonly intentId: string;
  readonly network: string;
  readonly asset: string;
}

/** Which money a refund takes: one rule for those that were made elsewhere and those that are made here. */
@Injectable()
export class RefundClaims {
  constructor(
    private readonly reviews: ReviewsRepository,
    private readonly money: UnsettledMoneyRepository,
    private readonly networks: NetworksService,
  ) {}

  /** @param without transfers of which nothing is taken */
  async refundable(
    on: DataSource | EntityManager,
    intentId: string,
    without: readonly string[] = [],
  ): Promise<Refundable[]> {
    const all = await this.money.refundable(on, intentId, without);
    return all.map((one) => ({ ...one, networkName: this.networks.nameOf(one.network) }));
  }

  /** @throws DomainError `conflict` where the chain does not hold the money any more that a refund would return */
  async mustHold(tx: EntityManager, { intentId, network, asset }: PromisedRefund): Promise<void> {
    if (await this.money.covers(tx, intentId, network, asset)) return;
    const detail =
      'The chain does not hold for good, at the moment, the money that this would send back: do not send it. Look again ' +
      'later, or withdraw it.';
    throw new DomainError('conflict', 'conflict', detail);
  }

  /**
   * Under the intent's lock.
   * @param seen transfers that the person saw; what waits besides has a decision of its own before it
   * @throws DomainError `validation-error` with the field that is wrong
   */
  async claim(tx: EntityManager, intentId: string, refund: Refund, seen?: readonly string[]): Promise<Claim> {
    const open = new Set((await this.reviews.find(intentId, tx))?.transfers);
    // What the person did not see may be accepted: nothing is taken of it.
    const named = seen && new Set(seen);
    const left = new Set([...open].filter((id) => named && !named.has(id)));
    const { of, atoms } = readRefund(refund, await this.refundable(tx, intentId, [...left]));
    const all = await this.money.transfersOf(tx, intentId, of.network, of.asset);
    const about = all.filter((id) => !left.has(id));
    const waiting = about.filter((id) => open.has(id));
    return { of, atoms, transfers: waiting.length > 0 ? waiting : about };
  }
}
