import { Get, Post, Query } from '@nestjs/common';
import { SignInService } from '../../accounts/sign-in/sign-in.service.js';
import { safePath } from '../domain/safe-path.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { DashboardPages } from '../session/pages/dashboard.pages.js';
import { type PageModel, RequestContext } from '../session/request-context.js';

/** A fresh proof of identity, before what a thief would want first; then back to where it was asked for. */
@DashboardController('confirm')
export class ConfirmController {
  constructor(
    private readonly signIn: SignInService,
    private readonly pages: DashboardPages,
  ) {}

  @Get()
  @Allow('self')
  async show(@CurrentContext() context: RequestContext, @Query('to') to: unknown): Promise<void> {
    await context.page('confirm', confirmView(context, safePath(to)));
  }

  @Post()
  @Allow('self')
  async confirm(@CurrentContext() context: RequestContext): Promise<void> {
    const { who, form, actor } = context;
    const to = safePath(form.text('to'));
    try {
      const token = await this.signIn.proveAgain(who, form.raw('password'), form.text('code'), actor);
      this.pages.sessionCookie.write(context.response, token);
    } catch (error) {
      return context.refused(error, 'confirm', confirmView(context, to));
    }
    context.redirect(to);
  }
}

export function confirmView({ say, who: { hasTotp, hasPasskey } }: RequestContext, to: string): PageModel {
  return {
    title: say('Confirm your password'),
    to,
    hasTotp,
    hasPasskey,
    hasSecondFactor: hasTotp || hasPasskey,
  };
}
