import { Get, Post, Query } from '@nestjs/common';
import { SessionsService } from '../../accounts/sessions/sessions.service.js';
import { SignInService } from '../../accounts/sign-in/sign-in.service.js';
import { pathWith, safePath } from '../domain/safe-path.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import { Allow, AllowEverybody, CurrentContext, DashboardController } from '../session/allow.js';
import { DashboardPages } from '../session/pages/dashboard.pages.js';
import { RequestContext } from '../session/request-context.js';
import { SignInPace } from './sign-in-pace.js';

/** In and out. */
@DashboardController()
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly sessions: SessionsService,
    private readonly pages: DashboardPages,
    private readonly pace: SignInPace,
  ) {}

  @Get('sign-in')
  @AllowEverybody()
  async show(@CurrentContext() context: RequestContext, @Query('to') to: unknown): Promise<void> {
    await context.page('sign-in/sign-in', signInView(context.say, '', safePath(to)));
  }

  @Post('sign-in')
  @AllowEverybody()
  async enter(@CurrentContext() context: RequestContext): Promise<void> {
    const { form } = context;
    const [email, to] = [form.text('email'), safePath(form.text('to'))];
    try {
      await this.pace.keep(context.origin, email);
      const signIn = await this.signIn.withPassword(email, form.raw('password'), context.origin);
      await this.sessions.close(this.pages.sessionCookie.read(context.request));
      this.pages.signIn(context.response, signIn);
      context.redirect(signIn.stage === 'full' ? to : pathWith(pathTo('signInCode'), { to }));
    } catch (error) {
      await context.refused(error, 'sign-in/sign-in', signInView(context.say, email, to));
    }
  }

  @Post('sign-out')
  @Allow('self')
  async leave(@CurrentContext() context: RequestContext): Promise<void> {
    await this.signIn.end(context.who, context.actor);
    this.pages.sessionCookie.clear(context.response);
    context.redirect(pathTo('signIn'));
  }
}

export function signInView(say: Say, email: string, to: string) {
  return { title: say('Sign in'), email, to };
}
