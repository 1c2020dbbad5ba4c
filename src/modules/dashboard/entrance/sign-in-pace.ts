import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { rateLimitExceeded } from '../../../platform/rate-limit/rate-limit.headers.js';
import { RateWindows } from '../../../platform/rate-limit/rate-windows.js';

/** Per address, whatever accounts it tries: one guess at each of a thousand accounts is a thousand guesses. */
@Injectable()
export class SignInPace {
  constructor(
    private readonly windows: RateWindows,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Counts a sign-in. @throws DomainError `rate-limit-exceeded` */
  keep(address: string): void {
    const limit = this.config.rateLimits.failedAuthPerMinute;
    const hits = this.windows.hit(`sign-in:${address}`);
    if (hits.hits > limit)
      throw rateLimitExceeded('sign-in', limit, hits, 'Too many sign-ins from your address. Wait a minute.');
  }
}
