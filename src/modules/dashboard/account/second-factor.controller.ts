import { Get, Post } from '@nestjs/common';
import { drawQr } from '../../../platform/pages/qr.js';
import type { FactorAdded } from '../../accounts/accounts.types.js';
import { SecondFactorsService } from '../../accounts/second-factors/second-factors.service.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { type PageModel, RequestContext } from '../session/request-context.js';
import { withEndedInvitations } from './ended-invitations.js';
import { answerWithCodes } from './recovery-codes.controller.js';

/** Codes of an authenticator app: on, with a first code as proof that it works, and off. */
@DashboardController('secondFactor')
export class SecondFactorController {
  constructor(private readonly secondFactors: SecondFactorsService) {}

  @Get()
  @Allow('account', { fresh: true })
  async show(@CurrentContext() context: RequestContext): Promise<void> {
    await context.page('account/second-factor', await this.model(context));
  }

  @Post('later')
  @Allow('self', { unrecorded: 'it puts off a reminder' })
  async later(@CurrentContext() context: RequestContext): Promise<void> {
    await this.secondFactors.decline(context.who);
    context.redirect(pathTo('account'), context.say('You will be asked again in a week.'));
  }

  @Post('begin')
  @Allow('account', { fresh: true, unrecorded: 'the secret opens nothing before its first code, which is' })
  async begin(@CurrentContext() context: RequestContext): Promise<void> {
    try {
      await this.secondFactors.begin(context.who);
    } catch (error) {
      return context.refused(error, 'account/second-factor', await this.model(context));
    }
    context.redirect(pathTo('secondFactor'));
  }

  /** The recovery codes are in this answer and nowhere else. */
  @Post('enable')
  @Allow('account', { fresh: true })
  async enable(@CurrentContext() context: RequestContext): Promise<void> {
    const { who, form, actor, here } = context;
    let added: FactorAdded;
    try {
      added = await this.secondFactors.enable(who, form.text('code'), actor, here);
    } catch (error) {
      return context.refused(error, 'account/second-factor', await this.model(context));
    }
    await answerWithCodes(
      context,
      added,
      context.say('Codes are on. You keep the recovery codes that you have.'),
    );
  }

  @Post('disable')
  @Allow('account', { fresh: true })
  async disable(@CurrentContext() context: RequestContext): Promise<void> {
    const { who, actor, here, say } = context;
    let ended: number;
    try {
      ended = await this.secondFactors.disable(who, actor, here);
    } catch (error) {
      return context.refused(error, 'account/second-factor', await this.model(context));
    }
    context.redirect(pathTo('account'), withEndedInvitations(say, say('Codes are off.'), ended));
  }

  private async model({ who, say }: RequestContext): Promise<PageModel> {
    const pending = await this.secondFactors.pending(who);
    return {
      title: say('Codes at sign-in'),
      isOn: who.hasTotp,
      secret: pending && {
        qr: drawQr(pending.uri),
        text: pending.base32,
        groups: pending.base32.match(/.{1,4}/g),
      },
    };
  }
}
