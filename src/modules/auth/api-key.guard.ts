import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../config/config.types.js';
import { DomainError } from '../../kernel/domain-error.js';
import { SecurityLog } from '../../platform/observability/security-log.js';
import { clientAddress } from '../../platform/rate-limit/client-address.js';
import { rateLimitExceeded } from '../../platform/rate-limit/rate-limit.headers.js';
import { RateWindows } from '../../platform/rate-limit/rate-windows.js';
import type { MerchantStatus } from '../merchants/merchants.types.js';
import { attachPrincipal, REQUIRED_SCOPE } from './principal.js';
import type { AuthSecurityEvent, Principal, Scope } from './auth.types.js';
import { isWellFormedApiKey } from './domain/api-key.js';
import { credentialsOf } from './domain/credentials.js';
import { PrincipalsService } from './principals.service.js';
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
    private readonly security: SecurityLog<AuthSecurityEvent>,
    private readonly log: RequestLog,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const startedAtMs = performance.now();
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const scope = this.reflector.get<Scope>(REQUIRED_SCOPE, context.getHandler());
    const principal = await this.authenticate(request);
    this.log.watch(request, http.getResponse<Response>(), principal, startedAtMs);
    this.requireMerchant(request, principal.status, scope);
    requireScope(principal, scope);
    attachPrincipal(request, principal);
    return true;
  }

  private async authenticate(request: Request): Promise<Principal & { status: MerchantStatus }> {
    // Distinct and joined: of two Authorization headers Node would keep the first and say nothing.
    const { authorization, 'x-api-key': apiKey } = request.headersDistinct;
    const credentials = credentialsOf(authorization?.join(), apiKey?.join());
    if (credentials.kind === 'none') {
      throw this.unauthenticated(request, 'No API key was sent.', CHALLENGE);
    }
    if (credentials.kind === 'conflicting') {
      throw this.unauthenticated(
        request,
        'Authorization and X-Api-Key hold different keys.',
        CHALLENGE_INVALID,
      );
    }
    const principal = isWellFormedApiKey(credentials.key)
      ? await this.principals.find(credentials.key)
      : null;
    if (!principal) {
      throw this.unauthenticated(request, 'The API key is malformed, unknown or revoked.', CHALLENGE_INVALID);
    }
    return principal;
  }

  private requireMerchant(request: Request, status: MerchantStatus, scope: Scope): void {
    if (status === 'approved') return;
    if (status !== 'closed') {
      const why = status === 'pending' ? 'has not been approved yet' : 'is suspended';
      throw new DomainError('forbidden', 'merchant-not-approved', `The merchant account ${why}.`);
    }
    if (scope === 'write')
      throw new DomainError('not_found', 'merchant-not-found', 'The merchant account is closed.');
    throw this.unauthenticated(request, 'The API key belongs to a closed account.', CHALLENGE_INVALID);
  }

  /** Guessing is slowed per address. A valid key never comes here, so nobody is locked out by a neighbour. */
  private unauthenticated(request: Request, detail: string, headers: Record<string, string>): DomainError {
    this.security.note('key-refused', { ip: clientAddress(request.ip) });
    const hits = this.windows.hit(`auth:${clientAddress(request.ip)}`);
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
}

function requireScope(principal: Principal, scope: Scope): void {
  if (principal.scopes.includes(scope)) return;
  const name = scope === 'read' ? 'Read' : 'Write';
  throw new DomainError('forbidden', 'insufficient-scope', `This key lacks the ${name} scope.`);
}
