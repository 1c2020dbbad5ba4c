import { Post } from '@nestjs/common';
import { notFound } from '../../../kernel/domain-error.js';
import { SessionsService } from '../../accounts/sessions/sessions.service.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { RequestContext } from '../session/request-context.js';

/** Somebody who belongs to several merchants looks at one of them at a time. */
@DashboardController('switchMerchant')
export class MerchantSwitchController {
  constructor(private readonly sessions: SessionsService) {}

  @Post()
  @Allow('self', { unrecorded: 'where one looks is seen by nobody else' })
  async lookAt(@CurrentContext() context: RequestContext): Promise<void> {
    const isTheirs = await this.sessions.lookAt(context.who, context.form.text('merchant'));
    if (!isTheirs) throw notFound('There is no such merchant.');
    context.redirect(pathTo('home'));
  }
}
