import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { SecurityLog } from '../../../platform/observability/security-log.js';
import type { AccountSecurityEvent, SignedIn } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { GUESSER_NAMES } from '../sessions/domain/guess-limits.js';
import { OneTimeLinksRepository } from './data/one-time-links.repository.js';

/** Who holds a link. */
export interface LinkHolder {
  /** `null` for somebody who is not signed in. */
  readonly who: SignedIn | null;
  readonly ip: string | null;
}

/**
 * One-time links that open nothing: unknown, used up or too old (`link`), or of another account than the one that holds it
 * (`foreign-link`). Each leaves a line and a count; where there is an account an entry in its log.
 */
@Injectable()
export class RefusedLinks {
  constructor(
    private readonly links: OneTimeLinksRepository,
    private readonly security: SecurityLog<AccountSecurityEvent>,
    private readonly audit: AuditLog,
  ) {}

  /** @param use `not-found` for a link that is no good; it is noted once per call @throws what `use` throws */
  async noting<Found>(token: string, holder: LinkHolder, use: () => Promise<Found>): Promise<Found> {
    try {
      return await use();
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found') await this.note(token, holder);
      throw error;
    }
  }

  private async note(token: string, { who, ip }: LinkHolder): Promise<void> {
    // Of an unknown link nothing is known but who holds it.
    const { email, personId } = (await this.links.ownerOf(token)) ?? {
      email: null,
      personId: who?.personId ?? null,
    };
    const why = who !== null && email !== null && email !== who.email ? 'foreign-link' : 'link';
    const by = who === null ? {} : { by: who.personId };
    this.security.note('sign-in-failed', { account: personId ?? email, ...by, ip, why });
    if (personId === null) return;
    const actor =
      who === null
        ? { name: GUESSER_NAMES.stranger, personId, ip }
        : { name: who.email, personId: who.personId, ip };
    this.audit.refused(actor, { merchantId: null, action: 'sign-in.failed', subject: personId, why });
  }
}
