import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../../config/config.types.js';
import { blockLimits, clientIp } from '../rate-limit/client-ip.js';
import { rateLimitExceeded } from '../rate-limit/rate-limit.headers.js';
import { RateWindows } from '../rate-limit/rate-windows.js';
import { SecurityLog } from './security-log.js';

/** Scrapers whose addresses are remembered. */
const MOST_GRANTED = 100;

/** Who may look inside: whoever holds `METRICS_TOKEN`. */
@Injectable()
export class MetricsAccess {
  /** Whoever has shown the token, the latest last. */
  private readonly granted = new Set<string>();

  constructor(
    private readonly windows: RateWindows,
    private readonly security: SecurityLog,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Whether the request carries the token. A person has chosen it, so guesses are limited: of an address that guessed too
   * often in this minute, or of the IPv6 network around it, it is not even compared, right or wrong. Whoever has shown it before is
   * kept out by their own guesses alone, and by no neighbour's.
   * @throws DomainError `rate-limit-exceeded`
   */
  isGranted(request: Request): boolean {
    const { token } = this.config.metrics;
    if (token === null) return false;
    const ip = clientIp(request.ip);
    const limits = blockLimits(ip, this.config.rateLimits.failedAuthPerMinute);
    for (const { block, most } of this.granted.has(ip) ? limits.slice(0, 1) : limits) {
      const before = this.windows.seen(`metrics:${block}`);
      if (before.hits < most) continue;
      this.security.note('metrics-token-refused', { ip, why: 'throttled' });
      throw rateLimitExceeded('metrics', most, before, 'Too many wrong tokens from this address.');
    }
    if (equal(request.headers.authorization ?? '', `Bearer ${token}`)) {
      this.remember(ip);
      return true;
    }
    this.security.note('metrics-token-refused', { ip });
    for (const { block } of limits) this.windows.hit(`metrics:${block}`);
    return false;
  }

  private remember(ip: string): void {
    this.granted.delete(ip);
    this.granted.add(ip);
    for (const oldest of this.granted) if (this.granted.size > MOST_GRANTED) this.granted.delete(oldest);
  }
}

/** By their hashes, which have one length: how long the token is takes no different time to find out. */
function equal(sent: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(sent), digest(expected));
}
