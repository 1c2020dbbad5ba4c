import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { blockLimits } from '../../../platform/rate-limit/client-ip.js';
import { rateLimitExceeded } from '../../../platform/rate-limit/rate-limit.headers.js';
import { type Hits, RateWindows } from '../../../platform/rate-limit/rate-windows.js';
import type { Origin } from '../../accounts/accounts.types.js';
import { SignInService } from '../../accounts/sign-in/sign-in.service.js';

/** Per IP address, whatever accounts it tries: one guess at each of a thousand accounts is a thousand guesses. */
@Injectable()
export class SignInPace {
  constructor(
    private readonly windows: RateWindows,
    private readonly signIn: SignInService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Counts a sign-in. A browser in which the person has signed in is counted by itself: nobody is kept out by a neighbour
   * behind the same address. A larger network of IPv6 has more: several homes may be in it, and one attacker owns many
   * small ones.
   * @param email whose account is asked for; `null` where only the answer says whose
   * @throws DomainError `rate-limit-exceeded`
   */
  async keep(origin: Origin, email: string | null): Promise<void> {
    const { ip, device = null } = origin;
    const limit = this.config.rateLimits.failedAuthPerMinute;
    const known = device === null ? null : await this.signIn.knownBrowser(email, device);
    const tooSoon = () => this.signIn.tooSoon(email, ip, known);
    if (device !== null && known) {
      const id = createHash('sha256').update(device).digest('base64url');
      return enforce(limit, this.windows.hitKnown(`sign-in:${id}`), tooSoon);
    }
    for (const { block, most } of blockLimits(ip, limit))
      await enforce(most, this.windows.hit(`sign-in:${block}`), tooSoon);
  }
}

async function enforce(limit: number, hits: Hits, note: () => Promise<void>): Promise<void> {
  if (hits.hits <= limit) return;
  await note();
  throw rateLimitExceeded('sign-in', limit, hits, 'Too many sign-ins from your address. Wait a minute.');
}
