import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AlertsService } from '../alerts/alerts.service.js';
import type { Facts } from '../chains/chains.types.js';
import { Reviews } from './data/reviews.js';
import { undone, undoneAlert } from './domain/alerts.js';
import type { Intent } from './domain/model.js';

/** Settled stays settled; but when the money that settled it leaves the chain, its merchant must hear of it. */
@Injectable()
export class SettlementWatch {
  constructor(
    private readonly reviews: Reviews,
    private readonly alerts: AlertsService,
  ) {}

  /** Raises or resolves the alert of a settled intent, under its lock, in the transaction of the facts. */
  async compare(tx: EntityManager, { intent, facts }: { intent: Intent; facts: Facts }): Promise<void> {
    const missing = undone(await this.reviews.settledTransfers(tx, intent.id), facts);
    if (missing.length > 0) await this.alerts.raise(tx, undoneAlert(intent, missing));
    else await this.alerts.resolve(tx, 'reorganised-after-settlement', intent.id);
  }
}
