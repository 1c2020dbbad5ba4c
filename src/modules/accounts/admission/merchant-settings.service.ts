import { Injectable } from '@nestjs/common';
import { MerchantsService } from '../../merchants/merchants.service.js';
import type { Merchant, MerchantSettings } from '../../merchants/merchants.types.js';
import type { Actor } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import { changesBetween } from './domain/changes.js';

/** A merchant's settings, with a record of who changed what. */
@Injectable()
export class MerchantSettingsService {
  constructor(
    private readonly merchants: MerchantsService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * What is not named stays. A change that changes nothing leaves no record.
   * @throws DomainError `merchant-not-found`, `validation-error`
   */
  async change(merchantId: string, settings: MerchantSettings, actor: Actor): Promise<Merchant> {
    return this.merchants.set(merchantId, settings, async (tx, before, after) => {
      const changes = changesBetween(before, after);
      if (Object.keys(changes).length === 0) return;
      const change = { merchantId, action: 'settings.changed', subject: merchantId, detail: { changes } };
      await this.audit.record(tx, actor, change);
    });
  }
}
