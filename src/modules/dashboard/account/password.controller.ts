import { Get, Post } from '@nestjs/common';
import { PeopleService } from '../../accounts/people/people.service.js';
import { DashboardPages } from '../dashboard.pages.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { RequestContext } from '../session/request-context.js';

const MODEL = { title: 'Change the password' };

@DashboardController('account/password')
export class PasswordController {
  constructor(
    private readonly people: PeopleService,
    private readonly pages: DashboardPages,
  ) {}

  @Get()
  @Allow('account', { fresh: true })
  async show(@CurrentContext() context: RequestContext): Promise<void> {
    await context.page('account/password', MODEL);
  }

  @Post()
  @Allow('account', { fresh: true })
  async change(@CurrentContext() context: RequestContext): Promise<void> {
    const { who, form, actor } = context;
    try {
      const token = await this.people.changePassword(who, form.raw('present'), form.raw('next'), actor);
      this.pages.sessionCookie.write(context.response, token);
    } catch (error) {
      return context.refused(error, 'account/password', MODEL);
    }
    context.redirect('/dashboard/account', 'The password was changed. You are signed out everywhere else.');
  }
}
