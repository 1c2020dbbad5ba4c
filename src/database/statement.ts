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
 * A parameter of a statement by whose value PostgreSQL cannot plan: one id in place of the ten that it expects of an array, or
 * a rare status, looks cheaper to it than the plan for all values, and then it plans anew at each execution, which takes longer
 * than what most statements ask. Not where the value should decide about the plan.
 */
export const anyValue = (parameter: string, type: string) => `(SELECT ${parameter}::${type})`;

/** The same of the values of an array, for `= ANY (…)`. */
export const anyOf = (parameter: string) => `ANY (${anyValue(parameter, 'text[]')}::text[])`;

/** Those of the files that have been loaded: `docs/queries` has them all with their plans. */
export function registeredStatements(): readonly Statement[] {
  return [...statements.values()];
}

/**
 * The hot paths' one way to `pg`: a named prepared statement, in one round trip, on the pool or inside the
 * transaction of `tx`. Everything else goes through TypeORM.
 */
export async function run<Row extends QueryResultRow>(
  on: DataSource | EntityManager,
  { name, text }: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = await clientOf(on);
  return ask(client, new PreparedQuery<Row>(name, text, values));
}

async function clientOf(on: DataSource | EntityManager): Promise<Pool | PoolClient> {
  if ('queryRunner' in on && on.queryRunner) return (await on.queryRunner.connect()) as PoolClient;
  return poolOf('dataSource' in on ? on.dataSource : on);
}

/** `pg`'s own pool below TypeORM, which gives it no type. */
export function poolOf({ driver }: DataSource): Pool {
  return (driver as PostgresDriver).master as Pool;
}
