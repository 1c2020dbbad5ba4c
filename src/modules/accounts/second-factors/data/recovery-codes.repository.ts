import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { DATABASE_NOW } from '../../../../database/clock.js';
import { RecoveryCodeEntity } from './recovery-code.entity.js';

/** The rows of recovery codes: their hashes. */
@Injectable()
export class RecoveryCodesRepository {
  constructor(private readonly dataSource: DataSource) {}

  async replace(tx: EntityManager, personId: string, hashes: readonly Buffer[]): Promise<void> {
    await tx.delete(RecoveryCodeEntity, { personId });
    if (hashes.length > 0)
      await tx.insert(
        RecoveryCodeEntity,
        hashes.map((hash) => ({ personId, hash })),
      );
  }

  /** @returns whether it was an unused one */
  async spend(tx: EntityManager, personId: string, hash: Buffer): Promise<boolean> {
    const unused = { personId, hash, usedAt: IsNull() };
    return (await tx.update(RecoveryCodeEntity, unused, { usedAt: DATABASE_NOW })).affected === 1;
  }

  left(personId: string): Promise<number> {
    return this.dataSource.manager.countBy(RecoveryCodeEntity, { personId, usedAt: IsNull() });
  }
}
