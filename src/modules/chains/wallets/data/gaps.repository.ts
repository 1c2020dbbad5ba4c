import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { run, statement } from '../../../../database/statement.js';
import type { KeyGap } from '../gaps.types.js';

/**
 * From the latest index backwards until one was ever paid: few look-ups, because wallets that are paid seldom have far to
 * go. What lies before the first that we issued was in use.
 */
const GAPS = statement(
  'chains-gaps',
  `SELECT k.id, k.merchant_id AS "merchantId", k.family, left(k.xpub, 8) || '…' || right(k.xpub, 6) AS hint,
          (k.next_index - 1 - greatest(coalesce(u.last_used, -1), k.first_index - 1))::int AS unused
     FROM extended_key k
     LEFT JOIN LATERAL (
       SELECT a.derivation_index AS last_used FROM address a
        WHERE a.extended_key_id = k.id
          AND EXISTS (SELECT FROM transfer t WHERE t.subject = a.subject AND t.address = a.address AND t.state = 'included')
        ORDER BY a.derivation_index DESC LIMIT 1) u ON true
    WHERE EXISTS (SELECT FROM wallet w WHERE w.extended_key_id = k.id) AND ($1::text IS NULL OR k.merchant_id = $1)
    ORDER BY k.merchant_id, k.id`,
);

/** How far the keys in use have gone beyond what was last paid. */
@Injectable()
export class GapsRepository {
  constructor(private readonly dataSource: DataSource) {}

  all(merchantId: string | null): Promise<KeyGap[]> {
    return run<KeyGap & Record<string, unknown>>(this.dataSource, GAPS, [merchantId]);
  }
}
