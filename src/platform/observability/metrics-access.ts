import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../../config/config.types.js';
import { blockLimits, clientIp } from '../rate-limit/client-ip.js';
import { rateLimitExceeded } from '../rate-limit/rate-limit.headers.js';
import { RateWindows } from '../rate-limit/rate-windows.js';
import { SecurityLog } from './security-log.js';

/** Who may look inside: whoever holds `METRICS_TOKEN`. */
@Injectable()
export class MetricsAccess {
  constructor(
    private readonly windows: RateWindows,
    private readonly security: SecurityLog,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Whether the request carries the token. A person has chosen it, so guesses are limited: of an address that guessed too
   * often in this minute, or of the IPv6 network around it, it is not even compared, right or wrong.
   * @throws DomainError `rate-limit-exceeded`
   */
  isGranted(request: Request): boolean {
    const { token } = this.config.metrics;
    if (token === null) return false;
    const ip = clientIp(request.ip);
    const limits = blockLimits(ip, this.config.rateLimits.failedAuthPerMinute);
    for (const { block, most } of limits) {
      const before = this.windows.seen(`metrics:${block}`);
      if (before.hits < most) continue;
      this.security.note('metrics-token-refused', { ip, why: 'throttled' });
      throw rateLimitExceeded('metrics', most, before, 'Too many wrong tokens from this address.');
    }
    if (equal(request.headers.authorization ?? '', `Bearer ${token}`)) return true;
    this.security.note('metrics-token-refused', { ip });
    for (const { block } of limits) this.windows.hit(`metrics:${block}`);
    return false;
  }
}

/** By their hashes, which have one length: how long the token is takes no different time to find out. */
function equal(sent: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(sent), digest(expected));
}
