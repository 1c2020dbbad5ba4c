import { Get, Param, Post, Query } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { SavedViewsService } from '../../accounts/people/saved-views.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { RequestContext } from '../session/request-context.js';
import { type PageQuery, type PaymentsQuery, readPaymentsQuery, savedPath } from './filter.js';
import { assetChoices } from './list.view.js';
import { newSavedView, parametersOf, savedView } from './saved-views.view.js';

/** Of the merchant's nothing changes. */
const OWN = { unrecorded: 'one’s own shortcut to a list: nobody else sees it' };

/** The list of payments as somebody looks at it often, under a name of their own. */
@DashboardController('savedViews')
export class SavedViewsController {
  constructor(
    private readonly views: SavedViewsService,
    private readonly networks: NetworksService,
  ) {}

  @Get('new')
  @Allow('views:manage')
  async new(@CurrentContext() context: RequestContext, @Query() query: PageQuery): Promise<void> {
    await context.page('payments/view-new', this.newModel(context, readPaymentsQuery(query)));
  }

  @Post()
  @Allow('views:manage', OWN)
  async save(@CurrentContext() context: RequestContext): Promise<void> {
    const { form, say, viewsOwner } = context;
    const asked = readPaymentsQuery(parametersOf(form));
    try {
      const said = asked.problems.map((problem) => say(problem));
      if (said.length > 0) throw new DomainError('invalid', 'validation-error', said.join(' '));
      await this.views.save(viewsOwner, form.text('name'), asked.parameters);
    } catch (error) {
      return context.refused(error, 'payments/view-new', this.newModel(context, asked));
    }
    context.redirect(savedPath(asked), say('The view is saved. It stands beside the tabs.'));
  }

  @Get(':id')
  @Allow('views:manage')
  async show(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await context.page('payments/view', await this.model(context, id));
  }

  @Post(':id/rename')
  @Allow('views:manage', OWN)
  async rename(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const { form, say, viewsOwner } = context;
    const typed = form.text('name');
    try {
      const view = await this.views.rename(viewsOwner, id, typed);
      context.redirect(savedPath(view), say('The view has its new name.'));
    } catch (error) {
      await context.refused(error, 'payments/view', { ...(await this.model(context, id)), typed });
    }
  }

  @Post(':id/delete')
  @Allow('views:manage', OWN)
  async remove(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const view = await this.views.remove(context.viewsOwner, id);
    context.redirect(savedPath(view), context.say('The view is deleted. Its payments stay as they are.'));
  }

  private newModel({ say, form }: RequestContext, asked: PaymentsQuery) {
    return newSavedView(say, asked, this.assets(say), form.text('name'));
  }

  private async model({ say, viewsOwner }: RequestContext, id: string) {
    return savedView(say, await this.views.get(viewsOwner, id), this.assets(say));
  }

  private assets(say: RequestContext['say']) {
    return assetChoices(say, this.networks.all());
  }
}
