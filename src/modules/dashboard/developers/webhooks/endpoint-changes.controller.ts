import { Get, Param, Post } from '@nestjs/common';
import { AuditLog } from '../../../accounts/audit/audit-log.service.js';
import { WebhooksService } from '../../../webhooks/webhooks.service.js';
import { pathTo } from '../../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../../session/allow.js';
import { RequestContext } from '../../session/request-context.js';
import { refOf } from './change.js';
import { askView, rotatedView } from './endpoints.view.js';

/** What a thief would want first, each with a page that asks before. */
@DashboardController('webhook')
export class EndpointChangesController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly audit: AuditLog,
  ) {}

  @Get('rotate')
  @Allow('webhooks:manage', { fresh: true })
  async askRotate(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await this.ask(context, id, 'rotate');
  }

  /** The answer holds the secret, this once. */
  @Post('rotate')
  @Allow('webhooks:manage', { fresh: true })
  async rotate(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const { secret } = await this.webhooks.rotateSecret(refOf(context, id), this.audit.by(context.actor));
    const endpoint = await this.webhooks.getEndpoint(refOf(context, id));
    const view = rotatedView(context.say, endpoint, secret);
    await context.page('developers/webhooks/created', view);
  }

  @Get('url')
  @Allow('webhooks:manage', { fresh: true })
  async askUrl(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await this.ask(context, id, 'url');
  }

  @Post('url')
  @Allow('webhooks:manage', { fresh: true })
  async url(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const typed = context.form.text('url');
    try {
      await this.webhooks.changeUrl(refOf(context, id), typed, this.audit.by(context.actor));
    } catch (error) {
      const endpoint = await this.webhooks.getEndpoint(refOf(context, id));
      const model = { ...askView(context.say, endpoint, 'url'), typed };
      return context.refused(error, 'developers/webhooks/url', model);
    }
    context.redirect(pathTo('webhook', id), context.say('Later events go to the new URL.'));
  }

  @Get('delete')
  @Allow('webhooks:manage', { fresh: true })
  async askDelete(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await this.ask(context, id, 'delete');
  }

  @Post('delete')
  @Allow('webhooks:manage', { fresh: true })
  async delete(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await this.webhooks.deleteEndpoint(refOf(context, id), this.audit.by(context.actor));
    context.redirect(
      pathTo('webhooks'),
      context.say('The endpoint is deleted. Nothing is sent to it any more.'),
    );
  }

  private async ask(context: RequestContext, id: string, what: 'rotate' | 'url' | 'delete'): Promise<void> {
    const endpoint = await this.webhooks.getEndpoint(refOf(context, id));
    await context.page(`developers/webhooks/${what}`, askView(context.say, endpoint, what));
  }
}
