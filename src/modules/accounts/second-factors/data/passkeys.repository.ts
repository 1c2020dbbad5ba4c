import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DATABASE_NOW } from '../../../../database/clock.js';
import type { PasskeyView, Proven } from '../../accounts.types.js';
import { CREDENTIALS } from '../../data/credentials.sql.js';
import { PasskeyEntity } from './passkey.entity.js';

const FIND = `
  SELECT k.id, k.credential_id AS "credentialId", k.person_id AS "personId", p.email, k.public_key AS "publicKey",
         k.counter::float8 AS counter, k.transports, ${CREDENTIALS} AS credentials
  FROM passkey k JOIN person p ON p.id = k.person_id WHERE k.credential_id = $1`;

/** $8: room for so many of one person. */
const INSERT = `
  INSERT INTO passkey (id, credential_id, person_id, public_key, counter, transports, label)
  SELECT $1, $2, $3, $4, $5, $6, $7 WHERE (SELECT count(*) FROM passkey WHERE person_id = $3) < $8
  ON CONFLICT (credential_id) DO NOTHING RETURNING 1`;

export type NewPasskey = Omit<PasskeyEntity, 'createdAt' | 'lastUsedAt'>;

export type PasskeyRow = Omit<NewPasskey, 'label'> & Pick<Proven, 'email' | 'credentials'>;

/** The rows of passkeys. */
@Injectable()
export class PasskeysRepository {
  constructor(private readonly dataSource: DataSource) {}

  async find(credentialId: string): Promise<PasskeyRow | null> {
    const [row] = await this.dataSource.query<PasskeyRow[]>(FIND, [credentialId]);
    return row ?? null;
  }

  /** What a browser has to know of those that there are. */
  of(personId: string): Promise<Pick<PasskeyEntity, 'credentialId' | 'transports'>[]> {
    return this.dataSource.manager.findBy(PasskeyEntity, { personId });
  }

  list(personId: string): Promise<PasskeyView[]> {
    return this.dataSource.manager.find(PasskeyEntity, {
      select: { id: true, label: true, createdAt: true, lastUsedAt: true },
      where: { personId },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  /** Under the person's lock. @returns `false` for one that is here already, and where there is no room */
  async insert(tx: EntityManager, passkey: NewPasskey, max: number): Promise<boolean> {
    const { id, credentialId, personId, publicKey, counter, transports, label } = passkey;
    const values = [id, credentialId, personId, publicKey, counter, transports, label, max];
    return (await tx.query<unknown[]>(INSERT, values)).length > 0;
  }

  /** Compared and set. @returns `false` where another answer came between */
  async used(id: string, before: number, counter: number): Promise<boolean> {
    const seen = { id, counter: before };
    const { affected } = await this.dataSource.manager.update(PasskeyEntity, seen, {
      counter,
      lastUsedAt: DATABASE_NOW,
    });
    return affected === 1;
  }

  /** @returns its label; `null` where the person has no such one */
  async remove(tx: EntityManager, id: string, personId: string): Promise<string | null> {
    const passkey = await tx.findOneBy(PasskeyEntity, { id, personId });
    const { affected } = await tx.delete(PasskeyEntity, { id, personId });
    return passkey && affected === 1 ? passkey.label : null;
  }

  async removeAll(tx: EntityManager, personId: string): Promise<void> {
    await tx.delete(PasskeyEntity, { personId });
  }
}
