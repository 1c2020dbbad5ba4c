import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { clientIp } from '../../../platform/rate-limit/client-ip.js';
import { NotPermitted } from '../../accounts/accounts.errors.js';
import { CHANGES_NEED, type SignedIn } from '../../accounts/accounts.types.js';
import { LanguagesService } from '../../accounts/people/languages.service.js';
import { isMerchantPermission, may } from '../../accounts/permissions.pure.js';
import { SessionsService } from '../../accounts/sessions/sessions.service.js';
import { Form, UnreadForm } from '../domain/form.js';
import { pathOfReferer, pathWith, safePath } from '../domain/safe-path.js';
import { pathTo } from '../paths.http.js';
import { DashboardPages, mustHaveFactor } from './pages/dashboard.pages.js';
import { readForm } from './read-form.js';
import { GoTo } from './redirect.js';
import { attachContext, RequestContext } from './request-context.js';
import { RequestPace } from './request-pace.js';
import { RULE, type Rule } from './rule.js';
import { SessionForgeries } from './session-forgeries.js';
import { requireShown } from './shown-merchant.js';

/**
 * The one guard of the dashboard: who it is, whether they may, whether they asked themselves (CSRF) and of the merchant that they
 * look at, whether they have proved it lately. It fails closed, and no byte of a body is read for somebody who may not send it.
 */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: SessionsService,
    private readonly languages: LanguagesService,
    private readonly pace: RequestPace,
    private readonly pages: DashboardPages,
    private readonly forgeries: SessionForgeries,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const rule = this.reflector.get<Rule | undefined>(RULE, context.getHandler());
    if (!rule) throw new Error('a route of the dashboard names no permission');
    response.set('Cache-Control', 'no-store');
    await this.pace.keep(request, response);
    const isChange = request.method !== 'GET' && request.method !== 'HEAD';
    if (isChange) await this.forgeries.requireSameSite(request);
    const who = rule.permission === null ? null : await this.admit(request, rule);
    const form = isChange ? await readForm(request, response, rule.upload) : new Form();
    // What was not read has no token, and nothing comes of it: each look into it throws.
    if (isChange && who && !(form instanceof UnreadForm)) {
      this.forgeries.requireToken(request, form, who);
      if (rule.permission !== null && isMerchantPermission(rule.permission)) requireShown(form, who);
    }
    const origin = {
      ip: clientIp(request.ip),
      userAgent: request.headers['user-agent'] ?? '',
      device: this.pages.deviceCookie.read(request),
      session: this.pages.sessionCookie.read(request),
    };
    const admitted = who && rule.permission !== null ? { who, permission: rule.permission } : null;
    attachContext(request, new RequestContext(request, response, origin, admitted, form, this.pages));
    return true;
  }

  private async admit(request: Request, { permission, fresh }: Rule): Promise<SignedIn> {
    const who = await this.sessions.find(this.pages.sessionCookie.read(request));
    if (!who) throw new GoTo(pathWith(pathTo('signIn'), { to: this.wayBack(request) }));
    const chosen = this.pages.languages.chosenBy(request);
    const read = chosen ?? this.pages.languages.languageOf(request);
    await this.languages.learn(who, read, chosen !== null);
    if (mustHaveFactor(who, this.config) && permission !== 'self' && permission !== 'account')
      throw new GoTo(pathTo('secondFactor'));
    if (permission === null || !may(who, permission)) {
      if (permission !== null && isMerchantPermission(permission) && !who.membership)
        throw new GoTo(pathTo(who.isOperator ? 'operator' : 'invitations'));
      throw new NotPermitted();
    }
    const isChange = request.method !== 'GET' && request.method !== 'HEAD';
    const needsProof = fresh || (isChange && CHANGES_NEED[permission] === 'proof');
    if (needsProof && !who.isFresh)
      throw new GoTo(pathWith(pathTo('confirm'), { to: this.wayBack(request) }));
    return who;
  }

  /** A form cannot be sent again by a link: from a change the way back is to the page that it was on. */
  private wayBack(request: Request): string | null {
    const isChange = request.method !== 'GET' && request.method !== 'HEAD';
    const path = isChange
      ? pathOfReferer(request.headers.referer, this.config.baseUrl)
      : safePath(request.originalUrl);
    return path === pathTo('home') ? null : path;
  }
}
