import { Get, Post, Query } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { SessionsService } from '../../accounts/sessions/sessions.service.js';
import { SignInService } from '../../accounts/sign-in/sign-in.service.js';
import { safePath } from '../domain/safe-path.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import { AllowEverybody, CurrentContext, DashboardController } from '../session/allow.js';
import { DashboardPages } from '../session/pages/dashboard.pages.js';
import { RequestContext } from '../session/request-context.js';

/** The second step of signing in, for those who have codes on or a passkey. */
@DashboardController('signInCode')
export class CodeController {
  constructor(
    private readonly signIn: SignInService,
    private readonly sessions: SessionsService,
    private readonly pages: DashboardPages,
  ) {}

  @Get()
  @AllowEverybody()
  async show(@CurrentContext() context: RequestContext, @Query('to') to: unknown): Promise<void> {
    const halfWay = await this.sessions.findHalfWay(this.pages.sessionCookie.read(context.request));
    if (!halfWay) return context.redirect(pathTo('signIn'));
    await context.page('sign-in/code', codeView(context.say, safePath(to), halfWay));
  }

  @Post()
  @AllowEverybody()
  async enter(@CurrentContext() context: RequestContext): Promise<void> {
    const to = safePath(context.form.text('to'));
    const cookie = this.pages.sessionCookie.read(context.request);
    const halfWay = await this.sessions.findHalfWay(cookie);
    try {
      const signIn = await this.signIn.withCode(cookie, context.form.text('code'), context.origin);
      this.pages.signIn(context.response, signIn);
      context.redirect(to);
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'unauthenticated')
        return context.redirect(pathTo('signIn'));
      await context.refused(error, 'sign-in/code', codeView(context.say, to, halfWay));
    }
  }
}

function codeView(say: Say, to: string, halfWay: { hasTotp: boolean } | null) {
  return { title: say('The second step'), to, hasTotp: halfWay?.hasTotp ?? true };
}
