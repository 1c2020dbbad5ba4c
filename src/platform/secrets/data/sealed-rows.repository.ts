import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { SealedColumns } from '../sealed-columns.js';

/** Rows of one transaction: whatever writes to them waits for it, for some milliseconds. */
export const SEALED_BATCH = 100;

export interface SealedRow {
  readonly id: string;
  readonly [column: string]: string | null;
}

/** Rows that hold secrets, whatever their table. */
@Injectable()
export class SealedRowsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The next ones by their ids. */
  page(sealed: SealedColumns, after: string): Promise<SealedRow[]> {
    return this.dataSource.query<SealedRow[]>(page(sealed), [after]);
  }

  lockPage(tx: EntityManager, sealed: SealedColumns, after: string): Promise<SealedRow[]> {
    return tx.query<SealedRow[]>(`${page(sealed)} FOR NO KEY UPDATE`, [after]);
  }

  /** @param values columns, each with its new value; not none */
  async change(
    tx: EntityManager,
    { table }: SealedColumns,
    id: string,
    values: readonly (readonly [string, string])[],
  ): Promise<void> {
    const assignments = values.map(([column], i) => `${column} = $${i + 2}`).join(', ');
    await tx.query(`UPDATE ${table} SET ${assignments} WHERE id = $1`, [
      id,
      ...values.map(([, value]) => value),
    ]);
  }
}

/** $1: the id before. */
function page({ table, columns }: SealedColumns): string {
  const some = columns.map((column) => `${column} IS NOT NULL`).join(' OR ');
  return `SELECT id, ${columns.join(', ')} FROM ${table} WHERE id > $1 AND (${some}) ORDER BY id LIMIT ${SEALED_BATCH}`;
}
