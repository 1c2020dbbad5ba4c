import { Post } from '@nestjs/common';
import { PasskeysService } from '../../accounts/second-factors/passkeys.service.js';
import { type ProvenAgain, SessionsService } from '../../accounts/sessions/sessions.service.js';
import { SignInService } from '../../accounts/sign-in/sign-in.service.js';
import { safePath } from '../domain/safe-path.js';
import { Allow, AllowEverybody, CurrentContext, DashboardController } from '../session/allow.js';
import { DashboardPages } from '../session/pages/dashboard.pages.js';
import { RequestContext } from '../session/request-context.js';
import { confirmView, leadBack } from './confirm.controller.js';
import { signInView } from './sign-in.controller.js';
import { SignInPace } from './sign-in-pace.js';

/** Signing in, or proving it again, by a passkey instead of typing. */
@DashboardController()
export class PasskeyController {
  constructor(
    private readonly signIn: SignInService,
    private readonly passkeys: PasskeysService,
    private readonly sessions: SessionsService,
    private readonly pages: DashboardPages,
    private readonly pace: SignInPace,
  ) {}

  /** For the script, of whichever page: who answers is seen in the answer. */
  @Post('sign-in/passkey/options')
  @AllowEverybody({ unrecorded: 'a challenge opens nothing before its answer, which is' })
  async options(@CurrentContext() context: RequestContext): Promise<void> {
    await this.pace.keep(context.origin, null);
    context.response.json(await this.passkeys.requestOptions());
  }

  @Post('sign-in/passkey')
  @AllowEverybody()
  async enter(@CurrentContext() context: RequestContext): Promise<void> {
    const to = safePath(context.form.text('to'));
    try {
      await this.pace.keep(context.origin, null);
      const signIn = await this.signIn.withPasskey(context.form.raw('credential'), context.origin);
      await this.sessions.close(this.pages.sessionCookie.read(context.request));
      this.pages.signIn(context.response, signIn);
    } catch (error) {
      return context.refused(error, 'sign-in/sign-in', signInView(context.say, '', to));
    }
    context.redirect(to);
  }

  @Post('confirm/passkey')
  @Allow('self')
  async confirm(@CurrentContext() context: RequestContext): Promise<void> {
    const { who, form, actor } = context;
    const to = safePath(form.text('to'));
    let again: ProvenAgain;
    try {
      again = await this.signIn.proveAgainByPasskey(who, form.raw('credential'), actor);
    } catch (error) {
      return context.refused(error, 'confirm', confirmView(context, to));
    }
    this.pages.sessionCookie.write(context.response, again.token);
    leadBack(context, to, again);
  }
}
