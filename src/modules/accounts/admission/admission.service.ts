import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { wrongField } from '../../../kernel/domain-error.js';
import { characterCount } from '../../../kernel/text/character-count.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import type { Merchant, MerchantSettings } from '../../merchants/merchants.types.js';
import type { Actor, AuditEntry, Invited } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { InvitationsService } from '../people/invitations.service.js';

/** Kept for ever: a paragraph, not a file. */
const MAX_REASON = 1_000;
/** More changes of standing than any merchant goes through. */
const MAX_HISTORY = 100;

const VERDICTS = ['approved', 'suspended', 'closed'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface NewMerchant extends MerchantSettings {
  readonly name: string;
  readonly status: 'pending' | 'approved';
  readonly reason: string;
  /** Who joins as its owner, by the link that comes back; `null` for nobody yet. */
  readonly ownerEmail: string | null;
}

/** Who may be a merchant here, decided by the operator, each time with a reason that stays in the audit log. */
@Injectable()
export class AdmissionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly merchants: MerchantsService,
    private readonly invitations: InvitationsService,
    private readonly audit: AuditLog,
  ) {}

  /** @throws DomainError `validation-error`; there is no merchant then */
  async create(
    { status, reason, ownerEmail, ...settings }: NewMerchant,
    actor: Actor,
  ): Promise<{ merchant: Merchant; invitation: Invited | null }> {
    const checked = checkedReason(reason);
    return this.dataSource.transaction(async (tx) => {
      const merchant = await this.merchants.insert(tx, settings, status, this.audit.by(actor), checked);
      const merchantId = merchant.id;
      const invitation =
        ownerEmail === null
          ? null
          : await this.invitations.inviteIn(tx, { email: ownerEmail, merchantId, role: 'owner' }, actor);
      return { merchant, invitation };
    });
  }

  /**
   * Takes effect with the next request of anybody: no key and no session is cached. To a closed merchant nobody is invited.
   * @returns whether it was different before; nothing is recorded when it was not
   * @throws DomainError `merchant-not-found`, `conflict` for a closed merchant, `validation-error` without a reason
   */
  async decide(merchantId: string, verdict: Verdict, reason: string, actor: Actor): Promise<boolean> {
    const checked = checkedReason(reason);
    return this.dataSource.transaction(async (tx) => {
      const by = this.audit.by(actor);
      const before = await this.merchants.setStatus(tx, merchantId, verdict, by, checked);
      await this.invitations.endFallen(tx, merchantId, actor);
      return before !== verdict;
    });
  }

  /** What was decided about a merchant, newest first. */
  history(merchantId: string): Promise<AuditEntry[]> {
    const actions = ['merchant.created', ...VERDICTS.map((verdict) => `merchant.${verdict}`)];
    return this.audit.list(merchantId, MAX_HISTORY, { actions });
  }
}

function checkedReason(text: string): string {
  const reason = text.trim();
  const isFine = reason !== '' && characterCount(reason) <= MAX_REASON && reason.isWellFormed();
  if (isFine && !reason.includes('\0')) return reason;
  throw wrongField('reason', `Say why, in at most ${MAX_REASON} characters: the reason stays in the log.`);
}
