import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DATABASE_NOW } from '../../../../database/clock.js';
import { newId } from '../../../../kernel/ids.js';
import {
  type Actor,
  type LinkKind,
  type OneTimeLink,
  type OpenInvitation,
  type Role,
} from '../../accounts.types.js';
import { INVITATION_STANDS, IS_OPEN_LINK } from '../../data/standing.sql.js';
import { hashToken, isToken, newToken } from '../../domain/token.js';
import type { RecentInvitations } from '../domain/invitation-limits.js';
import { OneTimeLinkEntity } from './one-time-link.entity.js';

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

const INSERT = `
  INSERT INTO one_time_link (id, hash, kind, email, merchant_id, role, is_operator, created_by, invited_by,
                             delivered_to, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp() + make_interval(hours => $11))
  RETURNING expires_at AS "expiresAt"`;

const OWNER = `
  SELECT l.email, p.id AS "personId" FROM one_time_link l LEFT JOIN person p ON p.email = l.email WHERE l.hash = $1`;

const END_INVITATIONS = `
  UPDATE one_time_link l SET expires_at = clock_timestamp(), ended_as = $3
  WHERE merchant_id IS NOT DISTINCT FROM $1 AND email = $2 AND kind = 'invitation' AND ${IS_OPEN_LINK} RETURNING 1`;

const openInvitations = (whose: string) => `
  SELECT l.email, l.merchant_id AS "merchantId", l.role, l.is_operator AS "isOperator", l.created_by AS "invitedBy",
         l.expires_at AS "expiresAt",
         CASE WHEN l.mail_id IS NULL THEN 'shown' WHEN e.sent_at IS NOT NULL THEN 'mailed'
              WHEN e.sealed_text IS NOT NULL THEN 'waiting' ELSE 'refused' END AS delivery
  FROM one_time_link l LEFT JOIN outgoing_mail e ON e.id = l.mail_id
  WHERE ${whose} AND l.kind = 'invitation' AND ${IS_OPEN_LINK} AND ${INVITATION_STANDS}
  ORDER BY l.created_at, l.email`;
const OPEN_TO_MERCHANT = openInvitations('l.merchant_id = $1');
const OPEN_TO_OPERATE = openInvitations('l.is_operator');

const RECENT_PROOFS = `
  SELECT count(*)::integer AS recent FROM one_time_link
  WHERE kind = 'proof' AND email = $1 AND created_at > clock_timestamp() - interval '1 day'`;

/** None of them is good for longer than a day. */
const MAILED_RESETS = `
  SELECT count(*)::integer AS recent, coalesce(bool_or(${IS_OPEN_LINK}), false) AS "isOneOpen" FROM one_time_link l
  WHERE kind = 'reset' AND delivered_to = 'mailbox' AND email = $1 AND created_at > clock_timestamp() - interval '1 day'`;

const RECENT_INVITATIONS = `
  SELECT count(*) FILTER (WHERE invited_by = $1)::integer AS "byInviter",
         count(*) FILTER (WHERE merchant_id = $2)::integer AS "byMerchant",
         count(*) FILTER (WHERE email = $3)::integer AS "toAddress"
  FROM one_time_link
  WHERE kind = 'invitation' AND created_at > clock_timestamp() - interval '1 day'
    AND (invited_by = $1 OR merchant_id = $2 OR email = $3)`;

/** Links to one mailbox that set its account's password. */
export interface MailedResets {
  /** How many were made in the last 24 hours. */
  readonly recent: number;
  /** One of them can still be used. */
  readonly isOneOpen: boolean;
}

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
export class OneTimeLinksRepository {
  constructor(private readonly dataSource: DataSource) {}

  async make(tx: EntityManager, link: NewLink, actor: Actor): Promise<OneTimeLink> {
    const { kind, email, merchantId = null, role = null, isOperator = false, deliveredTo, hours } = link;
    const [id, token] = [newId('lnk'), newToken()];
    const shown = [id, hashToken(token), kind, email, merchantId, role, isOperator];
    const values = [...shown, actor.name, actor.personId, deliveredTo, hours];
    const [row] = await tx.query<[{ expiresAt: Date }]>(INSERT, values);
    return { id, email, token, expiresAt: row.expiresAt };
  }

