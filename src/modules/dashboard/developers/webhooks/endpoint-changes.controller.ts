import { Get, Param, Post } from '@nestjs/common';
import { Snippets } from '../../../../platform/site/snippets.js';
import { AuditLog } from '../../../accounts/audit/audit-log.service.js';
import { WebhooksService } from '../../../webhooks/webhooks.service.js';
import { Allow, CurrentVisit, DashboardController } from '../../door/allow.js';
import { Visit } from '../../door/visit.js';
import { pathOf, recorder, refOf } from './change.js';
import { askView, rotatedView } from './endpoints.view.js';

/** What a thief would want first, each with a page that asks before. */
@DashboardController('developers/webhooks/:id')
export class EndpointChangesController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly audit: AuditLog,
    private readonly snippets: Snippets,
  ) {}

  @Get('rotate')
  @Allow('webhooks:manage', { fresh: true })
  async askRotate(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    await this.ask(visit, id, 'rotate');
  }

  /** The answer holds the secret, this once. */
  @Post('rotate')
  @Allow('webhooks:manage', { fresh: true })
  async rotate(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    const also = recorder(this.audit, visit, id, 'secret-rotated');
    const { secret } = await this.webhooks.rotateSecret(refOf(visit, id), also);
    const endpoint = await this.webhooks.getEndpoint(refOf(visit, id));
    await visit.page('developers/webhooks/created', rotatedView(endpoint, secret, this.snippets.verify));
  }

  @Get('url')
  @Allow('webhooks:manage', { fresh: true })
  async askUrl(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    await this.ask(visit, id, 'url');
  }

  @Post('url')
  @Allow('webhooks:manage', { fresh: true })
  async url(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    const typed = visit.form.text('url');
    const { url } = await this.webhooks.getEndpoint(refOf(visit, id)); // another merchant's does not exist
    const also = recorder(this.audit, visit, id, 'url-changed', { from: url, to: typed });
    try {
      await this.webhooks.changeUrl(refOf(visit, id), typed, also);
    } catch (error) {
      return visit.refused(error, 'developers/webhooks/url', {
        ...askView(await this.webhooks.getEndpoint(refOf(visit, id)), 'url'),
        typed,
      });
    }
    visit.redirect(pathOf(id), 'Later events go to the new URL.');
  }

  @Get('delete')
  @Allow('webhooks:manage', { fresh: true })
  async askDelete(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    await this.ask(visit, id, 'delete');
  }

  @Post('delete')
  @Allow('webhooks:manage', { fresh: true })
  async delete(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    const { url } = await this.webhooks.getEndpoint(refOf(visit, id));
    const also = recorder(this.audit, visit, id, 'deleted', { url });
    await this.webhooks.deleteEndpoint(refOf(visit, id), also);
    visit.redirect(
      '/dashboard/developers/webhooks',
      'The endpoint is deleted. Nothing is sent to it any more.',
    );
  }

  private async ask(visit: Visit, id: string, what: 'rotate' | 'url' | 'delete'): Promise<void> {
    const endpoint = await this.webhooks.getEndpoint(refOf(visit, id));
    await visit.page(`developers/webhooks/${what}`, askView(endpoint, what));
  }
}
