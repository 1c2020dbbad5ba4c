import { Get, Param, Post } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DatabaseClock } from '../../../database/clock.js';
import { notFound } from '../../../kernel/domain-error.js';
import { AuditLog } from '../../accounts/audit/audit-log.service.js';
import { PasskeysService } from '../../accounts/second-factors/passkeys.service.js';
import { SecondFactorsService } from '../../accounts/second-factors/second-factors.service.js';
import { SessionsService } from '../../accounts/sessions/sessions.service.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { type PageModel, RequestContext } from '../session/request-context.js';
import { accountView } from './account.view.js';

/** One's own account: what one signs in with, and where one is signed in. */
@DashboardController('account')
export class AccountController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly passkeys: PasskeysService,
    private readonly secondFactors: SecondFactorsService,
    private readonly audit: AuditLog,
    private readonly clock: DatabaseClock,
    private readonly dataSource: DataSource,
  ) {}

  @Get()
  @Allow('self')
  async show(@CurrentContext() context: RequestContext): Promise<void> {
    await context.page('account/account', await this.model(context));
  }

  @Post('sessions/:id/end')
  @Allow('self')
  async end(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const { personId } = context.who;
    await this.dataSource.transaction(async (tx) => {
      // Before: it may be this one.
      await this.audit.record(tx, context.actor, {
        merchantId: null,
        action: 'session.ended',
        subject: personId,
        detail: { session: id },
      });
      const isTheirs = await this.sessions.end(tx, personId, id, context.here);
      if (!isTheirs) throw notFound('There is no such session.');
    });
    const done = context.say('That session has ended. Every other browser counts as a new one from now on.');
    context.redirect(pathTo('account'), done);
  }

  @Post('sessions/end-others')
  @Allow('self')
  async endOthers(@CurrentContext() context: RequestContext): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const person = await this.sessions.hold(tx, context.who);
      await this.sessions.endElsewhere(tx, person, context.here);
      await this.audit.record(tx, context.actor, {
        merchantId: null,
        action: 'sessions.ended',
        subject: person.id,
      });
    });
    context.redirect(pathTo('account'), context.say('You are signed out everywhere else.'));
  }

  private async model({ who, say }: RequestContext): Promise<PageModel> {
    const [entries, sessions, passkeys, recoveryCodesLeft] = await Promise.all([
      this.audit.ofAccount(who.personId),
      this.sessions.list(who.personId),
      this.passkeys.list(who.personId),
      this.secondFactors.recoveryCodesLeft(who.personId),
    ]);
    const account = { entries, sessions, passkeys, recoveryCodesLeft };
    return accountView(say, who, account, await this.clock.now());
  }
}
