import { DataSource } from 'typeorm';

/**
 * The database's clock, held by hand. The service takes every instant that decides about money from
 * `clock_timestamp()` and `now()`; a function of the same name that is found first makes hours pass at once.
 */
export class VirtualClock {
  private constructor(
    private readonly direct: DataSource,
    public nowMs: number,
  ) {}

  /** Before the service connects: a session reads its search path when it begins. */
  static async install(databaseUrl: string): Promise<VirtualClock> {
    const direct = await new DataSource({ type: 'postgres', url: databaseUrl }).initialize();
    const startMs = Date.UTC(2030, 0, 1);
    await direct.query('CREATE TABLE public.virtual_clock (at timestamptz NOT NULL)');
    await direct.query('INSERT INTO public.virtual_clock VALUES ($1)', [new Date(startMs)]);
    for (const name of ['clock_timestamp', 'now']) {
      await direct.query(
        `CREATE FUNCTION public.${name}() RETURNS timestamptz VOLATILE LANGUAGE sql
         AS 'SELECT at FROM public.virtual_clock'`,
      );
    }
    const [{ name }] = await direct.query<[{ name: string }]>('SELECT current_database() AS name');
    await direct.query(`ALTER DATABASE ${name} SET search_path = public, pg_catalog`);
    await direct.query('SET search_path = public, pg_catalog');
    // A default was bound to the function of the catalogue when its table was created.
    await direct.query(`DO $$
      DECLARE d record;
      BEGIN
        FOR d IN SELECT adrelid::regclass AS of_table, attname AS of_column,
                        regexp_replace(pg_get_expr(adbin, adrelid), '(pg_catalog\\.)?(now|clock_timestamp)\\(\\)',
                                       'public.\\2()', 'g') AS value
                   FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
                  WHERE pg_get_expr(adbin, adrelid) ~ '(now|clock_timestamp)\\(\\)'
        LOOP
          EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s', d.of_table, d.of_column, d.value);
        END LOOP;
      END $$`);
    return new VirtualClock(direct, startMs);
  }

  async advance(ms: number): Promise<void> {
    this.nowMs += ms;
    await this.direct.query('UPDATE public.virtual_clock SET at = $1', [new Date(this.nowMs)]);
  }

  stop(): Promise<void> {
    return this.direct.destroy();
  }
}
