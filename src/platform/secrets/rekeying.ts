import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { By } from '../../database/by.js';
import { SEALED_BATCH, type SealedRow, SealedRowsRepository } from './data/sealed-rows.repository.js';
import type { SealedColumns } from './sealed-columns.js';
import { SecretBox } from './secret-box.js';

/** How many stored secrets each key opens. */
export interface KeyStanding {
  readonly present: number;
  readonly previous: number;
  /** Table and id, of those that neither opens. */
  readonly unknown: readonly string[];
}

/** Seals every stored secret with the present key. Instances that read both keys go on meanwhile. */
@Injectable()
export class Rekeying {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: SealedRowsRepository,
    private readonly box: SecretBox,
  ) {}

  /** Opens everything, changes nothing. */
  async standing(): Promise<KeyStanding> {
    const count = { present: 0, previous: 0, unknown: new Array<string>() };
    for (const sealed of this.box.sealed) {
      for (let after = ''; ;) {
        const rows = await this.rows.page(sealed, after);
        for (const row of rows) {
          for (const column of sealed.columns) {
            const key = this.keyOf(sealed, row, column);
            if (key === 'unknown') count.unknown.push(`${sealed.table} ${row.id}`);
            else if (key) count[key] += 1;
          }
        }
        if (rows.length < SEALED_BATCH) break;
        after = rows.at(-1)?.id ?? '';
      }
    }
    return count;
  }

  /**
   * In small transactions, each of which leaves its rows whole: after a kill, the next run does the rest.
   * @param leaveUnknown passes over what neither key opens, instead of refusing to begin
   * @returns how many values were sealed anew
   * @throws Error when a value opens with neither key; nothing has been changed then
   */
  async run({ leaveUnknown }: { leaveUnknown: boolean }, by: By): Promise<number> {
    const { present, previous, unknown } = await this.standing();
    if (unknown.length > 0 && !leaveUnknown) {
      const all = present + previous + unknown.length;
      const some = unknown.slice(0, 3).join(', ') + (unknown.length > 3 ? ', …' : '');
      throw new Error(
        `${unknown.length} of ${all} stored secrets open neither with SECRET_KEY nor with SECRET_KEY_PREVIOUS ` +
          `(${some}). Nothing has been changed. SECRET_KEY_PREVIOUS must be the key that they were sealed with.`,
      );
    }
    let rekeyed = 0;
    for (const sealed of this.box.sealed) rekeyed += await this.rekey(sealed);
    const change = { action: 'secrets.rekeyed', subject: 'SECRET_KEY', detail: { rekeyed } } as const;
    await this.dataSource.transaction((tx) => by.record(tx, { merchantId: null, ...change }));
    return rekeyed;
  }

  private async rekey(sealed: SealedColumns): Promise<number> {
    let rekeyed = 0;
    for (let after: string | null = ''; after !== null;) {
      const from: string = after;
      after = await this.dataSource.transaction(async (tx) => {
        // In the order of their ids: of two of these one waits. Whoever rotates a secret waits, or is seen. Whoever ends several
        // sessions takes them in any order: where each waits for the other, the database gives one up, and nothing of it is done.
        const rows = await this.rows.lockPage(tx, sealed, from);
        for (const row of rows) {
          const old = sealed.columns.filter((column) => this.keyOf(sealed, row, column) === 'previous');
          if (old.length === 0) continue;
          const values = old.map((column) => [column, this.resealed(sealed, row, column)] as const);
          await this.rows.change(tx, sealed, row.id, values);
          rekeyed += old.length;
        }
        return rows.length < SEALED_BATCH ? null : (rows.at(-1)?.id ?? null);
      });
    }
    return rekeyed;
  }

  private keyOf(sealed: SealedColumns, row: SealedRow, column: string) {
    const value = row[column];
    return value ? this.box.keyOf(value, placeOf(sealed, row)) : null;
  }

  private resealed(sealed: SealedColumns, row: SealedRow, column: string): string {
    const place = placeOf(sealed, row);
    return this.box.seal(this.box.open(row[column] ?? '', place), place);
  }
}

function placeOf({ table, boundAs: column }: SealedColumns, { id: rowId }: SealedRow) {
  return { table, column, rowId };
}
