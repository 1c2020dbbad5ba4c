import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { OperatorView } from '../../accounts.types.js';
import { PersonEntity } from '../../data/person.entity.js';

/** The log is read once, however many they are. */
const OPERATORS = `
  SELECT p.email, joined.at AS since,
         p.totp_enabled_at IS NOT NULL OR EXISTS (SELECT 1 FROM passkey k WHERE k.person_id = p.id) AS "hasSecondFactor"
  FROM person p
  LEFT JOIN (SELECT subject, max(at) AS at FROM audit_entry WHERE action = 'operator.joined' GROUP BY subject) joined
    ON joined.subject = p.id
  WHERE p.is_operator ORDER BY p.email`;

const DISMISS = 'UPDATE person SET is_operator = false WHERE email = $1 AND is_operator RETURNING id';

/** Who runs the instance. */
@Injectable()
export class OperatorsRepository {
  constructor(private readonly dataSource: DataSource) {}

  list(): Promise<OperatorView[]> {
    return this.dataSource.query<OperatorView[]>(OPERATORS);
  }

  /** @returns `false` for whoever is one already */
  async make(tx: EntityManager, personId: string): Promise<boolean> {
    const { affected } = await tx.update(
      PersonEntity,
      { id: personId, isOperator: false },
      { isOperator: true },
    );
    return affected === 1;
  }

  /** @returns the person's id; `null` where no operator has the address */
  async dismiss(tx: EntityManager, email: string): Promise<string | null> {
    const [[person]] = await tx.query<[{ id: string }[], number]>(DISMISS, [email]);
    return person?.id ?? null;
  }
}
