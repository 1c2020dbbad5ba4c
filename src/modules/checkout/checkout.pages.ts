import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../../config/config.types.js';
import { hostOf } from '../../platform/http/surface.js';
import { Assets } from '../../platform/pages/assets.js';
import { Views } from '../../platform/pages/views.js';
import { ErrorPages } from '../../platform/problems/error-pages.js';
import type { RefusedRequest } from '../../platform/problems/problem.js';
import type { CheckoutIntent } from '../intents/checkout.types.js';
import { PAY_PATH, payPath } from '../intents/checkout-paths.pure.js';
import type { Notice } from './catalogue/catalogue.types.js';
import { type Catalogue, en } from './catalogue/en.js';
import { CheckoutLanguages } from './checkout.languages.js';
import { failureView } from './views/message.view.js';
import { payView } from './views/pay.view.js';
import type { RefusedWish } from './views/pay-refund.view.js';

/** What the address of a page may say beside the id. Anything else is ignored: links get decorated on their way. */
export interface PayQuery {
  readonly cancel?: string;
  readonly change?: string;
  readonly notice?: string;
  readonly open?: string;
  readonly refund?: string;
}

/** Whether a page has ways to pay, or says whether there are any, also where it has a quote that can be paid. */
export function asksForOptions({ change, notice }: PayQuery): boolean {
  return change === '1' || notice === 'option-closed';
}

/** The page of a payment, whatever of it or below it was asked for. */
const PAYMENT = new RegExp(String.raw`^${PAY_PATH}/\w+`);

/** Models into HTML. */
@Injectable()
export class CheckoutPages implements OnModuleInit {
  private readonly assets: { css: string; js: string; favicon: string };

  constructor(
    private readonly views: Views,
    private readonly errorPages: ErrorPages,
    private readonly languages: CheckoutLanguages,
    @Inject(CONFIG) private readonly config: Config,
    assets: Assets,
  ) {
    this.assets = {
      css: assets.url('rappen.css'),
      js: assets.url('checkout.js'),
      favicon: assets.url('favicon.svg'),
    };
  }

  onModuleInit(): void {
    this.errorPages.register((request, refusal, traceId) => this.error(request, refusal, traceId));
  }

  pay(
    intent: CheckoutIntent,
    catalogue: Catalogue,
    query: PayQuery,
    refusedWish: RefusedWish | null = null,
  ): string {
    return this.views.render(
      'checkout/pay',
      payView(intent, {
        ...this.common(),
        checkoutUrl: this.config.checkoutUrl,
        catalogue,
        confirmCancel: query.cancel === '1',
        change: query.change === '1',
        refund: query.refund === '1',
        open: query.open ?? null,
        refusedWish,
        notice: isNotice(query.notice) ? query.notice : null,
      }),
    );
  }

  addressOf(id: string, notice: Notice | null): string {
    return payPath(id) + (notice === null ? '' : `?notice=${notice}`);
  }

  private error(request: Request, refusal: RefusedRequest, traceId: string): string | null {
    if (hostOf(request) !== 'checkout') return null;
    const catalogue = this.languages.catalogueOf(request);
    const isAddressed = request.method === 'GET';
    const [paymentPath = null] = PAYMENT.exec(request.path) ?? [];
    return this.views.render(
      'checkout/message',
      failureView(refusal.status, traceId, { ...this.common(), catalogue, isAddressed, paymentPath }),
    );
  }

  private common() {
    return { sandbox: this.config.mode === 'sandbox', assets: this.assets };
  }
}

function isNotice(text: string | undefined): text is Notice {
  return text !== undefined && Object.hasOwn(en.notices, text);
}
