import { Global, Module } from '@nestjs/common';
import { AuditTrail } from '../../../database/by.js';
import { FirstTimes } from '../data/first-times.repository.js';
import { AuditLog } from './audit-log.service.js';
import { AuditEntries } from './data/audit-entries.repository.js';

/** Global, because modules that the accounts do not know, and that do not know the accounts, leave entries too. */
@Global()
@Module({
  providers: [AuditEntries, AuditLog, FirstTimes, { provide: AuditTrail, useExisting: AuditLog }],
  exports: [AuditLog, AuditTrail, FirstTimes],
})
export class AuditModule {}
