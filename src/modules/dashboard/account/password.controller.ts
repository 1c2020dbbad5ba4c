import { Get, Post } from '@nestjs/common';
import { OwnPasswordService } from '../../accounts/people/own-password.service.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { DashboardPages } from '../session/pages/dashboard.pages.js';
import { RequestContext } from '../session/request-context.js';
import { withEndedInvitations } from './ended-invitations.js';

@DashboardController('password')
export class PasswordController {
  constructor(
    private readonly password: OwnPasswordService,
    private readonly pages: DashboardPages,
  ) {}

  @Get()
  @Allow('account', { fresh: true })
  async show(@CurrentContext() context: RequestContext): Promise<void> {
    await context.page('account/password', model(context));
  }

  @Post()
  @Allow('account', { fresh: true })
  async change(@CurrentContext() context: RequestContext): Promise<void> {
    const { who, form, actor, here } = context;
    let ended: number;
    const passwords = { present: form.raw('present'), next: form.raw('next') };
    try {
      const changed = await this.password.change(who, passwords, actor, here);
      this.pages.sessionCookie.write(context.response, changed.token);
      ended = changed.endedInvitations;
    } catch (error) {
      return context.refused(error, 'account/password', model(context));
    }
    const done = context.say('The password was changed. You are signed out everywhere else.');
    context.redirect(pathTo('account'), withEndedInvitations(context.say, done, ended));
  }
}

function model({ say }: RequestContext) {
  return { title: say('Change the password') };
}
