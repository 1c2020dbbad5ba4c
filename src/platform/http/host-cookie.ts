import type { CookieOptions, Request, Response } from 'express';

/**
 * A cookie of one origin. `__Host-` is the browser's own guard: it is taken from https alone, for this host alone. Over
 * http, in the sandbox, the name has the port instead: browsers share cookies between the ports of a machine. No script
 * reads it.
 */
export class HostCookie {
  private readonly name: string;
  private readonly options: CookieOptions;

  constructor(name: string, origin: string, rules: Pick<CookieOptions, 'sameSite' | 'maxAge'>) {
    const { protocol, port } = new URL(origin);
    const secure = protocol === 'https:';
    this.name = secure ? `__Host-${name}` : `${name}-${port}`;
    this.options = { ...rules, path: '/', httpOnly: true, secure };
  }

  /** An empty text where there is none. */
  read(request: Request): string {
    for (const pair of (request.headers.cookie ?? '').split(';')) {
      const [key = '', value = ''] = pair.split('=', 2).map((text) => text.trim());
      if (key === this.name) return value;
    }
    return '';
  }

  write(response: Response, value: string): void {
    response.cookie(this.name, value, this.options);
  }

  clear(response: Response): void {
    const { maxAge: _maxAge, ...options } = this.options;
    response.clearCookie(this.name, options);
  }
}

/** 400 days, the most that browsers keep. */
export const LONGEST_MS = 400 * 86_400_000;
