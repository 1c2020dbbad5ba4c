import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../../../config/config.types.js';
import { NAMES } from '../../../../kernel/text/staff-languages.js';
import { surfaceOf } from '../../../../platform/http/surface.js';
import { Assets } from '../../../../platform/pages/assets.js';
import type { Refusal } from '../../../../platform/pages/forms/refusal.js';
import { Views } from '../../../../platform/pages/views.js';
import { ErrorPages } from '../../../../platform/problems/error-pages.js';
import type { RefusedRequest } from '../../../../platform/problems/problem.js';
import type { SignedIn } from '../../../accounts/accounts.types.js';
import { lacksFactor } from '../../../accounts/permissions.pure.js';
import { pathOfReferer, safePath } from '../../domain/safe-path.js';
import { shortened } from '../../domain/shortened.js';
import { DashboardLanguages } from '../../language/dashboard-languages.js';
import { sayIn } from '../../language/say.js';
import { pathNamed, pathTo } from '../../paths.http.js';
import { Flashes } from '../flash.js';
import { type Reader, readerOf } from '../reader.js';
import type { PageModel, RequestContext, Writing } from '../request-context.js';
import { DeviceCookie, SessionCookie } from '../session-cookie.js';
import { errorView } from './error.view.js';
import { isOperatorPath, Navigation } from './navigation.js';
import { addLanguageHelpers } from './template-helpers.js';

const OUR_PATH = new RegExp(`^${pathTo('home')}(/|$)`, 'i');

/** In production whoever runs the instance reaches nothing before they have a second factor. */
export function mustHaveFactor(who: SignedIn, { mode }: Pick<Config, 'mode'>): boolean {
  return mode === 'production' && who.isOperator && lacksFactor(who);
}

/** Models into HTML, and what all pages have around them. */
@Injectable()
export class DashboardPages implements Writing, OnModuleInit {
  readonly sessionCookie: SessionCookie;
  readonly deviceCookie: DeviceCookie;
  readonly flashes: Flashes;
  readonly languages: DashboardLanguages;

  constructor(
    private readonly views: Views,
    private readonly assets: Assets,
    private readonly errorPages: ErrorPages,
    private readonly navigation: Navigation,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.sessionCookie = new SessionCookie(config.baseUrl);
    this.deviceCookie = new DeviceCookie(config.baseUrl);
    this.flashes = new Flashes(config.baseUrl);
    this.languages = new DashboardLanguages(config.baseUrl);
  }

  /** What a sign-in gave, into the browser. */
  signIn(response: Response, { token, device }: { token: string; device: string | null }): void {
    this.sessionCookie.write(response, token);
    this.knowBrowser(response, device);
  }

  /** @param device for the long-lived cookie; `null`: it stays as it is */
  knowBrowser(response: Response, device: string | null): void {
    if (device !== null) this.deviceCookie.write(response, device);
  }

  onModuleInit(): void {
    this.views.helper('pathTo', pathNamed);
    this.views.helper('shortened', shortened);
    addLanguageHelpers(this.views);
    this.errorPages.register((request, refusal, traceId) => this.error(request, refusal, traceId));
  }

  /** In the layout with the navigation. */
  async page(view: string, model: PageModel, context: RequestContext): Promise<string> {
    const { who, request } = context;
    const layout = {
      ...this.common(request),
      nav: await this.navigation.items(context.say, who, request.path),
      email: who.email,
      csrf: who.csrfToken,
      merchant: who.membership?.merchantName ?? null,
      merchantId: who.membership?.merchantId ?? '',
      otherMerchants: who.memberships.filter((one) => one !== who.membership),
      isOperatorPart: isOperatorPath(request.path),
      canOperate: who.isOperator,
      path: request.path,
      asksForFactor: lacksFactor(who) && (mustHaveFactor(who, this.config) || !who.hasDeclinedFactor),
      mustHaveFactor: mustHaveFactor(who, this.config),
      invitations: request.path.startsWith(pathTo('invitations')) ? 0 : who.openInvitations,
      flash: this.flashes.take(request, context.response),
    };
    return this.draw(`dashboard/${view}`, { ...model, layout });
  }

  /** Without a session: no navigation, one question. */
  signInPage(view: string, model: PageModel, request: Request): string {
    return this.draw(view, { ...model, layout: this.common(request) });
  }

  readerOf(request: Request): Reader {
    const isChosen = this.languages.chosenBy(request) !== null;
    return readerOf(request, this.languages.languageOf(request), isChosen);
  }

  /** What was refused is drawn once to see which fields have taken what is wrong with them, and then with the rest above. */
  private draw(view: string, model: PageModel): string {
    const { refusal = null } = model as { refusal?: Refusal | null };
    const whole = { problem: null, summary: null, refusal, ...model };
    if (refusal === null) return this.views.render(view, whole);
    this.views.render(view, whole);
    return this.views.render(view, { ...whole, ...refusal.drawn() });
  }

  private error(request: Request, refusal: RefusedRequest, traceId: string): string | null {
    if (surfaceOf(request) !== 'base' || !OUR_PATH.test(request.path)) return null;
    const isChange = request.method !== 'GET' && request.method !== 'HEAD';
    const again = isChange
      ? pathOfReferer(request.headers.referer, this.config.baseUrl)
      : safePath(request.originalUrl);
    const say = sayIn(this.languages.languageOf(request));
    const asked = { path: request.path, again, isChange };
    return this.signInPage('sign-in/error', errorView(say, refusal, traceId, asked), request);
  }

  private common(request: Request) {
    const reader = this.readerOf(request);
    return {
      ...reader,
      csrf: '',
      merchantId: '',
      otherLanguages: this.languages.others(reader.language).map((code) => ({ code, name: NAMES[code] })),
      // A form cannot be sent again by coming back: to the page that it was on.
      here:
        request.method === 'GET'
          ? safePath(request.originalUrl)
          : pathOfReferer(request.headers.referer, this.config.baseUrl),
      sandbox: this.config.mode === 'sandbox',
      assets: {
        tokens: this.assets.url('rappen.css'),
        css: this.assets.url('dashboard.css'),
        js: this.assets.url('dashboard.js'),
        collecting: this.assets.url('collecting.js'),
        refunding: this.assets.url('refunding.js'),
        passkeys: this.assets.url('passkeys.js'),
        favicon: this.assets.url('favicon.svg'),
      },
    };
  }
}
