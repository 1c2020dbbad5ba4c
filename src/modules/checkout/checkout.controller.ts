import type { MessageEvent } from '@nestjs/common';
import {
  Body,
  Controller,
  Get,
  Header,
  NotFoundException,
  Param,
  Post,
  Query,
  Req,
  Res,
  Sse,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { interval, map, merge, type Observable, takeUntil } from 'rxjs';
import { notFound } from '../../kernel/domain-error.js';
import { typedAddress } from '../../kernel/text/address-text.js';
import { OpenToAll } from '../../platform/http/route-access.js';
import { ApiExcludeController } from '../../platform/openapi/decorators.js';
import { sendHtml } from '../../platform/pages/send-html.js';
import { clientIp } from '../../platform/rate-limit/client-ip.js';
import { enforceRateLimit } from '../../platform/rate-limit/rate-limit.headers.js';
import { RateWindows } from '../../platform/rate-limit/rate-windows.js';
import type { CheckoutIntent } from '../intents/checkout.types.js';
import { BuyerActionsService } from '../intents/checkout/buyer-actions.service.js';
import { CheckoutIntentsService } from '../intents/checkout/checkout-intents.service.js';
import { type RefundOutcome, RefundRequestsService } from '../intents/checkout/refund-requests.service.js';
import { PAY_PATH } from '../intents/checkout-paths.pure.js';
import type { RefundFlaw } from './catalogue/catalogue.types.js';
import { en } from './catalogue/en.js';
import { CheckoutFeed } from './checkout.feed.js';
import { CheckoutGuard } from './checkout.guard.js';
import { CheckoutLanguages } from './checkout.languages.js';
import { asksForOptions, CheckoutPages, type PayQuery } from './checkout.pages.js';
import { type StatusView, statusView } from './views/status.view.js';

/** Proxies close streams that say nothing for a minute. */
const HEARTBEAT_MS = 15_000;

/** As the form sends it; a field that is missing or repeated names no option. */
interface PickForm {
  readonly asset?: unknown;
  readonly network?: unknown;
}

interface RefundForm {
  readonly network?: unknown;
  readonly address?: unknown;
  readonly note?: unknown;
}

/** The address is the only credential: whoever has the link may look and pick. */
const BY_LINK = 'whoever has the link of the payment is its buyer';

/** What an answer with words in it depends on. None is kept, but a cache of somebody's own may not know that. */
const BY_LANGUAGE = 'Accept-Language, Cookie';

/** Of one intent: somebody who corrects a typing error, not somebody who fills our tables. */
const REFUNDS_PER_MINUTE = 10;

const isFlaw = (outcome: RefundOutcome): outcome is RefundFlaw => Object.hasOwn(en.refundFlaws, outcome);
const noSuchPayment = () => notFound('There is no such payment.', 'intent-not-found');
const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** The hosted checkout. */
@ApiExcludeController()
@Controller(PAY_PATH)
@UseGuards(CheckoutGuard)
export class CheckoutController {
  constructor(
    private readonly intents: CheckoutIntentsService,
    private readonly buyer: BuyerActionsService,
    private readonly refunds: RefundRequestsService,
    private readonly windows: RateWindows,
    private readonly pages: CheckoutPages,
    private readonly languages: CheckoutLanguages,
    private readonly feed: CheckoutFeed,
  ) {}

  @Get(':id')
  @OpenToAll(BY_LINK)
  @Header('Cache-Control', 'no-store')
  @Header('Vary', BY_LANGUAGE)
  async page(
    @Param('id') id: string,
    @Query() query: PayQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    this.languages.keep(request, response);
    const intent = await this.find(id, asksForOptions(query));
    await sendHtml(request, response, this.pages.pay(intent, this.languages.catalogueOf(request), query));
  }

  @Post(':id/asset')
  @OpenToAll(BY_LINK, { unrecorded: 'its quote is the record' })
  async pick(@Param('id') id: string, @Body() form: PickForm = {}, @Res() response: Response): Promise<void> {
    const outcome = await this.buyer.pick(id, text(form.network), text(form.asset));
    response.redirect(303, this.pages.addressOf(id, outcome === 'picked' ? null : outcome));
  }

  @Post(':id/cancel')
  @OpenToAll(BY_LINK, { unrecorded: 'the cause of its transition names the buyer' })
  async cancel(@Param('id') id: string, @Res() response: Response): Promise<void> {
    const outcome = await this.buyer.cancel(id);
    response.redirect(303, this.pages.addressOf(id, outcome === 'cancelled' ? null : outcome));
  }

  /** Where the page of a refused post leads when it is loaded again. */
  @Get(':id/refund-address')
  @OpenToAll(BY_LINK)
  refundForm(@Param('id') id: string, @Res() response: Response): void {
    response.redirect(303, `${this.pages.addressOf(id, null)}?refund=1`);
  }

  @Post(':id/refund-address')
  @OpenToAll(BY_LINK, { unrecorded: 'each request is kept for ever' })
  @Header('Cache-Control', 'no-store')
  @Header('Vary', BY_LANGUAGE)
  async refund(
    @Param('id') id: string,
    @Body() form: RefundForm = {},
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    // Made-up ids are not counted: they would use up the counters of those that there are.
    await this.mustExist(id);
    enforceRateLimit(response, 'refund-address', REFUNDS_PER_MINUTE, this.windows.hitKnown(`refund:${id}`));
    const wish = {
      network: text(form.network),
      address: typedAddress(text(form.address)),
      note: text(form.note),
    };
    const outcome = await this.refunds.ask(id, wish);
    if (isFlaw(outcome)) {
      const catalogue = this.languages.catalogueOf(request);
      const refused = { ...wish, flaw: outcome };
      const page = this.pages.pay(await this.find(id), catalogue, { refund: '1' }, refused);
      await sendHtml(request, response.status(422), page);
    } else {
      response.redirect(303, this.pages.addressOf(id, `refund-${outcome}`));
    }
  }

  /** To the merchant, with the status of this moment. A convenience of the buyer's, never a confirmation. */
  @Get(':id/return')
  @OpenToAll(BY_LINK)
  @Header('Cache-Control', 'no-store')
  async return(@Param('id') id: string, @Res() response: Response): Promise<void> {
    const target = await this.intents.returnTarget(id);
    if (target === null) throw new NotFoundException();
    // Not `redirect`, which would encode anew what the merchant has encoded.
    response.status(303).setHeader('Location', target).end();
  }

  @Get(':id/status')
  @OpenToAll(BY_LINK)
  @Header('Cache-Control', 'no-store')
  @Header('Vary', BY_LANGUAGE)
  async status(@Param('id') id: string, @Req() request: Request): Promise<StatusView> {
    return statusView(await this.find(id), this.languages.catalogueOf(request));
  }

  @Sse(':id/events')
  @OpenToAll(BY_LINK)
  async events(@Param('id') id: string, @Req() request: Request): Promise<Observable<MessageEvent>> {
    await this.mustExist(id);
    const catalogue = this.languages.catalogueOf(request);
    const changes = this.feed
      .watch(id, clientIp(request.ip))
      .pipe(map((intent): MessageEvent => ({ data: statusView(intent, catalogue) })));
    const beats = interval(HEARTBEAT_MS).pipe(map((): MessageEvent => ({ type: 'heartbeat', data: '' })));
    return merge(changes, beats).pipe(takeUntil(this.feed.ending()));
  }

  private async find(id: string, options = false): Promise<CheckoutIntent> {
    const intent = await this.intents.find(id, { options });
    if (!intent) throw noSuchPayment();
    return intent;
  }

  private async mustExist(id: string): Promise<void> {
    if (!(await this.intents.exists(id))) throw noSuchPayment();
  }
}
