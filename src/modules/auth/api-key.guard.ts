import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../config/config.types.js';
import { DomainError, notFound } from '../../kernel/domain-error.js';
import { clientIp } from '../../platform/rate-limit/client-ip.js';
import { rateLimitExceeded } from '../../platform/rate-limit/rate-limit.headers.js';
import { RateWindows } from '../../platform/rate-limit/rate-windows.js';
import type { KeyOwner, Principal, Scope } from './auth.types.js';
import { isWellFormedApiKey } from './domain/api-key.js';
import { credentialsOf } from './domain/credentials.js';
import type { KeyedRead } from './keyed-read.types.js';
import { attachPrincipal, KEYED_READ, REQUIRED_SCOPE } from './principal.js';
import { type FoundKey, PrincipalsService } from './principals.service.js';
import { type RefusedKey, RefusedKeys } from './refused-keys.js';
import { RequestLog } from './request-log.js';

const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="api"' };
const CHALLENGE_INVALID = { 'WWW-Authenticate': 'Bearer realm="api", error="invalid_token"' };

/** 401, then 403 for the merchant, then 403 for the scope: nobody learns of the later before passing the earlier. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly principals: PrincipalsService,
    private readonly reflector: Reflector,
    private readonly windows: RateWindows,
    private readonly refused: RefusedKeys,
    private readonly log: RequestLog,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const startedAtMs = performance.now();
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const scope = this.reflector.get<Scope>(REQUIRED_SCOPE, context.getHandler());
    const read = this.reflector.get<KeyedRead | undefined>(KEYED_READ, context.getHandler());
    const principal = await this.authenticate(request, read);
    this.log.watch(request, http.getResponse<Response>(), principal, startedAtMs);
    this.requireMerchant(request, principal, scope);
    this.requireScope(request, principal, scope);
    attachPrincipal(request, principal, principal.beside);
    return true;
  }

  private async authenticate(request: Request, read: KeyedRead | undefined): Promise<FoundKey> {
    // Distinct and joined: of two Authorization headers Node would keep the first and say nothing.
    const { authorization, 'x-api-key': apiKey } = request.headersDistinct;
    const credentials = credentialsOf(authorization?.join(), apiKey?.join());
    if (credentials.kind === 'none')
      throw this.unauthenticated(request, 'none', 'No API key was sent.', CHALLENGE);
    if (credentials.kind === 'conflicting') {
      const text = 'Authorization and X-Api-Key hold different keys.';
      throw this.unauthenticated(request, 'conflicting', text);
    }
    const { key } = credentials;
    const reads = read ? { statement: read.statement, values: read.valuesOf(request) } : null;
    const principal = isWellFormedApiKey(key) ? await this.principals.find(key, reads) : null;
    if (principal) return principal;
    const text = 'The API key is malformed, unknown or revoked.';
    // Answered by 429: whose the key was is not looked up for whoever sends so many.
    if (this.isOverLimit(request)) throw this.unauthenticated(request, 'throttled', text);
    const revoked = isWellFormedApiKey(key) ? await this.principals.findRevoked(key) : null;
    const why = revoked ? 'revoked' : 'unknown';
    throw this.unauthenticated(request, why, text, CHALLENGE_INVALID, revoked);
  }

  private requireMerchant(request: Request, principal: FoundKey, scope: Scope): void {
    const { status } = principal;
    if (status === 'approved') return;
    if (status === 'closed' && scope === 'read') {
      const text = 'The API key belongs to a closed account.';
      throw this.unauthenticated(request, status, text, CHALLENGE_INVALID, principal);
    }
    this.refused.forbidden(request, status, principal);
    if (status === 'closed') throw notFound('The merchant account is closed.', 'merchant-not-found');
    const why = status === 'pending' ? 'has not been approved yet' : 'is suspended';
    throw new DomainError('forbidden', 'merchant-not-approved', `The merchant account ${why}.`);
  }

  private requireScope(request: Request, principal: Principal, scope: Scope): void {
    if (principal.scopes.includes(scope)) return;
    this.refused.forbidden(request, 'scope', principal);
    const name = scope === 'read' ? 'Read' : 'Write';
    throw new DomainError('forbidden', 'insufficient-scope', `This key lacks the ${name} scope.`);
  }

  /**
   * Guessing is slowed per address. A valid key never comes here, so nobody is locked out by a neighbour.
   * @param of whose key it is or was, where that is known
   */
  private unauthenticated(
    request: Request,
    why: RefusedKey,
    detail: string,
    headers: Record<string, string> = CHALLENGE_INVALID,
    of: KeyOwner | null = null,
  ): DomainError {
    const hits = this.windows.hit(subjectOf(request));
    this.refused.refused(request, why, of);
    const limit = this.config.rateLimits.failedAuthPerMinute;
    if (hits.hits > limit) {
      return rateLimitExceeded(
        'failed-auth',
        limit,
        hits,
        'Too many failed authentications from this address.',
      );
    }
    return new DomainError('unauthenticated', 'invalid-api-key', detail, { headers });
  }

  private isOverLimit(request: Request): boolean {
    return this.windows.seen(subjectOf(request)).hits >= this.config.rateLimits.failedAuthPerMinute;
  }
}

function subjectOf(request: Request): string {
  return `auth:${clientIp(request.ip)}`;
}
