import { Get, Param, Post, Query } from '@nestjs/common';
import type { Invited } from '../../accounts/accounts.types.js';
import { AdmissionService, type Verdict } from '../../accounts/admission/admission.service.js';
import { InvitationsService } from '../../accounts/people/invitations.service.js';
import { PaymentsService } from '../../intents/reporting/payments.service.js';
import { ReviewsService } from '../../intents/review/reviews.service.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import type { Merchant } from '../../merchants/merchants.types.js';
import type { Form } from '../domain/form.js';
import { pageNumber } from '../domain/paging.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { RequestContext } from '../session/request-context.js';
import { MerchantFiles } from './merchant-files.js';
import {
  closeView,
  invitedView,
  inviteView,
  merchantView,
  newMerchantView,
  type Typed,
} from './merchant.view.js';
import { merchantsView, readFilter, TURNOVER_DAYS } from './merchants-list.view.js';

const PAGE_SIZE = 50;

/** Who may be a merchant on this instance. */
@DashboardController('merchants')
export class OperatorMerchantsController {
  constructor(
    private readonly merchants: MerchantsService,
    private readonly files: MerchantFiles,
    private readonly admission: AdmissionService,
    private readonly invitations: InvitationsService,
    private readonly payments: PaymentsService,
    private readonly reviews: ReviewsService,
  ) {}

  @Get()
  @Allow('operator')
  async list(
    @CurrentContext() context: RequestContext,
    @Query() query: Record<string, unknown>,
  ): Promise<void> {
    const [filter, page] = [readFilter(query), pageNumber(query['page'])];
    const found = await this.merchants.page(filter, PAGE_SIZE, (page - 1) * PAGE_SIZE);
    const ids = found.items.map(({ id }) => id);
    const [turnover, reviews] = await Promise.all([
      this.payments.turnoverOf(ids, TURNOVER_DAYS),
      this.reviews.counts(ids),
    ]);
    const view = merchantsView(filter, { page, pageSize: PAGE_SIZE }, found, { turnover, reviews });
    await context.page('operator/merchants', view);
  }

  /** Like all that lets somebody in, it asks for a proof of identity first. */
  @Get('new')
  @Allow('operator', { fresh: true })
  async form(@CurrentContext() context: RequestContext): Promise<void> {
    await context.page('operator/new-merchant', newMerchantView(typedIn(context.form)));
  }

  @Post()
  @Allow('operator', { fresh: true })
  async create(@CurrentContext() context: RequestContext): Promise<void> {
    const typed = typedIn(context.form);
    try {
      const { name, support, email, reason, isApproved } = typed;
      const status = isApproved ? 'approved' : 'pending';
      const wanted = {
        name,
        supportContact: support || null,
        ownerEmail: email || null,
        status,
        reason,
      } as const;
      const { merchant, invitation } = await this.admission.create(wanted, context.actor);
      await this.showLink(context, merchant, invitation);
    } catch (error) {
      const fields = { supportContact: 'support' };
      return context.refused(error, 'operator/new-merchant', newMerchantView(typed), fields);
    }
  }

  @Get(':id')
  @Allow('operator')
  async show(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await context.page('operator/merchant', merchantView(await this.files.read(id)));
  }

  @Post(':id/approve')
  @Allow('operator')
  approve(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    return this.decide(context, id, 'approved');
  }

  @Post(':id/suspend')
  @Allow('operator')
  suspend(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    return this.decide(context, id, 'suspended');
  }

  @Get(':id/close')
  @Allow('operator', { fresh: true })
  async closeForm(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await context.page('operator/close-merchant', closeView(await this.merchants.get(id), ''));
  }

  @Post(':id/close')
  @Allow('operator', { fresh: true })
  async close(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const reason = context.form.text('reason');
    try {
      await this.admission.decide(id, 'closed', reason, context.actor);
    } catch (error) {
      const view = closeView(await this.merchants.get(id), reason);
      return context.refused(error, 'operator/close-merchant', view);
    }
    context.redirect(pathTo('merchant', id), 'The merchant is closed.');
  }

  @Get(':id/invite')
  @Allow('operator', { fresh: true })
  async inviteForm(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await context.page('operator/invite-owner', inviteView(await this.merchants.get(id), ''));
  }

  @Post(':id/invite')
  @Allow('operator', { fresh: true })
  async invite(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const merchant = await this.merchants.get(id);
    const email = context.form.text('email');
    try {
      const invitation = { email, merchantId: id, role: 'owner' } as const;
      await this.showLink(context, merchant, await this.invitations.invite(invitation, context.actor));
    } catch (error) {
      return context.refused(error, 'operator/invite-owner', inviteView(merchant, email));
    }
  }

  private async decide(context: RequestContext, id: string, verdict: Verdict): Promise<void> {
    const reason = context.form.text('reason');
    try {
      const isNew = await this.admission.decide(id, verdict, reason, context.actor);
      const said = isNew ? `The merchant is ${verdict}.` : `It was ${verdict} already. Nothing has changed.`;
      context.redirect(pathTo('merchant', id), { kind: isNew ? 'good' : 'warn', text: said });
    } catch (error) {
      await context.refused(error, 'operator/merchant', merchantView(await this.files.read(id), reason));
    }
  }

  /** A link is in the answer to the form and nowhere else; where there is mail it went to the mailbox instead. */
  private async showLink(
    context: RequestContext,
    merchant: Merchant,
    invitation: Invited | null,
  ): Promise<void> {
    if (!invitation) return context.redirect(pathTo('merchant', merchant.id), 'The merchant is created.');
    await context.page('operator/invited', invitedView(merchant, invitation));
  }
}

function typedIn(form: Form): Typed {
  const [name, support] = [form.text('name'), form.text('support')];
  const [email, reason] = [form.text('email'), form.text('reason')];
  return { name, support, email, reason, isApproved: form.checked('approved') };
}
