import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../kernel/domain-error.js';
import { MerchantsService } from '../merchants/merchants.service.js';
import { ROLES, type Actor, type LinkOffer, type Role } from './accounts.types.js';
import { AuditLog } from './audit-log.service.js';
import { checkedEmail } from './domain/email.js';
import { hashToken, isToken, newToken } from './domain/token.js';
import { GuessDelays } from './guess-delays.js';
import { hashPassword } from './password-hashing.js';
import { checkedPassword, PeopleService } from './people.service.js';
import { SessionsService } from './sessions.service.js';

const INVITATION_HOURS = 72;
/** Shorter: it opens an account that exists. */
const RESET_HOURS = 24;

export interface Invitation {
  readonly email: string;
  /** With a role, for one merchant … */
  readonly merchantId?: string;
  readonly role?: Role;
  /** … or for the instance. */
  readonly isOperator?: boolean;
}

/** A link as its maker hands it on. The token is in it and nowhere else. */
export interface OneTimeLink {
  readonly email: string;
  readonly token: string;
  readonly expiresAt: Date;
}

export interface OpenInvitation {
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: Date;
}

interface LinkRow {
  readonly kind: LinkOffer['kind'];
  readonly email: string;
  readonly merchantId: string | null;
  readonly merchantName: string | null;
  readonly role: Role | null;
  readonly isOperator: boolean;
  readonly hasPassword: boolean;
}

const FIND = `
  SELECT l.kind, l.email, l.merchant_id AS "merchantId", m.name AS "merchantName", l.role, l.is_operator AS "isOperator",
         EXISTS (SELECT 1 FROM person p WHERE p.email = l.email AND p.password_hash IS NOT NULL) AS "hasPassword"
  FROM one_time_link l LEFT JOIN merchant m ON m.id = l.merchant_id
  WHERE l.hash = $1 AND l.used_at IS NULL AND l.expires_at > clock_timestamp()`;

const END_INVITATIONS = `
  UPDATE one_time_link SET expires_at = clock_timestamp()
  WHERE merchant_id = $1 AND email = $2 AND used_at IS NULL AND expires_at > clock_timestamp() RETURNING 1`;

