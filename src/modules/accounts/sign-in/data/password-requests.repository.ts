import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** Once for each mailbox, however often it is asked before the job comes. */
const ADD = 'INSERT INTO password_request (email, address) VALUES ($1, $2) ON CONFLICT DO NOTHING';

const TAKE = `
  DELETE FROM password_request
  WHERE email = (SELECT email FROM password_request ORDER BY asked_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING email, address AS ip`;

export interface PasswordRequest {
  readonly email: string;
  /** From where it was asked. */
  readonly ip: string;
}

/** Who has forgotten a password, as they say. */
@Injectable()
export class PasswordRequestsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async add({ email, ip }: PasswordRequest): Promise<void> {
    await this.dataSource.query(ADD, [email, ip]);
  }

  /** The oldest, gone with the commit of `tx`. */
  async take(tx: EntityManager): Promise<PasswordRequest | null> {
    const [[request]] = await tx.query<[PasswordRequest[], number]>(TAKE);
    return request ?? null;
  }
}
