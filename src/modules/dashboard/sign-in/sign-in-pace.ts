import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { SecurityLog } from '../../../platform/observability/security-log.js';
import { ipBlocks } from '../../../platform/rate-limit/client-ip.js';
import { rateLimitExceeded } from '../../../platform/rate-limit/rate-limit.headers.js';
import { RateWindows } from '../../../platform/rate-limit/rate-windows.js';
import type { AccountSecurityEvent, Origin } from '../../accounts/accounts.types.js';
import { SignInService } from '../../accounts/sign-in/sign-in.service.js';

/** Per IP address, whatever accounts it tries: one guess at each of a thousand accounts is a thousand guesses. */
@Injectable()
export class SignInPace {
  constructor(
    private readonly windows: RateWindows,
    private readonly signIn: SignInService,
    private readonly security: SecurityLog<AccountSecurityEvent>,
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
    if (device !== null && (await this.signIn.isKnownDevice(email, device))) {
      const id = createHash('sha256').update(device).digest('base64url');
      return this.count(`sign-in:device:${id}`, this.config.rateLimits.failedAuthPerMinute, ip);
    }
    ipBlocks(ip).forEach((block, i) =>
      this.count(`sign-in:${block}`, this.config.rateLimits.failedAuthPerMinute * 2 ** i, ip),
    );
  }

  private count(subject: string, limit: number, ip: string): void {
    const hits = this.windows.hit(subject);
    if (hits.hits <= limit) return;
    this.security.note('sign-in-throttled', { ip, why: 'pace' });
    throw rateLimitExceeded('sign-in', limit, hits, 'Too many sign-ins from your address. Wait a minute.');
  }
}