/** Invitations and password resets. Looking at a link changes nothing: mail programs look at all of them. */
@Injectable()
export class LinksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly merchants: MerchantsService,
    private readonly people: PeopleService,
    private readonly sessions: SessionsService,
    private readonly delays: GuessDelays,
    private readonly audit: AuditLog,
  ) {}

  /** @throws DomainError `validation-error`, `merchant-not-found` */
  invite(invitation: Invitation, actor: Actor): Promise<OneTimeLink> {
    return this.dataSource.transaction((tx) => this.inviteIn(tx, invitation, actor));
  }

  /** The same with the commit of `tx`. @throws DomainError like `invite` */
  async inviteIn(tx: EntityManager, invitation: Invitation, actor: Actor): Promise<OneTimeLink> {
    const email = checkedEmail(invitation.email);
    const { merchantId = null, role = null, isOperator = false } = invitation;
    if (merchantId === null ? !isOperator : role === null || !ROLES.includes(role)) {
      throw new DomainError(
        'invalid',
        'validation-error',
        `A person is an operator, or is one of ${ROLES.join(', ')} of a merchant.`,
      );
    }
    if (merchantId !== null) await this.merchants.get(merchantId, tx);
    await this.audit.record(tx, actor, {
      merchantId,
      action: 'person.invited',
      subject: email,
      detail: { role, operator: isOperator },
    });
    return this.make(tx, 'invitation', { email, merchantId, role, isOperator }, actor, INVITATION_HOURS);
  }

  /**
   * Somebody new to this instance gets a link; whoever has an account is added at once. An earlier invitation of the
   * same person ends: two links could give two roles.
   * @returns `null` for somebody who was added
   * @throws DomainError `validation-error`; `conflict` for somebody who belongs to the merchant
   */
  async welcome(
    wanted: { readonly email: string; readonly merchantId: string; readonly role: Role },
    actor: Actor,
  ): Promise<OneTimeLink | null> {
    const { merchantId, role } = wanted;
    const email = checkedEmail(wanted.email);
    return this.dataSource.transaction(async (tx) => {
      const [person] = await tx.query<{ id: string; isMember: boolean }[]>(
        `SELECT p.id, EXISTS (SELECT FROM membership WHERE person_id = p.id AND merchant_id = $2) AS "isMember"
         FROM person p WHERE p.email = $1 AND p.password_hash IS NOT NULL FOR UPDATE`,
        [email, merchantId],
      );
      if (person?.isMember)
        throw new DomainError('conflict', 'conflict', `${email} belongs to this merchant already.`);
      await tx.query(END_INVITATIONS, [merchantId, email]);
      if (!person) return this.inviteIn(tx, { email, merchantId, role }, actor);
      await this.people.join(tx, person.id, merchantId, role);
      const detail = { email, role };
      await this.audit.record(tx, actor, { merchantId, action: 'person.added', subject: person.id, detail });
      return null;
    });
  }

  /**
   * @param dropSecondFactors for somebody who lost them: nothing opens the account until the link is taken, and then
   *   the new password alone
   * @throws DomainError `not-found` for an address without an account
   */
  async reset(address: string, actor: Actor, dropSecondFactors = false): Promise<OneTimeLink> {
    const email = checkedEmail(address);
    const person = await this.people.findByEmail(email);
    if (!person) throw new DomainError('not_found', 'not-found', `There is no account of ${email}.`);
    return this.dataSource.transaction(async (tx) => {
      if (dropSecondFactors) {
        await forgetFactors(tx, person.id);
        // A lost phone may be signed in.
        await this.sessions.revokeAll(tx, person.id, null);
      }
      await this.audit.record(tx, actor, {
        merchantId: null,
        action: 'password.reset-offered',
        subject: person.id,
        detail: { email, dropSecondFactors },
      });
      const nobody = { email, merchantId: null, role: null, isOperator: false };
      return this.make(tx, 'reset', nobody, actor, RESET_HOURS);
    });
  }

  /** `null` for what is unknown, used, or too old. */
  async look(token: string): Promise<LinkOffer | null> {
    const link = isToken(token)
      ? (await this.dataSource.query<LinkRow[]>(FIND, [hashToken(token)]))[0]
      : undefined;
    if (!link) return null;
    const { kind, email, merchantName, role, isOperator } = link;
    return {
      kind,
      email,
      merchantName,
      role,
      isOperator,
      needsPassword: kind === 'reset' || !link.hasPassword,
    };
  }

  /**
   * Uses the link up. After a reset nobody stays signed in.
   * @param password unused for somebody who has one and is only invited
   * @throws DomainError `not-found` for a link that is no good any more, `validation-error` for a weak password
   */
  async take(token: string, password: string, address: string): Promise<void> {
    const offer = await this.look(token);
    if (!offer) throw gone();
    const hash = offer.needsPassword ? await hashPassword(checkedPassword(password, offer.email)) : null;
    await this.dataSource.transaction(async (tx) => {
      const [link] = await tx.query<LinkRow[]>(`${FIND} FOR UPDATE OF l`, [hashToken(token)]);
      if (!link || (hash === null && !link.hasPassword)) throw gone();
      await tx.query('UPDATE one_time_link SET used_at = clock_timestamp() WHERE hash = $1', [
        hashToken(token),
      ]);
      const personId = await this.people.ensure(tx, link.email);
      // Two invitations of a new person: the second must not overwrite the password that the first has set.
      if (hash !== null && (link.kind === 'reset' || !link.hasPassword)) {
        await this.people.setPassword(tx, personId, hash);
        await this.sessions.revokeAll(tx, personId, null);
      }
      if (link.merchantId !== null && link.role !== null)
        await this.people.join(tx, personId, link.merchantId, link.role);
      if (link.isOperator) await tx.query('UPDATE person SET is_operator = true WHERE id = $1', [personId]);
      const actor = { name: link.email, personId, address };
      const action = link.kind === 'reset' ? 'password.reset' : 'person.joined';
      await this.audit.record(tx, actor, {
        merchantId: link.merchantId,
        action,
        subject: personId,
        detail: { role: link.role },
      });
    });
    await this.delays.forget('password', offer.email);
  }

  /** Invitations to a merchant that nobody has taken yet. */
  async open(merchantId: string): Promise<OpenInvitation[]> {
    return this.dataSource.query<OpenInvitation[]>(
      `SELECT email, role, expires_at AS "expiresAt" FROM one_time_link
       WHERE merchant_id = $1 AND used_at IS NULL AND expires_at > clock_timestamp() ORDER BY created_at, email`,
      [merchantId],
    );
  }

  /** Takes back all open invitations of an address to this merchant. @returns whether there was one */
  async withdraw(merchantId: string, email: string, actor: Actor): Promise<boolean> {
    return this.dataSource.transaction(async (tx) => {
      const [gone] = await tx.query<[unknown[], number]>(END_INVITATIONS, [merchantId, email]);
      if (gone.length > 0)
        await this.audit.record(tx, actor, { merchantId, action: 'invitation.withdrawn', subject: email });
      return gone.length > 0;
    });
  }

  private async make(
    tx: EntityManager,
    kind: LinkOffer['kind'],
    to: { email: string; merchantId: string | null; role: Role | null; isOperator: boolean },
    actor: Actor,
    hours: number,
  ): Promise<OneTimeLink> {
    const token = newToken();
    const [row] = await tx.query<{ expiresAt: Date }[]>(
      `INSERT INTO one_time_link (hash, kind, email, merchant_id, role, is_operator, created_by, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + make_interval(hours => $8)) RETURNING expires_at AS "expiresAt"`,
      [hashToken(token), kind, to.email, to.merchantId, to.role, to.isOperator, actor.name, hours],
    );
    return { email: to.email, token, expiresAt: row!.expiresAt };
  }
}

/** The password goes with them: alone it must not open what two factors guarded. */
async function forgetFactors(tx: EntityManager, personId: string): Promise<void> {
  await tx.query(
    'UPDATE person SET password_hash = NULL, totp_secret = NULL, totp_enabled_at = NULL WHERE id = $1',
    [personId],
  );
  await tx.query('DELETE FROM recovery_code WHERE person_id = $1', [personId]);
  await tx.query('DELETE FROM passkey WHERE person_id = $1', [personId]);
}

function gone(): DomainError {
  return new DomainError(
    'not_found',
    'not-found',
    'This link has been used or is too old. Ask for a new one.',
  );
}
