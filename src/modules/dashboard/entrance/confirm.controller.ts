import { Get, Post, Query } from '@nestjs/common';
import { SignInService } from '../../accounts/sign-in.service.js';
import { safePath } from '../domain/safe-path.js';
import { Allow, CurrentVisit, DashboardController } from '../door/allow.js';
import { Visit } from '../door/visit.js';

/** A fresh proof of identity, before what a thief would want first; then back to where it was asked for. */
@DashboardController('confirm')
export class ConfirmController {
  constructor(private readonly signIn: SignInService) {}

  @Get()
  @Allow('self')
  async show(@CurrentVisit() visit: Visit, @Query('to') to: unknown): Promise<void> {
    await visit.page('confirm', confirmView(safePath(to)));
  }

  @Post()
  @Allow('self')
  async confirm(@CurrentVisit() visit: Visit): Promise<void> {
    const to = safePath(visit.form.text('to'));
    try {
      await this.signIn.proveAgain(visit.who, visit.form.raw('password'), visit.actor);
    } catch (error) {
      return visit.refused(error, 'confirm', confirmView(to));
    }
    visit.redirect(to);
  }
}

function confirmView(to: string) {
  return { title: 'Is it you?', to };
}
