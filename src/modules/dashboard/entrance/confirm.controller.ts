import { Get, Post, Query } from '@nestjs/common';
import { SignInService } from '../../accounts/sign-in/sign-in.service.js';
import { DashboardPages } from '../dashboard.pages.js';
import { safePath } from '../domain/safe-path.js';
import { Allow, CurrentVisit, DashboardController } from '../door/allow.js';
import { Visit, type PageModel } from '../door/visit.js';

/** A fresh proof of identity, before what a thief would want first; then back to where it was asked for. */
@DashboardController('confirm')
export class ConfirmController {
  constructor(
    private readonly signIn: SignInService,
    private readonly pages: DashboardPages,
  ) {}

  @Get()
  @Allow('self')
  async show(@CurrentVisit() visit: Visit, @Query('to') to: unknown): Promise<void> {
    await visit.page('confirm', confirmView(visit, safePath(to)));
  }

  @Post()
  @Allow('self')
  async confirm(@CurrentVisit() visit: Visit): Promise<void> {
    const { who, form, actor } = visit;
    const to = safePath(form.text('to'));
    try {
      const token = await this.signIn.proveAgain(who, form.raw('password'), form.text('code'), actor);
      this.pages.sessionCookie.write(visit.response, token);
    } catch (error) {
      return visit.refused(error, 'confirm', confirmView(visit, to));
    }
    visit.redirect(to);
  }
}

export function confirmView({ who: { hasTotp, hasPasskey } }: Visit, to: string): PageModel {
  return { title: 'Is it you?', to, hasTotp, hasPasskey, hasSecondFactor: hasTotp || hasPasskey };
}
