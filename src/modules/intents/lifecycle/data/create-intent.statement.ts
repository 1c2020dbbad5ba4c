import type { DataSource } from 'typeorm';
import { run, statement } from '../../../../database/statement.js';
import { OUTBOX_CTES } from '../../../webhooks/data/outbox.shared.sql.js';
import { INTENT_COLUMNS, type IntentRow, toIntent } from '../../data/intent-columns.sql.js';
import type { Intent } from '../../domain/model.js';
import { WINDOW_MINUTES } from '../../domain/window.js';
import { COUNTER_SHARD } from './counter-shard.sql.js';

/**
 * An intent with its first transition, event, deliveries and count: one statement, one round trip. The unique
 * index decides about the idempotency key; a conflict writes nothing and returns no row.
 */
const CREATE = statement(
  'intents-create',
  `WITH created AS (
     INSERT INTO intent (id, merchant_id, status, amount_minor, currency, title, idempotency_key, return_url,
                         sequence, created_at, expires_at)
     VALUES ($1, $2, 'initiated', $3, $4, $5, $6, $7, 1, $8::timestamptz, $8::timestamptz + interval '${WINDOW_MINUTES} minutes')
     ON CONFLICT (merchant_id, idempotency_key) DO NOTHING
     RETURNING id, merchant_id
   ),
   appended AS (
     SELECT $9::text AS id, merchant_id, 'payment.status' AS type, id AS subject, 1 AS sequence, $10::text AS body
     FROM created
   ),
   ${OUTBOX_CTES},
   walked AS (
     INSERT INTO transition (intent_id, sequence, from_status, to_status, cause, event_id, trace_id, created_at)
     SELECT id, 1, '', 'initiated', 'created', $9::text, $11::text, $8::timestamptz FROM created
   ),
   counted AS (
     INSERT INTO intent_count AS c (merchant_id, status, shard, intents)
     SELECT merchant_id, 'initiated', ${COUNTER_SHARD}, 1 FROM created
     ON CONFLICT (merchant_id, status, shard) DO UPDATE SET intents = c.intents + 1
   )
   SELECT EXISTS (SELECT FROM outbox_delivery WHERE state = 'pending') AS "isTold" FROM created`,
);

const FIND_BY_KEY = statement(
  'intents-find-by-key',
  `SELECT ${INTENT_COLUMNS} FROM intent i WHERE i.merchant_id = $1 AND i.idempotency_key = $2`,
);

export interface FirstEvent {
  readonly id: string;
  readonly body: string;
  readonly traceId: string | undefined;
}

/** @returns whether a delivery of its event is due now; `null` when its idempotency key has been used before */
export async function insertIntent(
  dataSource: DataSource,
  intent: Intent,
  event: FirstEvent,
): Promise<{ readonly isTold: boolean } | null> {
  const [created] = await run<{ isTold: boolean }>(dataSource, CREATE, [
    intent.id,
    intent.merchantId,
    intent.amountMinor,
    intent.currency,
    intent.title,
    intent.idempotencyKey,
    intent.returnUrl,
    intent.createdAt,
    event.id,
    event.body,
    event.traceId ?? null,
  ]);
  return created ?? null;
}

export async function findByIdempotencyKey(
  dataSource: DataSource,
  merchantId: string,
  key: string,
): Promise<Intent | null> {
  const [row] = await run<IntentRow>(dataSource, FIND_BY_KEY, [merchantId, key]);
  return row ? toIntent(row) : null;
}
