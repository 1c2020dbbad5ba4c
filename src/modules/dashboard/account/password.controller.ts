import { Get, Post } from '@nestjs/common';
import { PeopleService } from '../../accounts/people/people.service.js';
import { DashboardPages } from '../dashboard.pages.js';
import { Allow, CurrentVisit, DashboardController } from '../door/allow.js';
import { Visit } from '../door/visit.js';

const MODEL = { title: 'Change the password' };

@DashboardController('account/password')
export class PasswordController {
  constructor(
    private readonly people: PeopleService,
    private readonly pages: DashboardPages,
  ) {}

  @Get()
  @Allow('account', { fresh: true })
  async show(@CurrentVisit() visit: Visit): Promise<void> {
    await visit.page('account/password', MODEL);
  }

  @Post()
  @Allow('account', { fresh: true })
  async change(@CurrentVisit() visit: Visit): Promise<void> {
    const { who, form, actor } = visit;
    try {
      const token = await this.people.changePassword(who, form.raw('present'), form.raw('next'), actor);
      this.pages.sessionCookie.write(visit.response, token);
    } catch (error) {
      return visit.refused(error, 'account/password', MODEL);
    }
    visit.redirect('/dashboard/account', 'The password was changed. You are signed out everywhere else.');
  }
}
