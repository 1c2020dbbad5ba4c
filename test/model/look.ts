import type { DataSource } from 'typeorm';
import type { MoneyTold } from './reference.js';

/** An intent as the service has it: what it says to merchants, and what it rests on. */
export interface Seen {
  readonly status: string;
  readonly walk: string[];
  /** Transaction and output of each movement in its entry of the queue. */
  readonly queued: string[];
  readonly reason: string | null;
  /** What its merchant has been told of beside the settlement: each event, and what was written down with it. */
  readonly money: {
    readonly key: string;
    readonly atoms: string;
    readonly told: MoneyTold & { readonly id?: string };
  }[];
  readonly settledBy: { readonly key: string; readonly atoms: string }[];
  readonly acceptedBy: string | null;
  readonly undone: boolean;
  readonly asked: boolean;
  readonly confirmedAt: Date | null;
  readonly settledAt: Date | null;
  readonly expiresAt: Date;
  readonly network: string | null;
  readonly depth: string | null;
  readonly quotedAtoms: string | null;
  /** Everything that is recorded. */
  readonly transfers: { readonly key: string; readonly atoms: string; readonly state: string }[];
}

const LOOK = `
  SELECT i.status, i.confirmed_at AS "confirmedAt", i.settled_at AS "settledAt", i.expires_at AS "expiresAt",
    ARRAY (SELECT to_status FROM transition WHERE intent_id = i.id ORDER BY sequence) AS walk,
    ARRAY (SELECT t.txid || '/' || t.output FROM review_entry r JOIN transfer t ON t.id = ANY (r.transfers)
           WHERE r.intent_id = i.id ORDER BY t.txid COLLATE "C", t.output COLLATE "C") AS queued,
    (SELECT reason FROM review_entry WHERE intent_id = i.id) AS reason,
    (SELECT coalesce(json_agg(json_build_object('key', t.txid || '/' || t.output, 'atoms', m.amount_atoms::text,
              'told', e.body::json #> '{data,money}') ORDER BY t.txid COLLATE "C", t.output COLLATE "C"), '[]')
       FROM event e LEFT JOIN unsettled_money m ON m.event_id = e.id LEFT JOIN transfer t ON t.id = m.transfer_id
      WHERE e.subject = i.id AND e.type = 'payment.money') AS money,
    (SELECT coalesce(json_agg(json_build_object('key', t->>'txid' || '/' || (t->>'output'), 'atoms', t->>'amountAtoms')
              ORDER BY t->>'txid' COLLATE "C", t->>'output' COLLATE "C"), '[]')
       FROM settlement s, jsonb_array_elements(s.transfers) t WHERE s.intent_id = i.id) AS "settledBy",
    s.accepted_by AS "acceptedBy", q.network, q.settlement_depth AS depth, q.amount_atoms::text AS "quotedAtoms",
    EXISTS (SELECT FROM alert a WHERE a.subject = i.id AND a.resolved_at IS NULL
              AND a.kind = 'reorganised-after-settlement') AS undone,
    EXISTS (SELECT FROM alert a WHERE a.subject = i.id AND a.resolved_at IS NULL AND a.kind = 'review-entry') AS asked,
    (SELECT coalesce(json_agg(json_build_object('key', t.txid || '/' || t.output, 'atoms', t.amount_atoms::text,
              'state', t.state)), '[]') FROM transfer t WHERE t.subject = i.id) AS transfers
  FROM intent i LEFT JOIN settlement s ON s.intent_id = i.id LEFT JOIN quote q ON q.id = coalesce(s.quote_id, i.quote_id)
  WHERE i.id = $1`;

export async function lookAt(dataSource: DataSource, id: string): Promise<Seen> {
  const [row] = await dataSource.query<[Seen]>(LOOK, [id]);
  return row;
}
