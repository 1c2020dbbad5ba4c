import type { EntityManager } from 'typeorm';
import { run, statement } from '../../../../database/statement.js';
import { OUTBOX_CTES } from '../../../webhooks/data/outbox.shared.sql.js';
import type { Intent } from '../../domain/model.js';
import type { Settlement } from '../../domain/settlement.js';
import type { RenderedStep } from '../domain/steps.js';
import { COUNTER_SHARD } from './counter-shard.sql.js';

/**
 * Moves an intent: a compare-and-set on the status and sequence that were decided upon, together
 * with every edge, event, delivery, count and the settlement record. The database's foreign keys repeat the table.
 */
const WALK = statement(
  'intents-walk',
  `WITH moved AS (
     UPDATE intent SET status = $4, sequence = $5, quote_id = $6, completed_at = $7, confirmed_at = $8, settled_at = $9
     WHERE id = $1 AND status = $2 AND sequence = $3
     RETURNING id, merchant_id
   ),
   step AS (
     SELECT moved.id AS intent_id, moved.merchant_id, u.*
     FROM moved, unnest($10::int[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[])
       AS u (sequence, from_status, to_status, cause, event_id, body)
   ),
   appended AS (
     SELECT event_id AS id, merchant_id, 'payment.status' AS type, intent_id AS subject, sequence, body FROM step
   ),
   ${OUTBOX_CTES},
   walked AS (
     INSERT INTO transition (intent_id, sequence, from_status, to_status, cause, event_id, trace_id, created_at)
     SELECT intent_id, sequence, from_status, to_status, cause, event_id, $16::text, $17::timestamptz FROM step
   ),
   counted AS (
     INSERT INTO intent_count AS c (merchant_id, status, shard, intents)
     SELECT merchant_id, status, ${COUNTER_SHARD}, delta
     FROM moved, (VALUES ($2::text, -1), ($4::text, 1)) AS d (status, delta) ORDER BY status
     ON CONFLICT (merchant_id, status, shard) DO UPDATE SET intents = c.intents + excluded.intents
   ),
   recorded AS (
     INSERT INTO settlement (intent_id, quote_id, network, asset, received_atoms, excess_atoms, price, rate_sources,
                             fiat_minor, transfers, accepted_by, accept_reason)
     SELECT moved.id, s->>'quoteId', s->>'network', s->>'asset', (s->>'receivedAtoms')::numeric,
            (s->>'excessAtoms')::numeric, s->>'price', s->'rateSources', (s->>'fiatMinor')::numeric, s->'transfers',
            s->>'acceptedBy', s->>'acceptReason'
     FROM moved, (SELECT $18::jsonb AS s) AS given WHERE s IS NOT NULL
   )
   SELECT EXISTS (SELECT FROM outbox_delivery WHERE state = 'pending') AS "isTold" FROM moved`,
);

export interface Walk {
  readonly before: Intent;
  readonly after: Intent;
  readonly steps: readonly RenderedStep[];
  readonly settlement: Settlement | null;
  readonly traceId: string | undefined;
  readonly at: Date;
}

/** @returns whether a delivery of its events is due; `null` when somebody else moved the intent in the meantime, and nothing is written */
export async function writeTransitions(
  tx: EntityManager,
  walk: Walk,
): Promise<{ readonly isTold: boolean } | null> {
  const { before, after, steps, settlement } = walk;
  const [written] = await run<{ isTold: boolean }>(tx, WALK, [
    before.id,
    before.status,
    before.sequence,
    after.status,
    after.sequence,
    after.quoteId,
    after.completedAt,
    after.confirmedAt,
    after.settledAt,
    steps.map((step) => step.sequence),
    steps.map((step) => step.from),
    steps.map((step) => step.to),
    steps.map((step) => step.cause),
    steps.map((step) => step.eventId),
    steps.map((step) => step.body),
    walk.traceId ?? null,
    walk.at,
    settlement
      ? JSON.stringify(settlement, (_, value: unknown) =>
          typeof value === 'bigint' ? value.toString() : value,
        )
      : null,
  ]);
  return written ?? null;
}
