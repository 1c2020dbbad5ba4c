import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { FoundPayment, NamedAccount, Searched } from '../../../chains/outgoing.types.js';
import type { RestedOn } from '../../../chains/repair/chain-repair.service.js';
import {
  NOT_REFUSED,
  paymentsLock,
  type RefundRow,
  refundsWhere,
  SEARCHED_FOR,
} from './find-refunds.statement.js';

/** What is looked for on the chain, or followed there. */
const FOLLOWED = `(f.state = 'seen'
  OR f.search_ended_at IS NULL AND (f.state IN ('asked', 'sent') OR f.undone_at IS NOT NULL))`;
/**
 * A second payment comes soon, if it comes: two people had the page open, or a wallet sent what was withdrawn. Each day of
 * it reads the network's blocks once more.
 */
const AFTERWARDS = `(f.state IN ('seen', 'final', 'withdrawn') AND f.changed_at > clock_timestamp() - interval '2 days'
  AND f.again_txid IS NULL AND f.undone_at IS NULL AND f.given_up_at IS NULL)`;
/**
 * A search that ends is at the tip, give or take what comes meanwhile: else it has not had its time yet. Where it does not
 * get there within two days more, that is said all the same.
 */
const AT_TIP_BLOCKS = 100;
/** A decision of the merchant's for which somebody typed the transaction $2. */
const BY_HAND = `
  SELECT FROM review_decision d JOIN intent i ON i.id = d.intent_id
   WHERE i.merchant_id = refund.merchant_id AND d.refund_network = refund.network
     AND regexp_replace(lower(d.refund_txid), '^0x', '') = regexp_replace($2, '^0x', '')
     AND NOT EXISTS (SELECT FROM refund r WHERE r.decision_id = d.id)`;
const LOCK_PAYMENTS = `SELECT ${paymentsLock('f.merchant_id', 'f.network')} FROM refund f WHERE f.id = $1`;
/** `o`, another refund of the merchant that waits for exactly the same. */
const SAME = `(o.merchant_id, o.network, o.asset, o.address, o.atoms)
  = (refund.merchant_id, refund.network, refund.asset, refund.address, refund.atoms)
  AND o.id <> refund.id AND o.state IN ('asked', 'sent') AND o.search_ended_at IS NULL AND o.asked_height < $4`;
/** Refused for two days, but for their last hour: one more refusal, within that hour, has to say so too. */
const BEFORE_THE_LAST_HOUR = `interval '47 hours'`;
const LOOKED_FOR_AGAIN = `search_until = clock_timestamp() + ${SEARCHED_FOR}, search_ended_at = NULL,
  ${NOT_REFUSED}, searched_height = greatest(asked_height, $2), searched_hash = NULL`;

/** The movement $2, $3 pays `o`, a refund of the same merchant: what other merchants take for theirs is nothing to it. */
const PAID_BY = `(o.merchant_id, o.network, o.txid, o.output) = (refund.merchant_id, refund.network, $2, $3)`;

const SEEN = `
  UPDATE refund SET state = CASE state WHEN 'final' THEN 'final' ELSE 'seen' END, txid = $2, output = $3,
         block_height = $4, block_hash = $5, undone_at = NULL, elsewhere_txid = NULL,
         changed_at = CASE state WHEN 'final' THEN changed_at ELSE clock_timestamp() END
  WHERE id = $1
    AND NOT EXISTS (SELECT FROM refund o WHERE o.id <> refund.id AND ${PAID_BY})
    AND NOT EXISTS (SELECT FROM refund o WHERE ${SAME}
                       AND CASE WHEN o.txid = $2 THEN 0 WHEN o.txid IS NULL THEN 1 ELSE 2 END
                         < CASE WHEN refund.txid = $2 THEN 0 WHEN refund.txid IS NULL OR $6 THEN 1 ELSE 2 END)
    AND NOT EXISTS (${BY_HAND})`;

