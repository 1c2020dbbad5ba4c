import { Module } from '@nestjs/common';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { AccountsRetention } from './accounts.retention.js';
import { AdmissionService } from './admission.service.js';
import { AuditLog } from './audit-log.service.js';
import { GuessDelays } from './guess-delays.js';
import { LinksService } from './links.service.js';
import { MerchantSettingsService } from './merchant-settings.service.js';
import { PasskeyChallenges } from './passkey-challenges.js';
import { PasskeysService } from './passkeys.service.js';
import { PeopleService } from './people.service.js';
import { RecoveryCodes } from './recovery-codes.js';
import { SecondFactorsService } from './second-factors.service.js';
import { SessionsService } from './sessions.service.js';
import { SignInService } from './sign-in.service.js';

const SERVICES = [
  AdmissionService,
  AuditLog,
  LinksService,
  MerchantSettingsService,
  PasskeysService,
  PeopleService,
  SecondFactorsService,
  SessionsService,
  SignInService,
];

@Module({
  imports: [MerchantsModule],
  providers: [...SERVICES, AccountsRetention, GuessDelays, PasskeyChallenges, RecoveryCodes],
  exports: SERVICES,
})
export class AccountsModule {}
