import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { newId } from '../../../kernel/ids.js';
import { isTerminal } from '../../../kernel/intent-status.js';
import { FactsService } from '../../chains/facts.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import type { Locked } from '../data/intents.repository.js';
import { type RecordedMoney, UnsettledMoneyRepository } from './data/unsettled-money.repository.js';
import { newMoney, renderMoney } from './domain/unsettled-money.js';

/**
 * So many transfers one decision tells of: a stranger makes as many as they pay dust for, and a statement has seconds. What
 * is left is told when the intent is looked at next, which it is at once; its status and its queue do not wait for that.
 */
export const MOST_ANNOUNCED = 2_000;

/** Writes down and announces, once, each final transfer of an ended intent that no settlement took as the price. */
@Injectable()
export class MoneyAnnouncer {
  constructor(
    private readonly rows: UnsettledMoneyRepository,
    private readonly facts: FactsService,
    private readonly networks: NetworksService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Under the intent's lock, in the transaction that applies the facts: row, event and deliveries, or nothing.
   * @returns whether a delivery is due
   */
  async announce(
    tx: EntityManager,
    { intent, quotes, facts, now }: Locked,
    { settled, announced: before, covered }: RecordedMoney,
  ): Promise<boolean> {
    if (!isTerminal(intent.status) || facts.transfers.length === 0) return false;
    const announced = new Set(before.map(({ id }) => id));
    const money = newMoney({ intent, quotes, facts, settled, announced, covered }, this.networks);
    if (money.length === 0) return false;
    const { checkoutUrl } = this.config;
    const announcements = money.slice(0, MOST_ANNOUNCED).map((each, index) => {
      const event = { id: newId('evt'), sequence: announced.size + index + 1, at: now, checkoutUrl };
      const body = renderMoney({ intent, quotes }, each, event);
      return { ...each, sequence: event.sequence, eventId: event.id, body };
    });
    const isTold = await this.rows.announce(tx, intent.id, announcements);
    if (money.length > announcements.length) await this.facts.lookAgain(tx, intent.id);
    return isTold;
  }
}