const PAID_AGAIN = `
  UPDATE refund SET again_txid = $2, again_output = $3
  WHERE id = $1 AND again_txid IS NULL AND undone_at IS NULL AND given_up_at IS NULL AND state IN ('seen', 'final', 'withdrawn')
    AND NOT EXISTS (SELECT FROM refund o WHERE ${PAID_BY})
    AND NOT EXISTS (SELECT FROM refund o WHERE (o.merchant_id, o.network) = (refund.merchant_id, refund.network)
                       AND o.again_txid = $2 AND o.again_output = $3)
    AND NOT EXISTS (SELECT FROM refund o WHERE ${SAME})
    AND NOT EXISTS (${BY_HAND})`;

/** What becomes of refunds on their chains. Each change of a state is made under the intent's lock. */
@Injectable()
export class RefundFollowingRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Of one network, those whose turn it is: each merchant's that was looked at longest ago, then each one's next, so that
   * no merchant waits for how many another one has, nor a refund for one that is never found. They have had it then.
   */
  async takeTurns(network: string, limit: number): Promise<RefundRow[]> {
    return this.lookedAt(
      `${FOLLOWED} AND f.network = $1
       ORDER BY row_number() OVER (PARTITION BY f.merchant_id ORDER BY f.looked_at, f.id), f.looked_at, f.id LIMIT $2`,
      [network, limit],
    );
  }

  /** Of one network, those that are paid or withdrawn, and may be paid once more; in turns likewise. */
  async takeAfterwards(network: string, limit: number): Promise<RefundRow[]> {
    return this.lookedAt(
      `${AFTERWARDS} AND f.network = $1 AND f.searched_height < (SELECT height FROM chain_cursor WHERE network = $1)
       ORDER BY row_number() OVER (PARTITION BY f.merchant_id ORDER BY f.looked_at, f.id), f.looked_at, f.id LIMIT $2`,
      [network, limit],
    );
  }

  async networks(): Promise<string[]> {
    const rows = await this.dataSource.query<{ network: string }[]>(
      `SELECT DISTINCT f.network FROM refund f WHERE ${FOLLOWED} OR ${AFTERWARDS}`,
    );
    return rows.map(({ network }) => network);
  }

  /**
   * Final ones where the watcher has passed another block by now. That theirs was given up a trigger has noted, however long
   * ago; of those that became final or were found again at that very moment only the block in its place tells.
   */
  reorganised(limit: number): Promise<RefundRow[]> {
    return refundsWhere(
      this.dataSource,
      `f.id IN (
         SELECT r.id FROM refund r JOIN chain_block b ON b.network = r.network AND b.height = r.block_height
          WHERE r.state = 'final' AND r.undone_at IS NULL AND b.hash <> r.block_hash
         UNION
         SELECT r.id FROM refund r JOIN chain_cursor c ON c.network = r.network AND c.height >= r.block_height
          WHERE r.given_up_at IS NOT NULL) LIMIT $1`,
      [limit],
    );
  }

  /** @returns whether the watcher has passed the same block again since it was given up: then nothing was, and nothing is noted */
  async cameBack(tx: EntityManager, id: string): Promise<boolean> {
    const [, changed] = await tx.query<[unknown, number]>(
      `UPDATE refund f SET given_up_at = NULL FROM chain_block b
       WHERE f.id = $1 AND b.network = f.network AND b.height = f.block_height AND b.hash = f.block_hash
         AND (f.given_up_at IS NULL OR b.recorded_at > f.given_up_at)`,
      [id],
    );
    return changed === 1;
  }

  /** In which blocks of a network, up to a height, refunds are seen or final, the highest first. */
  restedOn(network: string, upTo: number, most: number): Promise<RestedOn[]> {
    return this.dataSource.query<RestedOn[]>(
      `SELECT block_height::float8 AS height, block_hash AS hash, count(*)::int AS facts FROM refund
        WHERE network = $1 AND block_height <= $2 AND (state = 'seen' OR state = 'final' AND undone_at IS NULL)
        GROUP BY 1, 2 ORDER BY 1 DESC LIMIT $3`,
      [network, upTo, most],
    );
  }

  /** Those that stood above a height, seen or final; locked, so that none becomes final meanwhile. */
  standingAbove(tx: EntityManager, network: string, height: number): Promise<RefundRow[]> {
    const standing = `(f.state = 'seen' OR f.state = 'final' AND f.undone_at IS NULL)`;
    return refundsWhere(
      tx,
      `f.network = $1 AND f.block_height > $2 AND ${standing} ORDER BY f.id FOR UPDATE`,
      [network, height],
    );
  }

  /** Final ones of a network whose id comes after one, in the order of ids. */
  finalOn(network: string, after: string, limit: number): Promise<RefundRow[]> {
    return refundsWhere(
      this.dataSource,
      `f.network = $1 AND f.state = 'final' AND f.undone_at IS NULL AND f.id > $2 ORDER BY f.id LIMIT $3`,
      [network, after, limit],
    );
  }

  /** Those that have been looked for as long as they are, up to now. */
  overdue(limit: number): Promise<RefundRow[]> {
    return refundsWhere(
      this.dataSource,
      `${FOLLOWED} AND f.state <> 'seen' AND f.search_until < clock_timestamp()
         AND (f.search_until < clock_timestamp() - interval '2 days'
              OR EXISTS (SELECT FROM chain_cursor c
                          WHERE c.network = f.network AND f.searched_height >= c.height - ${AT_TIP_BLOCKS})) LIMIT $1`,
      [limit],
    );
  }

  /** @returns `false` where it was found, withdrawn or asked for again meanwhile */
  async endSearch(tx: EntityManager, id: string): Promise<boolean> {
    const [, changed] = await tx.query<[unknown, number]>(
      `UPDATE refund f SET search_ended_at = clock_timestamp()
       WHERE id = $1 AND ${FOLLOWED} AND state <> 'seen'
         AND (search_until < clock_timestamp() OR refused_since IS NOT NULL)`,
      [id],
    );
    return changed === 1;
  }

  /**
   * The search for these was refused, now too: for some because a block is gone.
   * @returns those for which it has been for longer than a node is mended in; where a block is gone, for longer than one of
   * several nodes behind one address answers each time
   */
  async refused(ids: readonly string[], gone: readonly string[]): Promise<ReadonlySet<string>> {
    const [rows] = await this.dataSource.query<[{ id: string; isLong: boolean }[], number]>(
      `UPDATE refund SET refused_since = coalesce(refused_since, clock_timestamp()),
              gone_since = CASE WHEN id = ANY($2) THEN coalesce(gone_since, clock_timestamp()) END
       WHERE id = ANY($1)
       RETURNING id, refused_since < clock_timestamp() - interval '2 days'
                  OR coalesce(gone_since < clock_timestamp() - interval '10 minutes', false) AS "isLong"`,
      [ids, gone],
    );
    return new Set(rows.filter(({ isLong }) => isLong).map(({ id }) => id));
  }

  /** The network's node answers nothing now: what it goes on refusing after that is refused. */
  async unanswered(network: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE refund SET refused_since = greatest(refused_since, clock_timestamp() - ${BEFORE_THE_LAST_HOUR}), gone_since = NULL
       WHERE network = $1 AND refused_since IS NOT NULL`,
      [network],
    );
  }

  /**
   * A movement goes to the refund for which it is named, else to one that names nothing or whose transaction it replaces,
   * and only then to one that names another: two people may pay two refunds of the same amount to the same address.
   * @returns whether it pays this one, and no other of the merchant's
   */
  async seen(tx: EntityManager, id: string, payment: FoundPayment): Promise<boolean> {
    const { txid, output, height, hash, isReplacement = false } = payment;
    const given = [id, txid, output, height, hash, isReplacement];
    await tx.query(LOCK_PAYMENTS, [id]);
    return (await tx.query<[unknown, number]>(SEEN, given))[1] === 1;
  }

  /** Says that a movement counts for another refund of the merchant's, where it does. */
  async elsewhere(id: string, { txid, output }: FoundPayment): Promise<void> {
    await this.dataSource.query(
      `UPDATE refund SET elsewhere_txid = $2
       WHERE id = $1 AND state IN ('asked', 'sent') AND elsewhere_txid IS DISTINCT FROM $2
         AND EXISTS (SELECT FROM refund o WHERE ${PAID_BY})`,
      [id, txid, output],
    );
  }

  /** Whether the movement that pays it is taken for a refund of another merchant too. */
  async isShared(tx: EntityManager, id: string): Promise<boolean> {
    const [found] = await tx.query<[{ shared: boolean }]>(
      `SELECT EXISTS (SELECT FROM refund f JOIN refund o USING (network, txid, output)
                       WHERE f.id = $1 AND o.merchant_id <> f.merchant_id) AS shared`,
      [id],
    );
    return found.shared;
  }

  /** @returns whether the movement pays nothing else, and is the first that is told of */
  async paidAgain(tx: EntityManager, id: string, { txid, output, height }: FoundPayment): Promise<boolean> {
    await tx.query(LOCK_PAYMENTS, [id]);
    return (await tx.query<[unknown, number]>(PAID_AGAIN, [id, txid, output, height]))[1] === 1;
  }

  /** What a node says of the transaction that is named now. */
  async belongs({ id, txid }: RefundRow, { sender, nonce }: NamedAccount): Promise<void> {
    await this.dataSource.query(
      `UPDATE refund SET named_sender = $3, named_nonce = $4 WHERE id = $1 AND txid = $2 AND state <> 'withdrawn'`,
      [id, txid, sender, nonce],
    );
  }

  /** Its block is no longer on the chain: it is looked for again, some blocks before that one too. */
  async undone(tx: EntityManager, id: string, searchedHeight: number): Promise<void> {
    await tx.query(
      `UPDATE refund SET state = 'sent', output = NULL, block_height = NULL, block_hash = NULL,
              changed_at = clock_timestamp(), ${LOOKED_FOR_AGAIN} WHERE id = $1`,
      [id, searchedHeight],
    );
  }

  /** The same of a final one: what is in the books stays there. */
  async undoneAfterFinal(tx: EntityManager, id: string, searchedHeight: number): Promise<void> {
    await tx.query(
      `UPDATE refund SET undone_at = clock_timestamp(), given_up_at = NULL, ${LOOKED_FOR_AGAIN}
       WHERE id = $1 AND state = 'final'`,
      [id, searchedHeight],
    );
  }

  /** @returns whether it was still seen: an operator's rewind of the chain holds no intent's lock */
  async final(tx: EntityManager, id: string, decisionId: string): Promise<boolean> {
    const [, count] = await tx.query<[unknown, number]>(
      `UPDATE refund SET state = 'final', decision_id = $2, changed_at = clock_timestamp()
       WHERE id = $1 AND state = 'seen'`,
      [id, decisionId],
    );
    return count === 1;
  }

  /** Outside of any decision: it only spares looking at the same blocks again. Nothing where it was set back meanwhile. */
  async searched({ id, searchedHeight: from }: RefundRow, searched: Searched): Promise<void> {
    const { searchedHeight, searchedHash } = searched;
    await this.dataSource.query(
      `UPDATE refund SET searched_height = $3, searched_hash = $4,
              refused_since = CASE WHEN searched_height < $3 THEN NULL ELSE refused_since END,
              gone_since = CASE WHEN searched_height < $3 THEN NULL ELSE gone_since END
       WHERE id = $1 AND searched_height = $2`,
      [id, from, searchedHeight, searchedHash],
    );
  }

  private async lookedAt(condition: string, parameters: unknown[]): Promise<RefundRow[]> {
    const rows = await refundsWhere(this.dataSource, condition, parameters);
    await this.dataSource.query(`UPDATE refund SET looked_at = clock_timestamp() WHERE id = ANY($1)`, [
      rows.map(({ id }) => id),
    ]);
    return rows;
  }
}
