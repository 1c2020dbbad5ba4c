import { Get, Post } from '@nestjs/common';
import { drawQr } from '../../../platform/qr.js';
import { SecondFactorsService } from '../../accounts/second-factors/second-factors.service.js';
import { Allow, CurrentVisit, DashboardController } from '../door/allow.js';
import { Visit, type PageModel } from '../door/visit.js';
import { answerWithCodes } from './recovery-codes.controller.js';

const PATH = '/dashboard/account/second-factor';

/** Codes of an authenticator app: on, with a first code as proof that it works, and off. */
@DashboardController('account/second-factor')
export class SecondFactorController {
  constructor(private readonly secondFactors: SecondFactorsService) {}

  @Get()
  @Allow('account', { fresh: true })
  async show(@CurrentVisit() visit: Visit): Promise<void> {
    await visit.page('account/second-factor', await this.model(visit));
  }

  @Post('later')
  @Allow('self')
  async later(@CurrentVisit() visit: Visit): Promise<void> {
    await this.secondFactors.decline(visit.who);
    visit.redirect('/dashboard/account', 'You will be asked again in a week.');
  }

  @Post('begin')
  @Allow('account', { fresh: true })
  async begin(@CurrentVisit() visit: Visit): Promise<void> {
    try {
      await this.secondFactors.begin(visit.who);
    } catch (error) {
      return visit.refused(error, 'account/second-factor', await this.model(visit));
    }
    visit.redirect(PATH);
  }

  /** The recovery codes are in this answer and nowhere else. */
  @Post('enable')
  @Allow('account', { fresh: true })
  async enable(@CurrentVisit() visit: Visit): Promise<void> {
    let codes: string[] | null;
    try {
      codes = await this.secondFactors.enable(visit.who, visit.form.text('code'), visit.actor);
    } catch (error) {
      return visit.refused(error, 'account/second-factor', await this.model(visit));
    }
    await answerWithCodes(visit, codes, 'Codes are on. You keep the recovery codes that you have.');
  }

  @Post('disable')
  @Allow('account', { fresh: true })
  async disable(@CurrentVisit() visit: Visit): Promise<void> {
    await this.secondFactors.disable(visit.who, visit.actor);
    visit.redirect('/dashboard/account', 'Codes are off.');
  }

  private async model({ who }: Visit): Promise<PageModel> {
    const pending = await this.secondFactors.pending(who);
    return {
      title: 'Codes at sign-in',
      isOn: who.hasTotp,
      secret: pending && {
        qr: drawQr(pending.uri),
        text: pending.base32,
        groups: pending.base32.match(/.{1,4}/g),
      },
    };
  }
}
