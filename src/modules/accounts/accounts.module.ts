import { Module } from '@nestjs/common';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { AccountsRetention } from './accounts.retention.js';
import { AddressProofs } from './address-proofs.service.js';
import { AdmissionService } from './admission.service.js';
import { AuditLog } from './audit-log.service.js';
import { GuessDelays } from './guess-delays.js';
import { GuessNews } from './guess-news.js';
import { InvitationsService } from './invitations.service.js';
import { KnownDevices } from './known-devices.js';
import { LinksService } from './links.service.js';
import { MerchantSettingsService } from './merchant-settings.service.js';
import { OneTimeLinks } from './one-time-links.js';
import { PasskeyChallenges } from './passkey-challenges.js';
import { PasskeysService } from './passkeys.service.js';
import { PeopleService } from './people.service.js';
import { RecoveryCodes } from './recovery-codes.js';
import { SecondFactorsService } from './second-factors.service.js';
import { SessionsService } from './sessions.service.js';
import { SignInService } from './sign-in.service.js';

const SERVICES = [
  AddressProofs,
  AdmissionService,
  AuditLog,
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
  imports: [MerchantsModule],
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
  exports: SERVICES,
})
export class AccountsModule {}
