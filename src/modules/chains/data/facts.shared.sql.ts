import type { Stored } from '../../../database/columns.js';
import { valueAt } from '../../../kernel/lookups.js';
import type { ChainTip, Facts, Transfer } from '../chains.types.js';

/**
 * A row (`FactRow`) for each transfer of a subject, with where the watcher of its network stands; `t` is the transfer. What
 * JavaScript's numbers do not hold is text, so that JSON says the same.
 * @param subject SQL that stands after `=`
 */
export const factsSql = (subject: string) => `
  SELECT t.id, t.network, t.txid, t.output, t.asset, t.address, t.subject, t.amount_atoms::text AS "amountAtoms", t.state,
         t.block_height::text AS "blockHeight", t.block_hash AS "blockHash", t.block_time AS "blockTime",
         t.first_seen_at AS "firstSeenAt", t.observed_at AS "observedAt", t.blind_since AS "blindSince", t.spends, t.sender,
         t.nonce::text AS nonce, t.handed_on AS "handedOn", t.in_place_of AS replacements, t.missing_since AS "missingSince",
         t.replaced_by AS "replacedBy", t.superseded, t.own, t.before_issue AS "beforeIssue",
         k.decimals, c.height::text AS height, c.safe_height::text AS "safeHeight",
         c.finalized_height::text AS "finalizedHeight", c.synced_at AS "syncedAt"
  FROM transfer t LEFT JOIN chain_cursor c ON c.network = t.network
  LEFT JOIN known_asset k ON k.network = t.network AND k.symbol = t.asset
  WHERE t.subject = ${subject}`;

/** Of a payment that got dust, another statement does not bring thousands before anybody knows who asks. */
const MOST_BESIDE = 20;

/** A value of another statement, in its snapshot: what `factsBeside` reads. @param subject as of `factsSql` */
export const factsBesideSql = (subject: string) => `
  (SELECT json_agg(f ORDER BY f."observedAt", f.id) FROM (${factsSql(subject)} LIMIT ${MOST_BESIDE + 1}) AS f)`;

/** @returns `null` where there are too many to be read beside anything: ask for them by themselves */
export function factsBeside(rows: FactsBeside): Facts | null {
  if (rows === null) return toFacts([]);
  return rows.length > MOST_BESIDE ? null : toFacts(rows.map(withTimes));
}

/** As JSON says them; `null` where there are none. */
export type FactsBeside = readonly AsJson<FactRow>[] | null;

type IsTime<Value> = [Extract<Value, Date>] extends [never] ? false : true;
type AsJson<Row> = {
  readonly [Key in keyof Row]: IsTime<Row[Key]> extends true ? Exclude<Row[Key], Date> | string : Row[Key];
};
type TimeColumn<Row> = { [Key in keyof Row]-?: IsTime<Row[Key]> extends true ? Key : never }[keyof Row];

export type FactRow = Omit<Stored<Transfer>, 'blockHeight' | 'uses' | 'inPlaceOf'> & {
  readonly subject: string;
  readonly blockHeight: string | null;
  readonly spends: readonly string[] | null;
  readonly sender: string | null;
  readonly nonce: string | null;
  readonly handedOn: readonly string[];
  readonly replacements: readonly string[];
  /** Of its network's cursor; `null` where there is none. */
  readonly height: string | null;
  readonly safeHeight: string | null;
  readonly finalizedHeight: string | null;
  readonly syncedAt: Date | null;
};

/** All of them: it does not compile without one. */
const TIMES: Readonly<Record<TimeColumn<FactRow>, true>> = {
  blockTime: true,
  firstSeenAt: true,
  observedAt: true,
  blindSince: true,
  missingSince: true,
  syncedAt: true,
};

function withTimes(json: AsJson<FactRow>): FactRow {
  const row: Record<string, unknown> = { ...json };
  for (const name of Object.keys(TIMES)) {
    const text = row[name];
    if (typeof text === 'string') row[name] = new Date(text);
  }
  return row as FactRow;
}

/** Of one subject. */
export function toFacts(rows: readonly FactRow[]): Facts {
  const byId = toTransfers(rows);
  const tips = new Map<string, ChainTip>();
  for (const row of rows) {
    const tip = toTip(row);
    if (tip) tips.set(row.network, tip);
  }
  return { transfers: rows.map(({ id }) => valueAt(byId, id)), tips };
}

/**
 * By id. What one took the place of is of the same subject. All that came in the same replacements share one list: what
 * is judged of it is judged once.
 */
function toTransfers(rows: readonly FactRow[]): ReadonlyMap<string, Transfer> {
  const lists = new Map<string, Transfer[]>();
  const listOf = (replacements: readonly string[]) => {
    const key = replacements.join(' ');
    const list = lists.get(key) ?? [];
    lists.set(key, list);
    return list;
  };
  const transfers = new Map(rows.map((row) => [row.id, toTransfer(row, listOf(row.replacements))]));
  const left = new Map<string, Transfer[]>();
  for (const row of rows) {
    for (const replacement of row.handedOn) {
      const losers = left.get(replacement) ?? [];
      left.set(replacement, losers);
      losers.push(valueAt(transfers, row.id));
    }
  }
  for (const [key, list] of lists) {
    if (key === '') continue;
    const losers = new Set(key.split(' ').flatMap((replacement) => left.get(replacement) ?? []));
    list.push(...losers);
  }
  return transfers;
}

function toTransfer(row: FactRow, inPlaceOf: readonly Transfer[]): Transfer {
  return {
    id: row.id,
    network: row.network,
    txid: row.txid,
    output: row.output,
    asset: row.asset,
    decimals: row.decimals,
    address: row.address,
    amountAtoms: BigInt(row.amountAtoms),
    state: row.state,
    blockHeight: row.blockHeight === null ? null : Number(row.blockHeight),
    blockHash: row.blockHash,
    blockTime: row.blockTime,
    firstSeenAt: row.firstSeenAt,
    observedAt: row.observedAt,
    blindSince: row.blindSince,
    uses: row.spends ?? (row.nonce === null ? [] : [`${row.sender} ${row.nonce}`]),
    inPlaceOf,
    missingSince: row.missingSince,
    replacedBy: row.replacedBy,
    superseded: row.superseded,
    own: row.own,
    beforeIssue: row.beforeIssue,
  };
}

function toTip(row: FactRow): ChainTip | null {
  if (row.height === null || row.syncedAt === null) return null;
  return {
    network: row.network,
    height: Number(row.height),
    safeHeight: Number(row.safeHeight),
    finalizedHeight: Number(row.finalizedHeight),
    syncedAt: row.syncedAt,
  };
}
