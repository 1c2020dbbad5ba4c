import { Get, type OnModuleInit, Param, Post } from '@nestjs/common';
import { DatabaseClock } from '../../../database/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { AuditLog } from '../../accounts/audit/audit-log.service.js';
import { may } from '../../accounts/permissions.pure.js';
import { PaymentDetailsService } from '../../intents/reporting/payment-details.service.js';
import { RefundsService } from '../../intents/review/refunds.service.js';
import { type ReviewDetail, ReviewsService } from '../../intents/review/reviews.service.js';
import { RateBook } from '../../rates/rates.service.js';
import { seenIds } from '../domain/seen.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { Navigation } from '../session/pages/navigation.js';
import { confirmPath, RequestContext } from '../session/request-context.js';
import { queueView } from './list.view.js';
import { decidedView, decideView } from './show.view.js';

@DashboardController('reviews')
export class ReviewController implements OnModuleInit {
  constructor(
    private readonly reviews: ReviewsService,
    private readonly audit: AuditLog,
    private readonly refunds: RefundsService,
    private readonly details: PaymentDetailsService,
    private readonly rates: RateBook,
    private readonly clock: DatabaseClock,
    private readonly navigation: Navigation,
  ) {}

  onModuleInit(): void {
    this.navigation.badge(pathTo('reviews'), async ({ membership }) =>
      membership ? this.reviews.count(membership.merchantId) : 0,
    );
  }

  @Get()
  @Allow('review:read')
  async list(@CurrentContext() context: RequestContext): Promise<void> {
    const entries = await this.reviews.list(context.merchantId);
    await context.page('review/list', queueView(context.say, entries, await this.clock.now()));
  }

  @Get(':id')
  @Allow('review:read')
  async show(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await this.answer(context, id);
  }

  @Post(':id/accept')
  @Allow('review:accept')
  accept(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const { merchantId, form, actor } = context;
    return this.decide(context, id, context.say('Accepted: the payment is settled.'), (entry) =>
      this.reviews.accept(
        { whose: merchantId, id, by: this.audit.by(actor) },
        { reason: form.text('note'), seen: seenIds(form.all('seen'), entry.acceptable?.transferIds ?? []) },
      ),
    );
  }

  @Post(':id/dismiss')
  @Allow('review:decide')
  dismiss(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const { merchantId, form, actor } = context;
    return this.decide(context, id, context.say('Dismissed. New money would bring it back.'), (entry) =>
      this.reviews.dismiss(
        { whose: merchantId, id, by: this.audit.by(actor) },
        { note: form.text('note'), seen: seenIds(form.all('seen'), entry.transferIds) },
      ),
    );
  }

  /** How much went back is typed here, and nothing looks whether it did: it is proved like a refund that is asked for. */
  @Post(':id/refund')
  @Allow('refunds:decide')
  refund(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const { merchantId, form, actor } = context;
    const [network = null, asset = null] = form.text('asset') === '' ? [] : form.text('asset').split(' ');
    const refund = { network, asset, amount: form.text('amount'), txid: form.text('txid') || null };
    return this.decide(context, id, context.say('The refund is recorded.'), (entry) =>
      this.reviews.refund(
        { whose: merchantId, id, by: this.audit.by(actor) },
        { note: form.text('note'), refund, seen: seenIds(form.all('seen'), entry.transferIds) },
      ),
    );
  }

  private async decide(
    context: RequestContext,
    id: string,
    said: string,
    decision: (entry: ReviewDetail) => Promise<unknown>,
  ): Promise<void> {
    // Another merchant's entry does not exist; one that somebody has just decided says so.
    const shown = await this.entry(context, id);
    if (shown === null) return this.answer(context, id, 409);
    try {
      await decision(shown);
    } catch (error) {
      const entry = await this.entry(context, id);
      return entry
        ? context.refused(error, 'review/show', await this.model(context, entry), { reason: 'note' })
        : this.answer(context, id, 409);
    }
    context.redirect(pathTo('reviews'), said);
  }

  private async answer(context: RequestContext, id: string, statusOfDecided = 200): Promise<void> {
    const entry = await this.entry(context, id);
    if (entry) return context.page('review/show', await this.model(context, entry));
    const detail = await this.details.get(context.merchantId, id); // 404 for another merchant's
    await context.page('review/decided', decidedView(context.say, detail), statusOfDecided);
  }

  private async model(context: RequestContext, entry: ReviewDetail) {
    const { form, who } = context;
    return decideView(context.say, {
      entry,
      refunds: await this.refunds.ofIntent(context.merchantId, entry.intentId),
      price: entry.asset === null ? null : (this.rates.rate(entry.asset, entry.currency)?.price ?? null),
      now: await this.clock.now(),
      mayDecide: may(who, 'review:decide'),
      mayRefund: may(who, 'refunds:decide'),
      confirm: confirmPath(who, pathTo('review', entry.intentId)),
      typed: {
        note: form.text('note'),
        asset: form.text('asset'),
        amount: form.text('amount'),
        txid: form.text('txid'),
      },
    });
  }

  /** The merchant's own entry that is still open, or `null`. */
  private async entry({ merchantId }: RequestContext, id: string): Promise<ReviewDetail | null> {
    try {
      return await this.reviews.show(merchantId, id);
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found') return null;
      throw error;
    }
  }
}
