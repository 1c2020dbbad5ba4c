import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { Request, Response } from 'express';
import type { Config } from '../../config/config.types.js';
import { enforceRateLimit } from '../../platform/rate-limit/rate-limit.headers.js';
import type { RateWindows } from '../../platform/rate-limit/rate-windows.js';
import type { Scope } from './auth.types.js';
import { principalOf, REQUIRED_SCOPE } from './principal.js';

const MINUTE_MS = 60_000;

/** Two limits per key: one for reads, one for writes. Which applies follows from the scope of the endpoint. */
export function throttling({ rateLimits }: Config, windows: RateWindows): ThrottlerModuleOptions {
  const only = (scope: Scope) => (context: ExecutionContext) =>
    new Reflector().get<Scope | undefined>(REQUIRED_SCOPE, context.getHandler()) !== scope;
  return {
    storage: storageOn(windows),
    throttlers: [
      { name: 'read', ttl: MINUTE_MS, limit: rateLimits.readsPerMinute, skipIf: only('read') },
      { name: 'write', ttl: MINUTE_MS, limit: rateLimits.writesPerMinute, skipIf: only('write') },
    ],
  };
}

/** throttler's interface to our windows: its own storage keeps the time of every hit, and collapses on a busy key. */
function storageOn(windows: RateWindows): ThrottlerStorage {
  return {
    increment: (subject, _ttlMs, limit) => {
      const { hits, resetS } = windows.hitKnown(subject);
      return Promise.resolve({
        totalHits: hits,
        timeToExpire: resetS,
        isBlocked: hits > limit,
        timeToBlockExpire: resetS,
      });
    },
  };
}

/** throttler's guard with the standard headers, counting per key. Stands behind the `ApiKeyGuard`. */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  protected override async handleRequest({
    context,
    limit,
    ttl,
    throttler,
  }: ThrottlerRequest): Promise<boolean> {
    const http = context.switchToHttp();
    const policy = throttler.name ?? 'default';
    const subject = `key:${principalOf(http.getRequest<Request>()).keyId}:${policy}`;
    const record = await this.storageService.increment(subject, ttl, limit, ttl, policy);
    enforceRateLimit(http.getResponse<Response>(), policy, limit, {
      hits: record.totalHits,
      resetS: record.timeToExpire,
    });
    return true;
  }
}
