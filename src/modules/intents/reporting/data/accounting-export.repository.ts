import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { rowReader, type Stored } from '../../../../database/columns.js';
import { run, statement } from '../../../../database/statement.js';
import type { AccountingRecord } from '../domain/accounting-row.js';

/** Rows of one round trip: enough to be quick, few enough that memory does not grow with the period. */
const PAGE_ROWS = 500;

const PERIOD = (at: string, key: string) => `
  ${at} >= $2 AND ${at} < $3 AND ($4::timestamptz IS NULL OR (${at}, ${key}) > ($4::timestamptz, $5))
  ORDER BY ${at}, ${key} LIMIT ${PAGE_ROWS}`;

/** Settled intents, other final money, refunds and dismissals of a period, in one order. */
const EXPORT = statement(
  'intents-accounting-export',
  `SELECT rows.*, rows.at::text AS "atText" FROM (
     (SELECT 'payment' AS type, i.settled_at AS at, i.id AS key, i.id AS "intentId", i.title,
        i.idempotency_key AS reference, i.currency, i.amount_minor::text AS "amountMinor", s.network, s.asset,
        q.decimals, q.amount_atoms::text AS "quotedAtoms", s.received_atoms::text AS "receivedAtoms",
        s.excess_atoms::text AS "excessAtoms", s.fiat_minor::text AS "fiatMinor", s.price,
        q.spread_bps AS "spreadBps", s.rate_sources AS "rateSources", q.rate_at AS "rateAt",
        ARRAY(SELECT DISTINCT t->>'txid' FROM jsonb_array_elements(s.transfers) t) AS txids,
        s.accepted_by AS "decidedBy", s.accept_reason AS reason, NULL::text AS refunded,
        -- What was exported before it was accepted is not exported once more.
        (s.received_atoms - coalesce((
          SELECT sum(u.amount_atoms) FROM unsettled_money u, jsonb_array_elements(s.transfers) t
          WHERE u.intent_id = i.id AND u.transfer_id = t->>'id' AND u.reason <> 'excess'), 0))::text AS "inAtoms",
        NULL::text AS "outAtoms"
      FROM intent i JOIN settlement s ON s.intent_id = i.id JOIN quote q ON q.id = s.quote_id
      WHERE i.merchant_id = $1 AND ${PERIOD('i.settled_at', 'i.id')})
     UNION ALL
     (SELECT 'money', u.created_at, u.event_id, i.id, i.title, i.idempotency_key, i.currency, i.amount_minor::text,
        u.network, u.asset, u.decimals, NULL, u.amount_atoms::text, NULL, NULL, NULL, NULL, NULL, NULL,
        ARRAY[u.txid], NULL, u.reason, NULL, u.amount_atoms::text, NULL
      FROM unsettled_money u JOIN intent i ON i.id = u.intent_id
      -- The excess of a settlement is in what the settlement received.
      WHERE u.reason <> 'excess' AND u.merchant_id = $1 AND ${PERIOD('u.created_at', 'u.event_id')})
     UNION ALL
     (SELECT CASE d.kind WHEN 'refund' THEN 'refund' ELSE 'dismissal' END, d.created_at, d.id, i.id, i.title,
        i.idempotency_key, i.currency, i.amount_minor::text, d.refund_network, d.refund_asset, d.refund_decimals,
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        array_remove(ARRAY[d.refund_txid], NULL), d.actor, d.note, d.refund_amount, NULL, d.refund_atoms::text
      FROM review_decision d JOIN intent i ON i.id = d.intent_id
      WHERE d.kind IN ('refund', 'dismiss') AND i.merchant_id = $1 AND ${PERIOD('d.created_at', 'd.id')})
   ) rows ORDER BY at, key LIMIT ${PAGE_ROWS}`,
);

interface PageRow extends Stored<AccountingRecord> {
  readonly key: string;
  /** With the microseconds that a `Date` cuts off: a page must begin exactly where the one before ended. */
  readonly atText: string;
}

const toRow = rowReader<AccountingRecord>({
  amountMinor: true,
  quotedAtoms: true,
  receivedAtoms: true,
  excessAtoms: true,
  fiatMinor: true,
  inAtoms: true,
  outAtoms: true,
});

/** What a merchant's accounting export of a period is written from. */
@Injectable()
export class AccountingExportRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Page by page behind the last row, so that neither memory nor a connection is held while somebody reads slowly.
   * The rows are never changed once written; those of a period that has ended are complete.
   */
  async *between(merchantId: string, from: Date, to: Date): AsyncGenerator<AccountingRecord> {
    let last: PageRow | undefined;
    do {
      const after = [last?.atText ?? null, last?.key ?? null];
      const page: PageRow[] = await run<PageRow>(this.dataSource, EXPORT, [merchantId, from, to, ...after]);
      yield* page.map(toRow);
      last = page.length === PAGE_ROWS ? page.at(-1) : undefined;
    } while (last);
  }
}
