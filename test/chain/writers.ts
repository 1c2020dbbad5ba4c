import type { Client } from 'pg';

/** Which of several services wrote what its watcher sees, and when by the database's clock: a service by its `PGAPPNAME`. */
export class Writers {
  private constructor(private readonly client: Client) {}

  static async note(client: Client): Promise<Writers> {
    await client.query(`
      CREATE TABLE written (at timestamptz DEFAULT clock_timestamp(), writer text DEFAULT current_setting('application_name'));
      CREATE FUNCTION note_writer() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO written DEFAULT VALUES; RETURN NULL; END $$;
      CREATE TRIGGER noted AFTER INSERT OR UPDATE OR DELETE ON chain_cursor FOR EACH ROW EXECUTE FUNCTION note_writer();
      CREATE TRIGGER noted AFTER INSERT OR UPDATE OR DELETE ON transfer FOR EACH ROW EXECUTE FUNCTION note_writer();`);
    return new Writers(client);
  }

  /** By the database's clock. */
  async now(): Promise<Date> {
    return (await this.one<{ now: Date }>('SELECT clock_timestamp() AS now')).now;
  }

  async term(): Promise<bigint> {
    return BigInt((await this.one<{ term: string }>('SELECT term FROM watch_lease')).term);
  }

  /** Who leads: nobody else's write gets through. */
  async last(): Promise<string> {
    return (await this.one<{ writer: string }>('SELECT writer FROM written ORDER BY at DESC LIMIT 1')).writer;
  }

  async since(writer: string, at: Date): Promise<number> {
    const sql = 'SELECT count(*)::int AS n FROM written WHERE writer = $1 AND at > $2';
    return (await this.one<{ n: number }>(sql, [writer, at])).n;
  }

  private async one<Row>(sql: string, values: readonly unknown[] = []): Promise<Row> {
    return (await this.client.query(sql, [...values])).rows[0] as Row;
  }
}
