import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { AdmissionService } from './admission/admission.service.js';
import { AuditModule } from './audit/audit.module.js';
import { InvitationEndsRepository } from './data/invitation-ends.repository.js';
import { MembershipEntity } from './data/membership.entity.js';
import { MembershipsRepository } from './data/memberships.repository.js';
import { PeopleRepository } from './data/people.repository.js';
import { PersonEntity } from './data/person.entity.js';
import { PersonLanguagesRepository } from './data/person-languages.repository.js';
import { ResetLinksRepository } from './data/reset-links.repository.js';
import { OneTimeLinkEntity } from './people/data/one-time-link.entity.js';
import { OneTimeLinksRepository } from './people/data/one-time-links.repository.js';
import { OperatorsRepository } from './people/data/operators.repository.js';
import { SavedViewsRepository } from './people/data/saved-views.repository.js';
import { EmailProofs } from './people/email-proofs.service.js';
import { InvitationsService } from './people/invitations.service.js';
import { LanguagesService } from './people/languages.service.js';
import { MembersService } from './people/members.service.js';
import { OperatorsService } from './people/operators.service.js';
import { OwnPasswordService } from './people/own-password.service.js';
import { PeopleService } from './people/people.service.js';
import { RefusedLinks } from './people/refused-links.js';
import { SavedViewsService } from './people/saved-views.service.js';
import { PasskeyEntity } from './second-factors/data/passkey.entity.js';
import { PasskeyChallengesRepository } from './second-factors/data/passkey-challenges.repository.js';
import { PasskeysRepository } from './second-factors/data/passkeys.repository.js';
import { RecoveryCodeEntity } from './second-factors/data/recovery-code.entity.js';
import { RecoveryCodesRepository } from './second-factors/data/recovery-codes.repository.js';
import { PasskeysService } from './second-factors/passkeys.service.js';
import { RecoveryCodes } from './second-factors/recovery-codes.js';
import { SecondFactorsService } from './second-factors/second-factors.service.js';
import { CredentialChanges } from './sessions/credential-changes.js';
import { GuessDelaysRepository } from './sessions/data/guess-delays.repository.js';
import { KnownDevicesRepository } from './sessions/data/known-devices.repository.js';
import { SessionEntity } from './sessions/data/session.entity.js';
import { SessionsRepository } from './sessions/data/sessions.repository.js';
import { UnfinishedSignInsRepository } from './sessions/data/unfinished-sign-ins.repository.js';
import { GuessDelays } from './sessions/guess-delays.js';
import { InvitationEnds } from './sessions/invitation-ends.js';
import { AccountsRetention } from './sessions/sessions.retention.js';
import { SessionsService } from './sessions/sessions.service.js';
import { Tries } from './sessions/tries.js';
import { UnfinishedSignIns } from './sessions/unfinished-sign-ins.js';
import { PasswordRequestsRepository } from './sign-in/data/password-requests.repository.js';
import { ForgottenPasswords } from './sign-in/forgotten-passwords.service.js';
import { LinksService } from './sign-in/links.service.js';
import { SignInService } from './sign-in/sign-in.service.js';

const SERVICES = [
  EmailProofs,
  AdmissionService,
  ForgottenPasswords,
  InvitationsService,
  LanguagesService,
  LinksService,
  MembersService,
  OperatorsService,
  OwnPasswordService,
  PasskeysService,
  PeopleService,
  SavedViewsService,
  SecondFactorsService,
  SessionsService,
  SignInService,
];

const ENTITIES = [
  MembershipEntity,
  OneTimeLinkEntity,
  PasskeyEntity,
  PersonEntity,
  RecoveryCodeEntity,
  SessionEntity,
];

const REPOSITORIES = [
  GuessDelaysRepository,
  InvitationEndsRepository,
  KnownDevicesRepository,
  MembershipsRepository,
  OneTimeLinksRepository,
  OperatorsRepository,
  PasskeyChallengesRepository,
  PasskeysRepository,
  PasswordRequestsRepository,
  PeopleRepository,
  PersonLanguagesRepository,
  RecoveryCodesRepository,
  ResetLinksRepository,
  SavedViewsRepository,
  SessionsRepository,
  UnfinishedSignInsRepository,
];

@Module({
  imports: [TypeOrmModule.forFeature(ENTITIES), AuditModule, MerchantsModule],
  providers: [
    ...SERVICES,
    ...REPOSITORIES,
    AccountsRetention,
    GuessDelays,
    CredentialChanges,
    InvitationEnds,
    Tries,
    UnfinishedSignIns,
    RecoveryCodes,
    RefusedLinks,
  ],
  exports: [...SERVICES, AuditModule],
})
export class AccountsModule {}
