import { Post } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { SessionsService } from '../../accounts/sessions/sessions.service.js';
import { Allow, CurrentVisit, DashboardController } from '../door/allow.js';
import { Visit } from '../door/visit.js';

/** Somebody who belongs to several merchants looks at one of them at a time. */
@DashboardController('merchant')
export class MerchantSwitchController {
  constructor(private readonly sessions: SessionsService) {}

  @Post()
  @Allow('self')
  async lookAt(@CurrentVisit() visit: Visit): Promise<void> {
    const isTheirs = await this.sessions.lookAt(visit.who, visit.form.text('merchant'));
    if (!isTheirs) throw new DomainError('not_found', 'not-found', 'There is no such merchant.');
    visit.redirect('/dashboard');
  }
}
