import { Get, Post } from '@nestjs/common';
import type { FactorAdded } from '../../accounts/accounts.types.js';
import { SecondFactorsService } from '../../accounts/second-factors/second-factors.service.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { type PageModel, RequestContext } from '../session/request-context.js';
import { endedInvitations, withEndedInvitations } from './ended-invitations.js';

/** How many are left, and new ones in their place. */
@DashboardController('recoveryCodes')
export class RecoveryCodesController {
  constructor(private readonly secondFactors: SecondFactorsService) {}

  @Get()
  @Allow('account', { fresh: true })
  async show(@CurrentContext() context: RequestContext): Promise<void> {
    await context.page('account/recovery-codes', await this.model(context));
  }

  @Post()
  @Allow('account', { fresh: true })
  async renew(@CurrentContext() context: RequestContext): Promise<void> {
    const { who, actor, here } = context;
    let renewed: FactorAdded;
    try {
      renewed = await this.secondFactors.renewRecoveryCodes(who, actor, here);
    } catch (error) {
      return context.refused(error, 'account/recovery-codes', await this.model(context));
    }
    await answerWithCodes(context, renewed, '');
  }

  private async model({ who, say }: RequestContext): Promise<PageModel> {
    return {
      title: say('Recovery codes'),
      hasSecondFactor: who.hasTotp || who.hasPasskey,
      codesLeft: await this.secondFactors.recoveryCodesLeft(who.personId),
    };
  }
}

/** New codes are in this answer and nowhere else. @param said when there are none */
export async function answerWithCodes(
  context: RequestContext,
  { recoveryCodes, endedInvitations: ended }: FactorAdded,
  said: string,
): Promise<void> {
  const { say } = context;
  if (recoveryCodes === null)
    return context.redirect(pathTo('account'), withEndedInvitations(say, said, ended));
  await context.page('account/new-recovery-codes', {
    title: say('Recovery codes'),
    codes: recoveryCodes,
    text: recoveryCodes.join('\n'),
    ended: ended === 0 ? null : endedInvitations(say, ended),
  });
}
