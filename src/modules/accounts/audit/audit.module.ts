import { Global, Module } from '@nestjs/common';
import { AuditTrail } from '../../../database/by.js';
import { ActingSessionsRepository } from '../data/acting-sessions.repository.js';
import { FirstTimesRepository } from '../data/first-times.repository.js';
import { AuditLog } from './audit-log.service.js';
import { AuditEntriesRepository } from './data/audit-entries.repository.js';
import { WriteBehind } from './write-behind.js';

/** Global, because modules that the accounts do not know, and that do not know the accounts, leave entries too. */
@Global()
@Module({
  providers: [
    ActingSessionsRepository,
    AuditEntriesRepository,
    AuditLog,
    FirstTimesRepository,
    WriteBehind,
    { provide: AuditTrail, useExisting: AuditLog },
  ],
  exports: [AuditLog, AuditTrail, FirstTimesRepository, WriteBehind],
})
export class AuditModule {}
