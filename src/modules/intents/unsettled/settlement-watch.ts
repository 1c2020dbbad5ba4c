import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AlertsService } from '../../alerts/alerts.service.js';
import type { Facts } from '../../chains/chains.types.js';
import type { Intent } from '../domain/model.js';
import { type RecordedMoney, UnsettledMoneyRepository } from './data/unsettled-money.repository.js';
import { refundedBeyondAlert, undone, undoneAlert } from './domain/alerts.js';

/** What is settled or announced stays so; but when its money leaves the chain, its merchant must hear of it. */
@Injectable()
export class SettlementWatch {
  constructor(
    private readonly alerts: AlertsService,
    private readonly money: UnsettledMoneyRepository,
  ) {}

  /** Raises or resolves the alert of an ended intent, under its lock, in the transaction of the facts. */
  async compare(
    tx: EntityManager,
    { intent, facts }: { intent: Intent; facts: Facts },
    { settledTransfers, announced, isDecided, alerts }: RecordedMoney,
  ): Promise<void> {
    const settled = undone(settledTransfers, facts);
    const other = undone(announced, facts).filter((id) => !settled.includes(id));
    if (settled.length + other.length > 0) await this.alerts.raise(tx, undoneAlert(intent, settled, other));
    else if (alerts.has('reorganised-after-settlement'))
      await this.alerts.resolve(tx, 'reorganised-after-settlement', intent.id);
    if (isDecided) await this.compareRefunds(tx, intent);
  }

  /** Under the intent's lock, whenever its money or its refunds change: says where more went back than is there. */
  async compareRefunds(tx: EntityManager, intent: Intent): Promise<void> {
    const beyond = await this.money.refundedBeyond(tx, intent.id);
    if (beyond.length > 0) await this.alerts.raise(tx, refundedBeyondAlert(intent, beyond));
    else await this.alerts.resolve(tx, 'refund-beyond-money', intent.id);
  }
}
