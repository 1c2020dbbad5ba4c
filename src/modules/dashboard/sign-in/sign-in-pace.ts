import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { SecurityLog } from '../../../platform/observability/security-log.js';
import { addressBlocks } from '../../../platform/rate-limit/client-address.js';
import { rateLimitExceeded } from '../../../platform/rate-limit/rate-limit.headers.js';
import { RateWindows } from '../../../platform/rate-limit/rate-windows.js';

/** Per address, whatever accounts it tries: one guess at each of a thousand accounts is a thousand guesses. */
@Injectable()
export class SignInPace {
  constructor(
    private readonly windows: RateWindows,
    private readonly security: SecurityLog,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Counts a sign-in. A larger network of IPv6 has more: several homes may be in it, and one attacker owns many small ones.
   * @throws DomainError `rate-limit-exceeded`
   */
  keep(address: string): void {
    addressBlocks(address).forEach((block, i) => {
      const limit = this.config.rateLimits.failedAuthPerMinute * 2 ** i;
      const hits = this.windows.hit(`sign-in:${block}`);
      if (hits.hits <= limit) return;
      this.security.note('sign-in-throttled', { ip: address });
      throw rateLimitExceeded('sign-in', limit, hits, 'Too many sign-ins from your address. Wait a minute.');
    });
  }
}
