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
import type { Text } from '../language/german/german.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { RequestContext } from '../session/request-context.js';
import {
  closeView,
  invitedOwnerView,
  inviteOwnerView,
  merchantView,
  newMerchantView,
  type Typed,
} from './merchant.view.js';
import { MerchantFiles } from './merchant-files.js';
import { merchantsView, readFilter, TURNOVER_DAYS } from './merchants-list.view.js';

const PAGE_SIZE = 50;

/** What is said of a decision: that it was taken now, or that it stood before. */
const DECIDED = {
  approved: { now: 'The merchant is approved.', before: 'It was approved already. Nothing has changed.' },
  suspended: { now: 'The merchant is suspended.', before: 'It was suspended already. Nothing has changed.' },
} as const satisfies Record<Exclude<Verdict, 'closed'>, Readonly<Record<'now' | 'before', Text>>>;

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
    const shown = { page, pageSize: PAGE_SIZE };
    const view = merchantsView(context.say, filter, shown, found, { turnover, reviews });
    await context.page('operator/merchants', view);
  }

  /** Like all that lets somebody in, it asks for a proof of identity first. */
  @Get('new')
  @Allow('operator', { fresh: true })
  async form(@CurrentContext() context: RequestContext): Promise<void> {
    await context.page('operator/new-merchant', newMerchantView(context.say, typedIn(context.form)));
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
      const view = newMerchantView(context.say, typed);
      return context.refused(error, 'operator/new-merchant', view, fields);
    }
  }

  @Get(':id')
  @Allow('operator')
  async show(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await context.page('operator/merchant', merchantView(context.say, await this.files.read(id)));
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
    const view = closeView(context.say, await this.merchants.get(id), '');
    await context.page('operator/close-merchant', view);
  }

  @Post(':id/close')
  @Allow('operator', { fresh: true })
  async close(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const reason = context.form.text('reason');
    try {
      await this.admission.decide(id, 'closed', reason, context.actor);
    } catch (error) {
      const view = closeView(context.say, await this.merchants.get(id), reason);
      return context.refused(error, 'operator/close-merchant', view);
    }
    context.redirect(pathTo('merchant', id), context.say('The merchant is closed.'));
  }

  @Get(':id/invite')
  @Allow('operator', { fresh: true })
  async inviteForm(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const view = inviteOwnerView(context.say, await this.merchants.get(id), '');
    await context.page('operator/invite-owner', view);
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
      return context.refused(error, 'operator/invite-owner', inviteOwnerView(context.say, merchant, email));
    }
  }

  private async decide(
    context: RequestContext,
    id: string,
    verdict: Exclude<Verdict, 'closed'>,
  ): Promise<void> {
    const reason = context.form.text('reason');
    try {
      const isNew = await this.admission.decide(id, verdict, reason, context.actor);
      const text = context.say(DECIDED[verdict][isNew ? 'now' : 'before']);
      context.redirect(pathTo('merchant', id), { kind: isNew ? 'good' : 'warn', text });
    } catch (error) {
      const view = merchantView(context.say, await this.files.read(id), reason);
      await context.refused(error, 'operator/merchant', view);
    }
  }

  /** A link is in the answer to the form and nowhere else; where there is mail it went to the mailbox instead. */
  private async showLink(
    context: RequestContext,
    merchant: Merchant,
    invitation: Invited | null,
  ): Promise<void> {
    const { say } = context;
    if (!invitation)
      return context.redirect(pathTo('merchant', merchant.id), say('The merchant is created.'));
    await context.page('operator/invited', invitedOwnerView(say, merchant, invitation));
  }
}

function typedIn(form: Form): Typed {
  const [name, support] = [form.text('name'), form.text('support')];
  const [email, reason] = [form.text('email'), form.text('reason')];
  return { name, support, email, reason, isApproved: form.checked('approved') };
}
