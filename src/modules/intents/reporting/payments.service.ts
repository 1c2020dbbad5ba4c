import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { payable } from '../../../kernel/crypto-amount.js';
import { DAY_MS } from '../../../kernel/text/calendar.js';
import type { Facts } from '../../chains/chains.types.js';
import { FactsService } from '../../chains/facts.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { AddressesService } from '../../chains/wallets/addresses.service.js';
import { IntentsRepository } from '../data/intents.repository.js';
import type { Quote } from '../domain/model.js';
import { liveTransfersOf, sumAtoms } from '../domain/transfers.js';
import { IntentsService } from '../lifecycle/intents.service.js';
import type {
  Backlog,
  PaymentCursor,
  PaymentFilter,
  PaymentPage,
  PaymentRow,
  PaymentSummary,
  Turnover,
} from '../payments.types.js';
import { type PaymentRecord, PaymentsRepository } from './data/payments.repository.js';
import { summarize } from './domain/summary.js';

/** As many rows as an export reads at a time: its memory, whatever the table's size. */
const EXPORT_BATCH = 500;

/** What a merchant's staff sees of its payments: the table, its export, and the figures of the last days. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: PaymentsRepository,
    private readonly intentRows: IntentsRepository,
    private readonly intents: IntentsService,
    private readonly addresses: AddressesService,
    private readonly facts: FactsService,
    private readonly networks: NetworksService,
  ) {}

  /** Newest first, by cursor: any page costs the same. What has lapsed is expired first, as in the API. */
  async list(
    merchantId: string,
    filter: PaymentFilter,
    cursor: PaymentCursor | null,
    limit: number,
  ): Promise<PaymentPage> {
    await this.intents.bringUpToDate(merchantId);
    const found = await this.find(merchantId, filter.search);
    const read = await this.rows.page({ merchantId, filter, found, cursor, limit: limit + 1 });
    const more = read.length > limit;
    const records = read.slice(0, limit);
    const newerPage = cursor?.direction === 'newer';
    if (newerPage) records.reverse();
    const [first, last] = [records[0]?.intent.id, records.at(-1)?.intent.id];
    return {
      rows: await this.describe(records),
      newer: first && (newerPage ? more : cursor !== null) ? { direction: 'newer', id: first } : null,
      older: last && (newerPage || more) ? { direction: 'older', id: last } : null,
    };
  }

  /** Everything that matches, newest first, without a cap and in constant memory. What fails before its first row fails at once. */
  async export(merchantId: string, filter: PaymentFilter): Promise<AsyncGenerator<PaymentRow>> {
    await this.intents.bringUpToDate(merchantId);
    return this.batches(merchantId, filter, await this.find(merchantId, filter.search));
  }

  /** The last `days` days up to now, today included, by UTC. */
  async summary(merchantId: string, days: number, now: Date): Promise<PaymentSummary> {
    const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
    const from = new Date(today - (days - 1) * DAY_MS);
    const [settled, conversion] = await Promise.all([
      this.rows.days(merchantId, from),
      this.rows.conversion(merchantId, from),
    ]);
    return summarize(from, days, settled, conversion);
  }

  /** What standing tolerances and rules cost in the calendar month before this one, by UTC. */
  async forgivenLastMonth(merchantId: string, now: Date): Promise<{ from: Date; volumes: Turnover[] }> {
    const monthStart = (by: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + by));
    const [from, to] = [monthStart(-1), monthStart(0)];
    return { from, volumes: await this.rows.forgiven(merchantId, from, to) };
  }

  /** What several merchants settled in the last `days` days up to now, today included, by UTC, for the operator. */
  async turnoverOf(merchantIds: readonly string[], days: number): Promise<ReadonlyMap<string, Turnover[]>> {
    const volumes = await this.rows.turnover(merchantIds, days);
    return new Map(merchantIds.map((id) => [id, volumes.filter(({ merchantId }) => merchantId === id)]));
  }

  /** Payments whose window has ended and that nobody has decided yet: the sweeper's work, a second's worth at most. */
  undecided(): Promise<Backlog> {
    return this.intentRows.lapsedBacklog();
  }

  private async *batches(
    merchantId: string,
    filter: PaymentFilter,
    found: string[] | null,
  ): AsyncGenerator<PaymentRow> {
    for (let cursor: PaymentCursor | null = null; ;) {
      const query = { merchantId, filter, found, cursor, limit: EXPORT_BATCH };
      const records: PaymentRecord[] = await this.rows.batch(query);
      yield* await this.describe(records);
      const last = records.at(-1);
      if (!last || records.length < EXPORT_BATCH) return;
      cursor = { direction: 'older', id: last.intent.id };
    }
  }

  private async find(merchantId: string, search: string | null): Promise<string[] | null> {
    if (search === null) return null;
    const known = await Promise.all([
      this.rows.find(merchantId, search),
      this.addresses.subjectsKnownBy(merchantId, search),
    ]);
    return known.flat();
  }

  private async describe(records: readonly PaymentRecord[]): Promise<PaymentRow[]> {
    const ids = records.map(({ intent }) => intent.id);
    if (ids.length === 0) return [];
    const [facts, quotes] = await Promise.all([
      this.facts.ofEach(this.dataSource, ids),
      this.intentRows.quotesOf(ids),
    ]);
    const shown = new Map(quotes.map((quote) => [quote.id, quote]));
    return records.map((record) => {
      const quote = shown.get(record.intent.quoteId ?? '') ?? null;
      return this.row(record, quote, facts.get(record.intent.id));
    });
  }

  private row({ intent, inReview }: PaymentRecord, quote: Quote | null, facts?: Facts): PaymentRow {
    const { id, status, amountMinor, currency, title, createdAt, expiresAt, confirmedAt, settledAt } = intent;
    const received = quote && facts ? sumAtoms(liveTransfersOf(quote, facts)) : null;
    return {
      id,
      status,
      amountMinor,
      currency,
      title,
      createdAt,
      expiresAt,
      confirmedAt,
      settledAt,
      inReview,
      orderKey: intent.idempotencyKey,
      network: quote?.network ?? null,
      networkName: quote ? (this.networks.network(quote.network)?.name ?? quote.network) : null,
      asset: quote?.asset ?? null,
      quoted: quote && payable({ atoms: quote.amountAtoms, decimals: quote.decimals }),
      received: quote && received !== null ? { atoms: received, decimals: quote.decimals } : null,
      address: quote?.address ?? null,
    };
  }
}
