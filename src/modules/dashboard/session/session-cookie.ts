import type { CookieOptions, Request, Response } from 'express';

/**
 * The browser's own guard: `__Host-` is taken from https alone, for this host alone. Over http, in the sandbox, a
 * name with the port instead: browsers share cookies between the ports of a machine.
 */
export class SessionCookie {
  private readonly name: string;
  private readonly options: CookieOptions;

  constructor(baseUrl: string) {
    const { protocol, port } = new URL(baseUrl);
    const secure = protocol === 'https:';
    this.name = secure ? '__Host-session' : `session-${port}`;
    // Lax, not Strict: a link in a mail to a payment should open it, and GET changes nothing.
    this.options = { path: '/', httpOnly: true, sameSite: 'lax', secure };
  }

  read(request: Request): string {
    return cookieOf(request, this.name);
  }

  write(response: Response, token: string): void {
    response.cookie(this.name, token, this.options);
  }

  clear(response: Response): void {
    response.clearCookie(this.name, this.options);
  }
}

/** 400 days, the most that browsers keep. */
const DEVICE_MS = 400 * 86_400_000;

/** Says in which browsers somebody has signed in before. It opens nothing, and outlives every session. */
export class DeviceCookie {
  private readonly name: string;
  private readonly options: CookieOptions;

  constructor(baseUrl: string) {
    const { protocol, port } = new URL(baseUrl);
    const secure = protocol === 'https:';
    this.name = secure ? '__Host-device' : `device-${port}`;
    this.options = { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: DEVICE_MS };
  }

  read(request: Request): string | null {
    return cookieOf(request, this.name) || null;
  }

  write(response: Response, token: string): void {
    response.cookie(this.name, token, this.options);
  }
}

export function cookieOf(request: Request, name: string): string {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key = '', value = ''] = pair.split('=', 2).map((text) => text.trim());
    if (key === name) return value;
  }
  return '';
}
