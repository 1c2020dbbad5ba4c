import { Get, Post, Query } from '@nestjs/common';
import { SessionsService } from '../../accounts/sessions/sessions.service.js';
import { SignInService } from '../../accounts/sign-in/sign-in.service.js';
import { DashboardPages } from '../dashboard.pages.js';
import { pathWith, safePath } from '../domain/safe-path.js';
import { Allow, AllowEverybody, CurrentVisit, DashboardController } from '../door/allow.js';
import { Visit } from '../door/visit.js';
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
  async show(@CurrentVisit() visit: Visit, @Query('to') to: unknown): Promise<void> {
    await visit.page('entrance/sign-in', signInView('', safePath(to)));
  }

  @Post('sign-in')
  @AllowEverybody()
  async enter(@CurrentVisit() visit: Visit): Promise<void> {
    const { form } = visit;
    const [email, to] = [form.text('email'), safePath(form.text('to'))];
    try {
      this.pace.keep(visit.origin.address);
      const signIn = await this.signIn.withPassword(email, form.raw('password'), visit.origin);
      await this.sessions.close(this.pages.sessionCookie.read(visit.request));
      this.pages.signIn(visit.response, signIn);
      visit.redirect(signIn.stage === 'full' ? to : pathWith('/dashboard/sign-in/code', { to }));
    } catch (error) {
      await visit.refused(error, 'entrance/sign-in', signInView(email, to));
    }
  }

  @Post('sign-out')
  @Allow('self')
  async leave(@CurrentVisit() visit: Visit): Promise<void> {
    await this.sessions.close(this.pages.sessionCookie.read(visit.request));
    this.pages.sessionCookie.clear(visit.response);
    visit.redirect('/dashboard/sign-in');
  }
}

export function signInView(email: string, to: string) {
  return { title: 'Sign in', email, to };
}
