import { Get, Post, Query } from '@nestjs/common';
import { SetupEnded } from '../../accounts/accounts.errors.js';
import type { ProvenAgain } from '../../accounts/sessions/sessions.service.js';
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
    let again: ProvenAgain;
    try {
      again = await this.signIn.proveAgain(who, form.raw('password'), form.text('code'), actor);
    } catch (error) {
      return context.refused(error, 'confirm', confirmView(context, to));
    }
    this.pages.sessionCookie.write(context.response, again.token);
    leadBack(context, to, again);
  }
}

/** To where the proof was asked for; a code for what ended by it would be refused there. */
export function leadBack(context: RequestContext, to: string, { endedSetup }: ProvenAgain): void {
  const { told } = context.say;
  context.redirect(to, endedSetup ? { kind: 'warn', text: told(new SetupEnded().message) } : null);
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
