import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { SavedView, ViewsOwner } from '../../accounts.types.js';

const LIST = `
  SELECT id, name, parameters FROM saved_view WHERE person_id = $1 AND merchant_id = $2 ORDER BY place`;

const IS_TAKEN = `
  SELECT FROM saved_view WHERE person_id = $1 AND merchant_id = $2 AND lower(name) = lower($3) AND id <> $4`;

/** In the first place that is free. */
const INSERT = `
  INSERT INTO saved_view (id, person_id, merchant_id, place, name, parameters)
  SELECT $1, $2, $3, place, $4, $5::jsonb FROM generate_series(1, $6::int) AS place
  WHERE NOT EXISTS (SELECT FROM saved_view v WHERE v.person_id = $2 AND v.merchant_id = $3 AND v.place = place.place)
  ORDER BY place LIMIT 1 RETURNING 1`;

const RENAME = `
  UPDATE saved_view SET name = $4 WHERE id = $3 AND person_id = $1 AND merchant_id = $2
  RETURNING id, name, parameters`;

const REMOVE = `
  DELETE FROM saved_view WHERE id = $3 AND person_id = $1 AND merchant_id = $2 RETURNING id, name, parameters`;

/** What people have saved of a list. Changes come under the lock of the membership. */
@Injectable()
export class SavedViewsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** In the order of their places, which a new name does not change. */
  list({ personId, merchantId }: ViewsOwner): Promise<SavedView[]> {
    return this.dataSource.query<SavedView[]>(LIST, [personId, merchantId]);
  }

  /** Whether another than `id` has the name, in capitals or small letters. */
  async isTaken(tx: EntityManager, owner: ViewsOwner, name: string, id: string): Promise<boolean> {
    const { personId, merchantId } = owner;
    return (await tx.query<unknown[]>(IS_TAKEN, [personId, merchantId, name, id])).length > 0;
  }

  /** @returns `false` where there are `max` already */
  async insert(tx: EntityManager, owner: ViewsOwner, view: SavedView, max: number): Promise<boolean> {
    const { personId, merchantId } = owner;
    const values = [view.id, personId, merchantId, view.name, JSON.stringify(view.parameters), max];
    return (await tx.query<unknown[]>(INSERT, values)).length > 0;
  }

  /** @returns `null` where they have no such one */
  async rename(tx: EntityManager, owner: ViewsOwner, id: string, name: string): Promise<SavedView | null> {
    const [[view]] = await tx.query<[SavedView[], number]>(RENAME, [
      owner.personId,
      owner.merchantId,
      id,
      name,
    ]);
    return view ?? null;
  }

  /** @returns what it was; `null` where they have no such one */
  async remove({ personId, merchantId }: ViewsOwner, id: string): Promise<SavedView | null> {
    const [[view]] = await this.dataSource.query<[SavedView[], number]>(REMOVE, [personId, merchantId, id]);
    return view ?? null;
  }
}
