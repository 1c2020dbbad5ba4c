import { Get, Param, Post, type OnModuleInit } from '@nestjs/common';
import { DatabaseClock } from '../../../database/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { may } from '../../accounts/accounts.types.js';
import { PaymentStoriesService } from '../../intents/reporting/payment-stories.service.js';
import { AuditLog } from '../../accounts/audit/audit-log.service.js';
import { ReviewsService, type ReviewDetail } from '../../intents/review/reviews.service.js';
import { RateBook } from '../../rates/rates.types.js';
import { Allow, CurrentVisit, DashboardController } from '../door/allow.js';
import { confirmPath, Visit } from '../door/visit.js';
import { Navigation } from '../navigation.js';
import { queueView } from './list.view.js';
import { decidedView, decideView, type Flaws } from './show.view.js';

@DashboardController('review')
export class ReviewController implements OnModuleInit {
  constructor(
    private readonly reviews: ReviewsService,
    private readonly audit: AuditLog,
    private readonly stories: PaymentStoriesService,
    private readonly rates: RateBook,
    private readonly clock: DatabaseClock,
    private readonly navigation: Navigation,
  ) {}

  onModuleInit(): void {
    this.navigation.badge('/dashboard/review', async ({ membership }) =>
      membership ? this.reviews.count(membership.merchantId) : 0,
    );
  }

  @Get()
  @Allow('review:read')
  async list(@CurrentVisit() visit: Visit): Promise<void> {
    const entries = await this.reviews.list(visit.merchantId);
    await visit.page('review/list', queueView(entries, await this.clock.now()));
  }

  @Get(':id')
  @Allow('review:read')
  async show(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    await this.answer(visit, id);
  }

  @Post(':id/accept')
  @Allow('review:accept')
  accept(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    const { form, actor } = visit;
    return this.decide(visit, id, 'Accepted: the payment is settled.', () =>
      this.reviews.accept(id, this.audit.by(actor), form.text('note'), form.all('seen')),
    );
  }

  @Post(':id/dismiss')
  @Allow('review:decide')
  dismiss(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    const { form, actor } = visit;
    return this.decide(visit, id, 'Dismissed. New money would bring it back.', () =>
      this.reviews.dismiss(id, this.audit.by(actor), form.text('note'), undefined, form.all('seen')),
    );
  }

  @Post(':id/refund')
  @Allow('review:decide')
  refund(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    const { form, actor } = visit;
    const [network = null, asset = null] = form.text('asset') === '' ? [] : form.text('asset').split(' ');
    const refund = { network, asset, amount: form.text('amount'), txid: form.text('txid') || null };
    return this.decide(visit, id, 'The refund is recorded.', () =>
      this.reviews.refund(id, this.audit.by(actor), form.text('note'), refund, form.all('seen')),
    );
  }

  private async decide(visit: Visit, id: string, said: string, decision: () => Promise<void>): Promise<void> {
    // Another merchant's entry does not exist; one that somebody has just decided says so.
    if ((await this.entry(visit, id)) === null) return this.answer(visit, id, 409);
    try {
      await decision();
    } catch (error) {
      const entry = await this.entry(visit, id);
      return entry
        ? visit.refused(error, 'review/show', this.model(visit, entry, flawsOf(error)))
        : this.answer(visit, id, 409);
    }
    visit.redirect('/dashboard/review', said);
  }

  private async answer(visit: Visit, id: string, statusOfDecided = 200): Promise<void> {
    const entry = await this.entry(visit, id);
    if (entry) return visit.page('review/show', this.model(visit, entry));
    const story = await this.stories.tell(visit.merchantId, id); // 404 for another merchant's
    await visit.page('review/decided', decidedView(story), statusOfDecided);
  }

  private model(visit: Visit, entry: ReviewDetail, flaws: Flaws = {}) {
    const { form, who } = visit;
    return decideView({
      entry,
      price: entry.asset === null ? null : (this.rates.rate(entry.asset, entry.currency)?.price ?? null),
      mayDecide: may(who, 'review:decide'),
      confirm: confirmPath(who, `/dashboard/review/${entry.intentId}`),
      typed: {
        note: form.text('note'),
        asset: form.text('asset'),
        amount: form.text('amount'),
        txid: form.text('txid'),
      },
      flaws,
    });
  }

  /** The merchant's own entry that is still open, or `null`. */
  private async entry({ merchantId }: Visit, id: string): Promise<ReviewDetail | null> {
    try {
      const entry = await this.reviews.show(id);
      return entry.merchantId === merchantId ? entry : null;
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found') return null;
      throw error;
    }
  }
}

/** What is wrong with a field, by its name. */
function flawsOf(error: unknown): Flaws {
  const errors = error instanceof DomainError ? (error.details.errors ?? []) : [];
  return Object.fromEntries(errors.map(({ pointer = '/', detail }) => [pointer.slice(1), detail]));
}
