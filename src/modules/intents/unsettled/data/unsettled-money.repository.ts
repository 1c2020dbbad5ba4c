import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { rowReader, type Stored } from '../../../../database/columns.js';
import { run, statement } from '../../../../database/statement.js';
import { only } from '../../../../kernel/lookups.js';
import type { AlertKind } from '../../../alerts/alerts.types.js';
import { OUTBOX_CTES } from '../../../webhooks/data/outbox.shared.sql.js';
import type { Money } from '../../reviews.types.js';
import type { AtomsOfTransfer } from '../domain/resting.js';
import type { SettledPart, UnsettledMoney } from '../domain/unsettled-money.js';

/** The alerts about an intent's money that each decision about it raises or resolves. */
const ALERTS = ['review-entry', 'reorganised-after-settlement'] as const satisfies readonly AlertKind[];

/**
 * What has been written of an intent's money, by a settlement, by announcements and by decisions; and what of it is in the queue
 * or in an alert that is not over, so that a decision takes nothing back that is not there.
 */
const RECORDED = statement(
  'intents-unsettled-money-recorded',
  `SELECT s.quote_id AS "quoteId", s.excess_atoms::text AS "excessAtoms", coalesce(s.transfers, '[]') AS transfers,
          coalesce((SELECT json_object_agg(transfer_id, amount_atoms::text) FROM unsettled_money WHERE intent_id = $1),
                   '{}') AS announced,
          ARRAY (SELECT unnest(transfers) FROM review_decision WHERE intent_id = $1) AS decided,
          EXISTS (SELECT FROM review_entry WHERE intent_id = $1) AS "isQueued",
          ARRAY (SELECT kind FROM alert
                  WHERE kind IN (${ALERTS.map((kind) => `'${kind}'`).join(', ')}) AND subject = $1 AND resolved_at IS NULL) AS alerts
     FROM (SELECT) AS always LEFT JOIN settlement s ON s.intent_id = $1`,
);

/** A row, its event and its deliveries, or none of them. */
const ANNOUNCE = statement(
  'intents-unsettled-money-announce',
  `WITH money AS (
     SELECT i.id AS intent_id, i.merchant_id, u.*
     FROM intent i, unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::numeric[], $8::text[],
                           $9::int[], $10::text[], $11::text[], $12::text[])
       AS u (transfer_id, reason, network, asset, decimals, amount_atoms, txid, sequence, event_id, body, depth)
     WHERE i.id = $1
   ),
   appended AS (
     SELECT event_id AS id, merchant_id, 'payment.money' AS type, intent_id AS subject, sequence, body FROM money
   ),
   ${OUTBOX_CTES}
   INSERT INTO unsettled_money (intent_id, transfer_id, merchant_id, reason, network, asset, decimals, amount_atoms,
                                txid, sequence, event_id, depth)
   SELECT intent_id, transfer_id, merchant_id, reason, network, asset, decimals, amount_atoms, txid, sequence, event_id,
          depth
   FROM money
   RETURNING EXISTS (SELECT FROM outbox_delivery WHERE state = 'pending') AS "isTold"`,
);

/** What is left to give back: `refundable` in the migrations is the one place of the rule. $2: without these transfers. */
const REFUNDABLE = statement(
  'intents-refundable',
  `SELECT r.network, r.asset, r.decimals, (r.atoms - o.atoms)::text AS atoms
   FROM refundable($1) r CROSS JOIN LATERAL (
     SELECT coalesce(sum(amount_atoms), 0) AS atoms FROM unsettled_money u
     WHERE u.intent_id = $1 AND u.network = r.network AND u.asset = r.asset AND u.transfer_id = ANY ($2::text[])) o
   WHERE r.atoms > o.atoms ORDER BY r.network, r.asset`,
);

/** What was returned and blocks no longer hold: `refunded_beyond` in the migrations is the one place of the rule. */
const REFUNDED_BEYOND = statement(
  'intents-refunded-beyond',
  `SELECT b.network, b.asset, b.decimals, b.atoms::text AS atoms FROM refunded_beyond($1) b ORDER BY b.network, b.asset`,
);

