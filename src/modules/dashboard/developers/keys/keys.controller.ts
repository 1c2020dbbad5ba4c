import { Get, Param, Post } from '@nestjs/common';
import { DatabaseClock } from '../../../../database/clock.js';
import { AuditLog } from '../../../accounts/audit/audit-log.service.js';
import { may } from '../../../accounts/permissions.pure.js';
import { ApiKeysService } from '../../../auth/api-keys.service.js';
import { SCOPES } from '../../../auth/auth.types.js';
import { pathTo } from '../../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../../session/allow.js';
import { RequestContext } from '../../session/request-context.js';
import { createdKeyView, keysView, newKeyView, revokeView } from './keys.view.js';

@DashboardController('developers')
export class KeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly audit: AuditLog,
    private readonly clock: DatabaseClock,
  ) {}

  @Get()
  @Allow('developers:read')
  async list(@CurrentContext() context: RequestContext): Promise<void> {
    const [keys, now] = await Promise.all([this.keys.list(context.merchantId), this.clock.now()]);
    const view = keysView(context.say, keys, now, may(context.who, 'keys:manage'));
    await context.page('developers/keys/list', view);
  }

  @Get('keys/new')
  @Allow('keys:manage', { fresh: true })
  async new(@CurrentContext() context: RequestContext): Promise<void> {
    await context.page('developers/keys/new', newKeyView(context.say));
  }

  /** The answer holds the key, this once: a redirect would have to carry it. */
  @Post('keys')
  @Allow('keys:manage', { fresh: true })
  async create(@CurrentContext() context: RequestContext): Promise<void> {
    const { merchantId, actor, form, say } = context;
    const label = form.text('label');
    const scopes = SCOPES.filter((scope) => form.checked(`scope-${scope}`));
    try {
      const created = await this.keys.create(merchantId, scopes, label, this.audit.by(actor));
      await context.page('developers/keys/created', createdKeyView(say, created), 201);
    } catch (error) {
      await context.refused(error, 'developers/keys/new', newKeyView(say, { label, scopes }));
    }
  }

  @Get('keys/:id/revoke')
  @Allow('keys:manage', { fresh: true })
  async ask(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const [key, now] = await Promise.all([this.keys.get(context.merchantId, id), this.clock.now()]);
    await context.page('developers/keys/revoke', revokeView(context.say, key, now));
  }

  @Post('keys/:id/revoke')
  @Allow('keys:manage', { fresh: true })
  async revoke(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const { merchantId, actor, say } = context;
    await this.keys.revoke(merchantId, id, this.audit.by(actor));
    context.redirect(
      pathTo('developers'),
      say('The key is revoked. Whoever uses it is refused from now on.'),
    );
  }
}
