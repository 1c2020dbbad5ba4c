import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { rowReader, type Stored } from '../../../../database/columns.js';
import type { IntentStatus } from '../../../../kernel/intent-status.js';
import type { DetailTransition } from '../../payments.types.js';
import type { ReviewReason } from '../../reviews.types.js';

const TRANSITIONS = `
  SELECT sequence, nullif(from_status, '') AS "from", to_status AS "to", cause, event_id AS "eventId",
         trace_id AS "traceId", created_at AS at
  FROM transition WHERE intent_id = $1 ORDER BY sequence`;

const SETTLEMENT = `
  SELECT s.network, s.asset, s.received_atoms AS "receivedAtoms", s.excess_atoms AS "excessAtoms", s.price,
         s.fiat_minor AS "fiatMinor", s.transfers, s.accepted_by AS "acceptedBy", s.accept_reason AS "acceptReason",
         s.created_at AS at, q.decimals
  FROM settlement s JOIN quote q ON q.id = s.quote_id WHERE s.intent_id = $1`;

const IN_REVIEW = 'SELECT reason FROM review_entry WHERE intent_id = $1';

export interface SettlementRow {
  readonly network: string;
  readonly asset: string;
  readonly receivedAtoms: bigint;
  readonly excessAtoms: bigint;
  readonly price: string;
  readonly fiatMinor: bigint;
  readonly transfers: readonly { readonly txid: string }[];
  readonly acceptedBy: string | null;
  readonly acceptReason: string | null;
  readonly at: Date;
  readonly decimals: number;
}

const toSettlement = rowReader<SettlementRow>({ receivedAtoms: true, excessAtoms: true, fiatMinor: true });

/** What is recorded of one intent beyond its row and its quotes. */
@Injectable()
export class PaymentDetailsRepository {
  constructor(private readonly dataSource: DataSource) {}

  transitions(intentId: string): Promise<(DetailTransition & { from: IntentStatus | null })[]> {
    return this.dataSource.query(TRANSITIONS, [intentId]);
  }

  async settlement(intentId: string): Promise<SettlementRow | null> {
    const [row] = await this.dataSource.query<Stored<SettlementRow>[]>(SETTLEMENT, [intentId]);
    return row ? toSettlement(row) : null;
  }

  async reviewReason(intentId: string): Promise<ReviewReason | null> {
    const [row] = await this.dataSource.query<{ reason: ReviewReason }[]>(IN_REVIEW, [intentId]);
    return row?.reason ?? null;
  }
}
