import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

export interface Finding {
  readonly invariant: string;
  readonly violations: number;
}

/** Each query counts rows that must not exist. */
const INVARIANTS: Readonly<Record<string, string>> = {
  'one event per transition, with the same sequence': `
    SELECT count(*) FROM transition t LEFT JOIN event e ON e.id = t.event_id
    WHERE e.subject IS DISTINCT FROM t.intent_id OR e.sequence IS DISTINCT FROM t.sequence`,
  'one transition per event': `
    SELECT count(*) FROM event e LEFT JOIN transition t ON t.event_id = e.id
    WHERE e.type = 'payment.status' AND t.event_id IS NULL`,
  'sequences without gaps, ending where the intent stands': `
    SELECT count(*) FROM intent i
    JOIN (SELECT intent_id, count(*) AS n, max(sequence) AS last FROM transition GROUP BY intent_id) t
      ON t.intent_id = i.id
    WHERE t.n <> t.last OR t.last <> i.sequence`,
  'one delivery per event and endpoint that existed': `
    SELECT count(*) FROM event e JOIN webhook_endpoint w
      ON w.merchant_id = e.merchant_id AND w.created_at < e.created_at - interval '1 minute' AND w.deleted_at IS NULL
    WHERE e.type = 'payment.status'
      AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.event_id = e.id AND d.endpoint_id = w.id)`,
  'settled has a record that covers the amount, or an accept': `
    SELECT count(*) FROM intent i LEFT JOIN settlement s ON s.intent_id = i.id LEFT JOIN quote q ON q.id = s.quote_id
    WHERE i.status = 'settled' AND (s.intent_id IS NULL OR (s.accepted_by IS NULL
      AND s.received_atoms < ceil(q.amount_atoms * (10000 - q.tolerance_bps) / 10000)))`,
  'a settlement received what its transfers add up to': `
    SELECT count(*) FROM settlement s WHERE s.received_atoms <>
      (SELECT coalesce(sum((t->>'amountAtoms')::numeric), 0) FROM jsonb_array_elements(s.transfers) t)`,
  'an address belongs to one intent': `
    SELECT count(*) FROM transfer t JOIN address a USING (family, address) WHERE a.subject <> t.subject`,
  'a quote is paid at its own intent’s address': `
    SELECT count(*) FROM quote q JOIN address a ON a.family = q.family AND a.address = q.watched_address
    WHERE a.subject <> q.intent_id`,
  'counts per status are the rows': `
    SELECT count(*) FROM
      (SELECT merchant_id, status, count(*) AS n FROM intent GROUP BY 1, 2) i
      FULL JOIN (SELECT merchant_id, status, sum(intents) AS n FROM intent_count GROUP BY 1, 2 HAVING sum(intents) <> 0) c
      USING (merchant_id, status)
    WHERE i.n IS DISTINCT FROM c.n`,
};

/** What must hold at any time, as queries. Run by `cli check` and after tests. */
@Injectable()
export class InvariantsService {
  constructor(private readonly dataSource: DataSource) {}

  /** All invariants on one snapshot, with how many rows break each. */
  async check(): Promise<Finding[]> {
    return this.dataSource.transaction('REPEATABLE READ', async (tx) => {
      await tx.query('SET LOCAL statement_timeout = 0'); // they read every row, which takes what it takes
      const findings: Finding[] = [];
      for (const [invariant, query] of Object.entries(INVARIANTS)) {
        const [row] = await tx.query<[{ count: string }]>(query);
        findings.push({ invariant, violations: Number(row.count) });
      }
      return findings;
    });
  }
}
