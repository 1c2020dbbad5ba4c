import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { newId } from '../../../../kernel/ids.js';
import type { Actor, LinkKind, OneTimeLink, Role } from '../../accounts.types.js';
import { hashToken, isToken, newToken } from '../../domain/token.js';

/** What a link stands for. The token itself is known to whoever was given it, and to nobody else. */
export interface LinkRow {
  readonly id: string;
  readonly kind: LinkKind;
  readonly email: string;
  readonly merchantId: string | null;
  readonly merchantName: string | null;
  readonly role: Role | null;
  readonly isOperator: boolean;
  readonly deliveredTo: 'mailbox' | 'inviter';
  readonly invitedBy: string;
  readonly expiresAt: Date;
  /** Somebody has, or had, an account under the address: its password is theirs to choose. */
  readonly isRegistered: boolean;
}

const COLUMNS = `
  SELECT l.id, l.kind, l.email, l.merchant_id AS "merchantId", m.name AS "merchantName", l.role, l.is_operator AS "isOperator",
         l.delivered_to AS "deliveredTo", l.created_by AS "invitedBy", l.expires_at AS "expiresAt",
         EXISTS (SELECT FROM person p WHERE p.email = l.email AND p.registered_at IS NOT NULL) AS "isRegistered"
  FROM one_time_link l LEFT JOIN merchant m ON m.id = l.merchant_id`;

const OPEN = 'l.used_at IS NULL AND l.expires_at > clock_timestamp()';

/** For whom, and how it gets there. */
export interface NewLink {
  readonly kind: LinkKind;
  readonly email: string;
  readonly merchantId?: string | null;
  readonly role?: Role | null;
  readonly isOperator?: boolean;
  readonly deliveredTo: LinkRow['deliveredTo'];
  readonly hours: number;
}

/** The rows behind invitations, resets and proofs of an address. */
@Injectable()
export class OneTimeLinks {
  constructor(private readonly dataSource: DataSource) {}

  async make(tx: EntityManager, link: NewLink, actor: Actor): Promise<OneTimeLink> {
    const { kind, email, merchantId = null, role = null, isOperator = false, deliveredTo, hours } = link;
    const [id, token] = [newId('lnk'), newToken()];
    const [row] = await tx.query<{ expiresAt: Date }[]>(
      `INSERT INTO one_time_link (id, hash, kind, email, merchant_id, role, is_operator, created_by, invited_by,
                                  delivered_to, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp() + make_interval(hours => $11))
       RETURNING expires_at AS "expiresAt"`,
      [
        ...[id, hashToken(token), kind, email, merchantId, role, isOperator],
        ...[actor.name, actor.personId, deliveredTo, hours],
      ],
    );
    return { id, email, token, expiresAt: row!.expiresAt };
  }

  /** By the link; `null` for what is unknown, used, spent or too old. @param tx locks it there */
  async find(token: string, tx?: EntityManager): Promise<LinkRow | null> {
    if (!isToken(token)) return null;
    const text = `${COLUMNS} WHERE l.hash = $1 AND l.spent_at IS NULL AND ${OPEN} ${tx ? 'FOR UPDATE OF l' : ''}`;
    const [row] = await (tx ?? this.dataSource).query<LinkRow[]>(text, [hashToken(token)]);
    return row ?? null;
  }

  /** Open invitations of an address, oldest first. @param tx locks them there */
  async invitationsOf(email: string, tx?: EntityManager): Promise<LinkRow[]> {
    return (tx ?? this.dataSource).query<LinkRow[]>(
      `${COLUMNS} WHERE l.email = $1 AND l.kind = 'invitation' AND ${OPEN} ORDER BY l.created_at, l.id
       ${tx ? 'FOR UPDATE OF l' : ''}`,
      [email],
    );
  }

  /** The link opens nothing any more. What it offers may still be taken by whoever is signed in. */
  async spend(tx: EntityManager, id: string): Promise<void> {
    await tx.query('UPDATE one_time_link SET spent_at = clock_timestamp() WHERE id = $1', [id]);
  }

  async end(tx: EntityManager, id: string, as: 'accepted' | 'declined'): Promise<void> {
    await tx.query('UPDATE one_time_link SET used_at = clock_timestamp(), ended_as = $2 WHERE id = $1', [
      id,
      as,
    ]);
  }

  /** All open invitations of an address to a merchant. @returns how many there were */
  async endInvitations(
    tx: EntityManager,
    merchantId: string | null,
    email: string,
    as: 'withdrawn' | 'replaced',
  ): Promise<number> {
    const [ended] = await tx.query<[unknown[], number]>(
      `UPDATE one_time_link l SET expires_at = clock_timestamp(), ended_as = $3
       WHERE merchant_id IS NOT DISTINCT FROM $1 AND email = $2 AND kind = 'invitation' AND ${OPEN} RETURNING 1`,
      [merchantId, email, as],
    );
    return ended.length;
  }
}