  /**
   * By the link; `null` for what is unknown, used, spent or too old, or was offered by somebody who could not offer it now.
   * @param tx locks it there
   */
  async find(token: string, tx?: EntityManager): Promise<LinkRow | null> {
    if (!isToken(token)) return null;
    const text = `${COLUMNS} WHERE l.hash = $1 AND l.spent_at IS NULL AND ${IS_OPEN_LINK} AND (l.kind <> 'invitation' OR ${INVITATION_STANDS})
       ${tx ? 'FOR UPDATE OF l' : ''}`;
    const [row] = await (tx ?? this.dataSource).query<LinkRow[]>(text, [hashToken(token)]);
    return row ?? null;
  }

  /** For whom a link is or was, also where it is over; `null` for an unknown one. `personId`: of an address with an account. */
  async ownerOf(token: string): Promise<{ email: string; personId: string | null } | null> {
    if (!isToken(token)) return null;
    const [row] = await this.dataSource.query<{ email: string; personId: string | null }[]>(OWNER, [
      hashToken(token),
    ]);
    return row ?? null;
  }

  /** Open invitations of an address, oldest first. @param tx locks them there */
  async invitationsOf(email: string, tx?: EntityManager): Promise<LinkRow[]> {
    return (tx ?? this.dataSource).query<LinkRow[]>(
      `${COLUMNS} WHERE l.email = $1 AND l.kind = 'invitation' AND ${IS_OPEN_LINK} AND ${INVITATION_STANDS}
       ORDER BY l.created_at, l.id
       ${tx ? 'FOR UPDATE OF l' : ''}`,
      [email],
    );
  }

  /** The link opens nothing any more. What it offers may still be taken by whoever is signed in. */
  async spend(tx: EntityManager, id: string): Promise<void> {
    await tx.update(OneTimeLinkEntity, { id }, { spentAt: DATABASE_NOW });
  }

  async end(tx: EntityManager, id: string, as: 'accepted' | 'declined'): Promise<void> {
    await tx.update(OneTimeLinkEntity, { id }, { usedAt: DATABASE_NOW, endedAs: as });
  }

  /** All open invitations of an address to a merchant. @returns how many there were */
  async endInvitations(
    tx: EntityManager,
    merchantId: string | null,
    email: string,
    as: 'withdrawn' | 'replaced',
  ): Promise<number> {
    const [ended] = await tx.query<[unknown[], number]>(END_INVITATIONS, [merchantId, email, as]);
    return ended.length;
  }

  /** One that goes to nobody is none. */
  async discard(tx: EntityManager, id: string): Promise<void> {
    await tx.delete(OneTimeLinkEntity, { id });
  }

  async mailedBy(tx: EntityManager, id: string, mailId: string): Promise<void> {
    await tx.update(OneTimeLinkEntity, { id }, { mailId });
  }

  /** Invitations to a merchant that nobody has answered yet; `null`: those to run the instance. */
  openTo(merchantId: string | null): Promise<OpenInvitation[]> {
    if (merchantId === null) return this.dataSource.query<OpenInvitation[]>(OPEN_TO_OPERATE);
    return this.dataSource.query<OpenInvitation[]>(OPEN_TO_MERCHANT, [merchantId]);
  }

  /** Of 24 hours, under the person's lock. */
  async recentProofs(tx: EntityManager, email: string): Promise<number> {
    const [{ recent }] = await tx.query<[{ recent: number }]>(RECENT_PROOFS, [email]);
    return recent;
  }

  /** Under the person's lock. */
  async mailedResets(tx: EntityManager, email: string): Promise<MailedResets> {
    const [resets] = await tx.query<[MailedResets]>(MAILED_RESETS, [email]);
    return resets;
  }

  /** Of 24 hours. One who asks after the other: of many at the same moment, each would find room for itself. */
  async recentInvitations(
    tx: EntityManager,
    inviter: string,
    merchantId: string | null,
    email: string,
  ): Promise<RecentInvitations> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtext('invitations'))`);
    const [recent] = await tx.query<[RecentInvitations]>(RECENT_INVITATIONS, [inviter, merchantId, email]);
    return recent;
  }
}
