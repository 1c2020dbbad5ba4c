import type { Pool, PoolClient, QueryResultRow } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { ask, PreparedQuery } from './prepared-query.js';

declare const registered: unique symbol;

/** A statement that PostgreSQL parses and plans once per connection. Only `statement` makes one. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly [registered]: true;
}

const statements = new Map<string, Statement>();

/** @throws when the name is taken: PostgreSQL would find out at the first use, on one connection or another */
export function statement(name: string, text: string): Statement {
  if (statements.has(name)) throw new Error(`two statements are called ${name}`);
  const made = { name, text } as Statement;
  statements.set(name, made);
  return made;
}

/**
 * A parameter whose value PostgreSQL does not see when it plans. It plans a prepared statement anew at each execution while a plan for
 * the values looks cheaper than the one for any: with an array of one id, where it expects ten, or with a rare status. Planning
 * takes longer than most statements. Not for a parameter whose value should decide about the plan.
 */
export const anyValue = (parameter: string, type: string) => `(SELECT ${parameter}::${type})`;

/** The same of the values of an array, for `= ANY (…)`. */
export const anyOf = (parameter: string) => `ANY (${anyValue(parameter, 'text[]')}::text[])`;

/** Those of the files that have been loaded: `docs/queries` has them all with their plans. */
export function registeredStatements(): readonly Statement[] {
  return [...statements.values()];
}

/** A connection whose statements go out together, each a transaction of its own. Only `pipelined` makes one. */
export class Pipeline {
  private readonly asked: Promise<unknown>[] = [];
  private isOver = false;

  constructor(private readonly client: PoolClient) {}

  ask<Row extends QueryResultRow>(query: PreparedQuery<Row>): Promise<Row[]> {
    if (this.isOver) return Promise.reject(new Error('somebody else may have this connection by now'));
    const rows = ask(this.client, query);
    this.asked.push(rows);
    return rows;
  }

  /**
   * Once nothing is under way on it: whoever gets the connection next waits for nobody's answers, and nothing is asked on it
   * any more by who goes on although another of them has failed.
   */
  async answered(): Promise<void> {
    for (let known = -1; known < this.asked.length;) {
      known = this.asked.length;
      await Promise.allSettled(this.asked);
    }
    this.isOver = true;
  }
}

/** On whom a statement is asked: the pool, the connection of a transaction, or one that several statements share. */
export type On = DataSource | EntityManager | Pipeline;

/**
 * Statements that need nothing of each other's answers, of whichever modules: what is asked in one turn of the event loop goes to
 * the database in one write, on one connection of the pool, and is answered in the order in which it was asked.
 * @param use asks nothing but on this connection: who has one and waits for another may wait for those who do the same
 */
export async function pipelined<Answer>(
  dataSource: DataSource,
  use: (on: Pipeline) => Promise<Answer>,
): Promise<Answer> {
  const client = await poolOf(dataSource).connect();
  const on = new Pipeline(client);
  const { stream } = client.connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
  try {
    return await use(on);
  } finally {
    await on.answered();
    client.release();
  }
}

/**
 * The hot paths' one way to `pg`: a named prepared statement, in one round trip, on the pool, inside the
 * transaction of `tx`, or together with others. Everything else goes through TypeORM.
 */
export async function run<Row extends QueryResultRow>(
  on: On,
  { name, text }: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const query = new PreparedQuery<Row>(name, text, values);
  return on instanceof Pipeline ? on.ask(query) : ask(await clientOf(on), query);
}

async function clientOf(on: DataSource | EntityManager): Promise<Pool | PoolClient> {
  if ('queryRunner' in on && on.queryRunner) return (await on.queryRunner.connect()) as PoolClient;
  return poolOf('dataSource' in on ? on.dataSource : on);
}

/** `pg`'s own pool below TypeORM, which gives it no type. */
export function poolOf({ driver }: DataSource): Pool {
  return (driver as PostgresDriver).master as Pool;
}
