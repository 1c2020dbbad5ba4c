import type { Request, Response } from 'express';
import { HostCookie, LONGEST_MS } from '../../../platform/http/host-cookie.js';

export class SessionCookie extends HostCookie {
  constructor(baseUrl: string) {
    // Lax, not Strict: a link in a mail to a payment should open it, and GET changes nothing.
    super('session', baseUrl, { sameSite: 'lax' });
  }
}

/** Says in which browsers somebody has signed in before. It opens nothing, and outlives every session. */
export class DeviceCookie {
  private readonly cookie: HostCookie;

  constructor(baseUrl: string) {
    this.cookie = new HostCookie('device', baseUrl, { sameSite: 'lax', maxAge: LONGEST_MS });
  }

  read(request: Request): string | null {
    return this.cookie.read(request) || null;
  }

  write(response: Response, token: string): void {
    this.cookie.write(response, token);
  }
}
