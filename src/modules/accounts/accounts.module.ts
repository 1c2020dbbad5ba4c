import { Module } from '@nestjs/common';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { AccountsRetention } from './sessions/sessions.retention.js';
import { EmailProofs } from './people/email-proofs.service.js';
import { AdmissionService } from './admission/admission.service.js';
import { AuditModule } from './audit/audit.module.js';
import { GuessDelays } from './sessions/guess-delays.js';
import { GuessNews } from './sessions/guess-news.js';
import { InvitationsService } from './people/invitations.service.js';
import { KnownDevices } from './sessions/data/known-devices.repository.js';
import { LinksService } from './sign-in/links.service.js';
import { MerchantSettingsService } from './admission/merchant-settings.service.js';
import { OneTimeLinks } from './people/data/one-time-links.repository.js';
import { PasskeyChallenges } from './second-factors/data/passkey-challenges.repository.js';
import { PasskeysService } from './second-factors/passkeys.service.js';
import { PeopleService } from './people/people.service.js';
import { RecoveryCodes } from './second-factors/recovery-codes.js';
import { SecondFactorsService } from './second-factors/second-factors.service.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInService } from './sign-in/sign-in.service.js';

const SERVICES = [
  EmailProofs,
  AdmissionService,
  InvitationsService,
  LinksService,
  MerchantSettingsService,
  PasskeysService,
  PeopleService,
  SecondFactorsService,
  SessionsService,
  SignInService,
];

@Module({
  imports: [AuditModule, MerchantsModule],
  providers: [
    ...SERVICES,
    AccountsRetention,
    GuessDelays,
    GuessNews,
    KnownDevices,
    OneTimeLinks,
    PasskeyChallenges,
    RecoveryCodes,
  ],
  exports: [...SERVICES, AuditModule],
})
export class AccountsModule {}
