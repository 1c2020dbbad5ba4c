import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { EndedMembership, PersonView, Role } from '../accounts.types.js';
import { MembershipEntity } from './membership.entity.js';

const PEOPLE = `
  SELECT p.id, p.email, ms.role,
         p.totp_enabled_at IS NOT NULL OR EXISTS (SELECT 1 FROM passkey k WHERE k.person_id = p.id) AS "hasSecondFactor",
         (SELECT max(last_seen_at) FROM session s WHERE s.person_id = p.id) AS "lastSeenAt",
         (SELECT a.at FROM audit_entry a WHERE a.person_id = p.id AND a.action = 'signed-in'
          ORDER BY a.id DESC LIMIT 1) AS "lastSignInAt"
  FROM membership ms JOIN person p ON p.id = ms.person_id
  WHERE ms.merchant_id = $1
  ORDER BY array_position(ARRAY['owner', 'developer', 'reviewer', 'read-only'], ms.role), p.email`;

const MEMBERS = `
  SELECT ms.person_id AS "personId", p.email, ms.role FROM membership ms JOIN person p ON p.id = ms.person_id
  WHERE ms.merchant_id = $1 ORDER BY ms.person_id FOR UPDATE OF ms`;

const LOCK = 'SELECT FROM membership WHERE person_id = $1 AND merchant_id = $2 FOR UPDATE';

const IS_MEMBER = `
  SELECT FROM membership ms JOIN person p ON p.id = ms.person_id WHERE ms.merchant_id = $1 AND p.email = $2`;

const MERCHANTS_OF = `
  SELECT ms.merchant_id AS id FROM membership ms JOIN person p ON p.id = ms.person_id WHERE p.email = $1
  ORDER BY ms.created_at, ms.merchant_id`;

const IS_UNPROVEN = 'ms.person_id = $1 AND p.id = ms.person_id AND p.email_proven_at IS NULL';

const HAS_UNPROVEN = `SELECT EXISTS (SELECT FROM membership ms, person p WHERE ${IS_UNPROVEN}) AS has`;

const END_UNPROVEN = `
  DELETE FROM membership ms USING person p WHERE ${IS_UNPROVEN}
  RETURNING ms.merchant_id AS "merchantId", ms.role`;

export interface Member {
  readonly personId: string;
  readonly email: string;
  readonly role: Role;
}

/** What people are to merchants. */
@Injectable()
export class MembershipsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Owners first. */
  list(merchantId: string): Promise<PersonView[]> {
    return this.dataSource.query<PersonView[]>(PEOPLE, [merchantId]);
  }

  /** The ids of those that whoever has the address belongs to, closed ones too; the one of longest first. */
  async merchantsOf(email: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(MERCHANTS_OF, [email]);
    return rows.map(({ id }) => id);
  }

  /** All of the merchant's, locked: two owners who remove each other at the same moment would leave none. */
  lockAll(tx: EntityManager, merchantId: string): Promise<Member[]> {
    return tx.query<Member[]>(MEMBERS, [merchantId]);
  }

  /** One alone. @returns `false` where there is none */
  async lock(tx: EntityManager, personId: string, merchantId: string): Promise<boolean> {
    return (await tx.query<unknown[]>(LOCK, [personId, merchantId])).length > 0;
  }

  async isMember(tx: EntityManager, merchantId: string, email: string): Promise<boolean> {
    return (await tx.query<unknown[]>(IS_MEMBER, [merchantId, email])).length > 0;
  }

  /** @throws where the person belongs to the merchant already */
  async insert(tx: EntityManager, personId: string, merchantId: string, role: Role): Promise<void> {
    await tx.insert(MembershipEntity, { personId, merchantId, role });
  }

  /** A role that the person has by now stays. */
  async ensure(tx: EntityManager, personId: string, merchantId: string, role: Role): Promise<void> {
    const membership = { personId, merchantId, role };
    await tx
      .createQueryBuilder()
      .insert()
      .into(MembershipEntity)
      .values(membership)
      .orIgnore()
      .updateEntity(false)
      .execute();
  }

  async setRole(tx: EntityManager, personId: string, merchantId: string, role: Role): Promise<void> {
    await tx.update(MembershipEntity, { personId, merchantId }, { role });
  }

  async remove(tx: EntityManager, personId: string, merchantId: string): Promise<void> {
    await tx.delete(MembershipEntity, { personId, merchantId });
  }

  /** Whether the person belongs anywhere, and the address was never proved. */
  async hasUnproven(tx: EntityManager, personId: string): Promise<boolean> {
    const [row] = await tx.query<{ has: boolean }[]>(HAS_UNPROVEN, [personId]);
    return row?.has ?? false;
  }

  /** All of a person whose address was never proved; none of anybody else. @returns those that ended */
  async endUnproven(tx: EntityManager, personId: string): Promise<EndedMembership[]> {
    const [ended] = await tx.query<[EndedMembership[], number]>(END_UNPROVEN, [personId]);
    return ended;
  }
}
