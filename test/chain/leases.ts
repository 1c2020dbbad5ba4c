/** Asks the database. @returns the rows */
type Ask = <Row>(sql: string, values?: unknown[]) => Promise<Row[]>;

/** How a network came to another holder. */
export interface Taking {
  /** A lease that had not run out was taken. */
  readonly isEarly: boolean;
  /** Looks of the one who took it, since the lease had run out and nobody was writing any more, that took nothing. */
  readonly looksInVain: number;
  /** Its looks since then that left the network to a write of the term before, which was still open. */
  readonly looksBesideWrite: number;
}

/** PostgreSQL ends a write whose process is silent after three seconds, and looks come one a second. */
const MOST_BESIDE_WRITE = 4;

/**
 * The looks of all instances at the leases, and what became of them, by the database's clock: how soon a network is taken is
 * told by what the database holds and by the looks of the one who takes it, which a busy machine makes fewer and never more. How
 * many seconds that are is in `src/modules/chains/lease-times.spec.ts`.
 */
export class Leases {
  private constructor(private readonly ask: Ask) {}

  /** From now on. A look writes nothing where there is nothing to take, and is an `UPDATE` all the same. */
  static async note(ask: Ask): Promise<Leases> {
    await ask(`
      CREATE TABLE lease_look (xid xid8 PRIMARY KEY, at timestamptz, pid integer, beside_write boolean);
      CREATE TABLE lease_change (xid xid8, at timestamptz, ran_out_at timestamptz, term_before bigint, term bigint, lasts interval);
      CREATE FUNCTION note_look() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO lease_look VALUES (pg_current_xact_id(), now(), pg_backend_pid(), EXISTS (
          SELECT FROM pg_locks JOIN pg_database d ON d.oid = database AND d.datname = current_database()
           WHERE relation = 'watch_lease'::regclass AND mode = 'RowShareLock' AND pid <> pg_backend_pid()))
        ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$;
      CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO lease_change VALUES (
          pg_current_xact_id(), clock_timestamp(), OLD.expires_at, OLD.term, NEW.term, NEW.expires_at - clock_timestamp());
        RETURN NULL;
      END $$;
      CREATE TRIGGER looked BEFORE UPDATE ON watch_lease FOR EACH STATEMENT EXECUTE FUNCTION note_look();
      CREATE TRIGGER changed AFTER UPDATE ON watch_lease FOR EACH ROW EXECUTE FUNCTION note_change();`);
    return new Leases(ask);
  }

  /** Since they are noted, the first one first. */
  takings(): Promise<Taking[]> {
    return this.ask<Taking>(
      `SELECT taken.at <= taken.ran_out_at AS "isEarly",
              (count(*) FILTER (WHERE NOT vain.beside_write))::int AS "looksInVain",
              (count(*) FILTER (WHERE vain.beside_write))::int AS "looksBesideWrite"
         FROM lease_change taken JOIN lease_look took USING (xid)
         LEFT JOIN lease_look vain ON vain.pid = took.pid AND vain.at > taken.ran_out_at AND vain.at < took.at
        WHERE taken.term > taken.term_before
        GROUP BY taken.xid, taken.at, taken.ran_out_at ORDER BY taken.at`,
    );
  }

  /**
   * That each was taken when it had run out, by the first look that found it so and nobody writing, and that none was ever given
   * for more than five seconds.
   */
  async expectInOrder(): Promise<void> {
    const tooLong = await this.ask(`SELECT lasts::text FROM lease_change WHERE lasts > interval '5 seconds'`);
    expect(tooLong).toEqual([]);
    for (const taking of await this.takings()) {
      expect(taking).toMatchObject({ isEarly: false, looksInVain: 0 });
      expect(taking.looksBesideWrite).toBeLessThanOrEqual(MOST_BESIDE_WRITE);
    }
  }
}
