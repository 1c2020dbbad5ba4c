import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../../config/config.types.js';
import { Assets } from '../../platform/assets.js';
import { surfaceOf } from '../../platform/http/surface.js';
import { ErrorPages } from '../../platform/problems/error-pages.js';
import type { Refusal } from '../../platform/problems/problem.js';
import { Views } from '../../platform/views.js';
import { Flashes } from './door/flash.js';
import { SessionCookie } from './door/session-cookie.js';
import type { PageModel, Visit, Writing } from './door/visit.js';
import { errorView } from './error.view.js';
import { isOperatorPath, Navigation } from './navigation.js';

/** Models into HTML, and what all pages have around them. */
@Injectable()
export class DashboardPages implements Writing, OnModuleInit {
  readonly sessionCookie: SessionCookie;
  readonly flashes: Flashes;

  constructor(
    private readonly views: Views,
    private readonly assets: Assets,
    private readonly errorPages: ErrorPages,
    private readonly navigation: Navigation,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.sessionCookie = new SessionCookie(config.baseUrl);
    this.flashes = new Flashes(config.baseUrl);
  }

  onModuleInit(): void {
    this.errorPages.register((request, refusal, traceId) => this.error(request, refusal, traceId));
  }

  /** In the layout with the navigation. */
  async page(view: string, model: PageModel, visit: Visit): Promise<string> {
    const { who, request } = visit;
    const layout = {
      ...this.common(),
      nav: await this.navigation.items(who, request.path),
      email: who.email,
      csrf: who.csrfToken,
      merchant: who.membership?.merchantName ?? null,
      otherMerchants: who.memberships.filter((one) => one !== who.membership),
      isOperatorPart: isOperatorPath(request.path),
      canOperate: who.isOperator,
      path: request.path,
      flash: this.flashes.take(request, visit.response),
    };
    return this.views.render(`dashboard/${view}`, { problem: null, ...model, layout });
  }

  /** Before the door: no navigation, one question. */
  entrance(view: string, model: PageModel): string {
    return this.views.render(view, { problem: null, ...model, layout: this.common() });
  }

  private error(request: Request, refusal: Refusal, traceId: string): string | null {
    if (surfaceOf(request) !== 'base' || !/^\/dashboard(\/|$)/i.test(request.path)) return null;
    return this.entrance('entrance/error', errorView(refusal, traceId));
  }

  private common() {
    return {
      sandbox: this.config.mode === 'sandbox',
      assets: {
        tokens: this.assets.url('rappen.css'),
        css: this.assets.url('dashboard.css'),
        js: this.assets.url('dashboard.js'),
        passkeys: this.assets.url('passkeys.js'),
        favicon: this.assets.url('favicon.svg'),
      },
    };
  }
}
