import { Get, Post } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { SecondFactorsService } from '../../accounts/second-factors/second-factors.service.js';
import type { SignedIn } from '../../accounts/accounts.types.js';
import { Allow, CurrentVisit, DashboardController } from '../door/allow.js';
import { Visit } from '../door/visit.js';

/** How many are left, and new ones in their place. */
@DashboardController('account/recovery-codes')
export class RecoveryCodesController {
  constructor(private readonly secondFactors: SecondFactorsService) {}

  @Get()
  @Allow('account', { fresh: true })
  async show(@CurrentVisit() visit: Visit): Promise<void> {
    await visit.page('account/recovery-codes', {
      title: 'Recovery codes',
      hasSecondFactor: hasSecondFactor(visit.who),
      codesLeft: await this.secondFactors.recoveryCodesLeft(visit.who.personId),
    });
  }

  @Post()
  @Allow('account', { fresh: true })
  async renew(@CurrentVisit() visit: Visit): Promise<void> {
    if (!hasSecondFactor(visit.who))
      throw new DomainError('conflict', 'conflict', 'Recovery codes come with codes of an app or a passkey.');
    await answerWithCodes(visit, await this.secondFactors.renewRecoveryCodes(visit.who, visit.actor), '');
  }
}

function hasSecondFactor({ hasTotp, hasPasskey }: SignedIn): boolean {
  return hasTotp || hasPasskey;
}

/** New codes are in this answer and nowhere else. @param said when there are none */
export async function answerWithCodes(visit: Visit, codes: string[] | null, said: string): Promise<void> {
  if (codes === null) return visit.redirect('/dashboard/account', said);
  await visit.page('account/new-recovery-codes', {
    title: 'Recovery codes',
    codes,
    text: codes.join('\n'),
  });
}