export interface RecordedMoney {
  readonly settled: SettledPart | null;
  /** Each as it was written; of a settlement's excess, the part of its transfer. */
  readonly announced: readonly { readonly id: string; readonly amountAtoms: bigint }[];
  /** What the settlement rests on. */
  readonly settledTransfers: readonly AtomsOfTransfer[];
  /** Transfers that the settlement or a decision has dealt with. */
  readonly covered: ReadonlySet<string>;
  /** Whether somebody has decided about any of it: a refund is such a decision, also of a settlement's excess. */
  readonly isDecided: boolean;
  /** Whether the review queue has an entry of the intent. */
  readonly isQueued: boolean;
  /** Those of the intent that are not over. */
  readonly alerts: ReadonlySet<(typeof ALERTS)[number]>;
}

export interface Announcement extends UnsettledMoney {
  readonly sequence: number;
  readonly eventId: string;
  readonly body: string;
}

interface RecordedRow {
  readonly quoteId: string | null;
  readonly excessAtoms: string;
  readonly transfers: readonly Stored<AtomsOfTransfer>[];
  /** Atoms by transfer. */
  readonly announced: Readonly<Record<string, string>>;
  readonly decided: readonly string[];
  readonly isQueued: boolean;
  readonly alerts: readonly (typeof ALERTS)[number][];
}

/** The rows of final money that no settlement took. Written and read under the intent's lock. */
@Injectable()
export class UnsettledMoneyRepository {
  /** Under the intent's lock, as all of it is written, it stays true until somebody writes in the same transaction. */
  async recorded(tx: EntityManager, intentId: string): Promise<RecordedMoney> {
    const { quoteId, excessAtoms, transfers, announced, decided, isQueued, alerts } = only(
      await run<RecordedRow>(tx, RECORDED, [intentId]),
    );
    const transferIds = transfers.map(({ id }) => id);
    return {
      settled: quoteId === null ? null : { quoteId, excessAtoms: BigInt(excessAtoms), transferIds },
      settledTransfers: transfers.map(withAtoms),
      announced: Object.entries(announced).map(([id, amountAtoms]) => withAtoms({ id, amountAtoms })),
      covered: new Set([...transferIds, ...decided]),
      isDecided: decided.length > 0,
      isQueued,
      alerts: new Set(alerts),
    };
  }

  /** Whether what is final covers all that is returned or promised of an asset. */
  async covers(tx: EntityManager, intentId: string, network: string, asset: string): Promise<boolean> {
    const rows = await tx.query<unknown[]>(
      `SELECT FROM refundable($1) r WHERE r.network = $2 AND r.asset = $3 AND r.atoms >= 0`,
      [intentId, network, asset],
    );
    return rows.length > 0;
  }

  /** Which of an intent's transfers a refund of an asset is about. */
  async transfersOf(tx: EntityManager, intentId: string, network: string, asset: string): Promise<string[]> {
    const rows = await tx.query<{ id: string }[]>(
      `SELECT transfer_id AS id FROM unsettled_money WHERE intent_id = $1 AND network = $2 AND asset = $3
       ORDER BY sequence`,
      [intentId, network, asset],
    );
    return rows.map(({ id }) => id);
  }

  /** @returns whether a delivery of their events is due */
  async announce(tx: EntityManager, intentId: string, money: readonly Announcement[]): Promise<boolean> {
    const rows = await run<{ isTold: boolean }>(tx, ANNOUNCE, [
      intentId,
      money.map(({ transfer }) => transfer.id),
      money.map(({ reason }) => reason),
      money.map(({ transfer }) => transfer.network),
      money.map(({ transfer }) => transfer.asset),
      money.map(({ decimals }) => decimals),
      money.map(({ atoms }) => atoms.toString()),
      money.map(({ transfer }) => transfer.txid),
      money.map(({ sequence }) => sequence),
      money.map(({ eventId }) => eventId),
      money.map(({ body }) => body),
      money.map(({ depth }) => String(depth)),
    ]);
    return rows.some(({ isTold }) => isTold);
  }

  /**
   * By network and asset; what is used up is left out.
   * @param without transfers that somebody has yet to decide about
   */
  async refundable(
    on: DataSource | EntityManager,
    intentId: string,
    without: readonly string[] = [],
  ): Promise<Money[]> {
    return (await run<Stored<Money>>(on, REFUNDABLE, [intentId, without])).map(asMoney);
  }

  /** By network and asset, by how much the recorded refunds exceed what the chain holds; empty where they do not. */
  async refundedBeyond(tx: EntityManager, intentId: string): Promise<Money[]> {
    return (await run<Stored<Money>>(tx, REFUNDED_BEYOND, [intentId])).map(asMoney);
  }
}

const asMoney = rowReader<Money>({ atoms: true });
const withAtoms = rowReader<AtomsOfTransfer>({ amountAtoms: true });
