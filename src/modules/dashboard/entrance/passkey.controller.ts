import { Post } from '@nestjs/common';
import { PasskeysService } from '../../accounts/second-factors/passkeys.service.js';
import { SessionsService } from '../../accounts/sessions/sessions.service.js';
import { SignInService } from '../../accounts/sign-in/sign-in.service.js';
import { DashboardPages } from '../dashboard.pages.js';
import { safePath } from '../domain/safe-path.js';
import { Allow, AllowEverybody, CurrentVisit, DashboardController } from '../door/allow.js';
import { Visit } from '../door/visit.js';
import { confirmView } from './confirm.controller.js';
import { SignInPace } from './sign-in-pace.js';
import { signInView } from './sign-in.controller.js';

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
  @AllowEverybody()
  async options(@CurrentVisit() visit: Visit): Promise<void> {
    this.pace.keep(visit.origin.address);
    visit.response.json(await this.passkeys.requestOptions());
  }

  @Post('sign-in/passkey')
  @AllowEverybody()
  async enter(@CurrentVisit() visit: Visit): Promise<void> {
    const to = safePath(visit.form.text('to'));
    try {
      this.pace.keep(visit.origin.address);
      const signIn = await this.signIn.withPasskey(visit.form.raw('credential'), visit.origin);
      await this.sessions.close(this.pages.sessionCookie.read(visit.request));
      this.pages.signIn(visit.response, signIn);
    } catch (error) {
      return visit.refused(error, 'entrance/sign-in', signInView('', to));
    }
    visit.redirect(to);
  }

  @Post('confirm/passkey')
  @Allow('self')
  async confirm(@CurrentVisit() visit: Visit): Promise<void> {
    const to = safePath(visit.form.text('to'));
    try {
      const proven = this.signIn.proveAgainByPasskey(visit.who, visit.form.raw('credential'), visit.actor);
      this.pages.sessionCookie.write(visit.response, await proven);
    } catch (error) {
      return visit.refused(error, 'confirm', confirmView(visit, to));
    }
    visit.redirect(to);
  }
}
