import { Get, Post, Query } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { SessionsService } from '../../accounts/sessions/sessions.service.js';
import { SignInService } from '../../accounts/sign-in/sign-in.service.js';
import { DashboardPages } from '../dashboard.pages.js';
import { safePath } from '../domain/safe-path.js';
import { AllowEverybody, CurrentVisit, DashboardController } from '../door/allow.js';
import { Visit } from '../door/visit.js';

/** The second step of signing in, for those who have codes on or a passkey. */
@DashboardController('sign-in/code')
export class CodeController {
  constructor(
    private readonly signIn: SignInService,
    private readonly sessions: SessionsService,
    private readonly pages: DashboardPages,
  ) {}

  @Get()
  @AllowEverybody()
  async show(@CurrentVisit() visit: Visit, @Query('to') to: unknown): Promise<void> {
    const halfWay = await this.sessions.findHalfWay(this.pages.sessionCookie.read(visit.request));
    if (!halfWay) return visit.redirect('/dashboard/sign-in');
    await visit.page('entrance/code', codeView(safePath(to), halfWay));
  }

  @Post()
  @AllowEverybody()
  async enter(@CurrentVisit() visit: Visit): Promise<void> {
    const to = safePath(visit.form.text('to'));
    const cookie = this.pages.sessionCookie.read(visit.request);
    const halfWay = await this.sessions.findHalfWay(cookie);
    try {
      const signIn = await this.signIn.withCode(cookie, visit.form.text('code'), visit.origin);
      this.pages.signIn(visit.response, signIn);
      visit.redirect(to);
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'unauthenticated')
        return visit.redirect('/dashboard/sign-in');
      await visit.refused(error, 'entrance/code', codeView(to, halfWay));
    }
  }
}

function codeView(to: string, halfWay: { hasTotp: boolean } | null) {
  return { title: 'The second step', to, hasTotp: halfWay?.hasTotp ?? true };
}
