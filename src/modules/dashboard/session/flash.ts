import type { CookieOptions, Request, Response } from 'express';
import { cookieOf } from './session-cookie.js';

export interface Flash {
  readonly kind: 'good' | 'warn';
  readonly text: string;
}

const NAME = 'said';
const LIFETIME_MS = 60_000;
const MAX_CHARS = 500;

/**
 * One sentence for the next page, after a change. In a cookie that only we can write, not in the address: a link
 * must not be able to say "accepted" about a payment.
 */
export class Flashes {
  private readonly name: string;
  private readonly options: CookieOptions;

  constructor(baseUrl: string) {
    const { protocol, port } = new URL(baseUrl);
    const secure = protocol === 'https:';
    this.name = secure ? `__Host-${NAME}` : `${NAME}-${port}`;
    this.options = { path: '/', httpOnly: true, sameSite: 'strict', secure };
  }

  leave(response: Response, { kind, text }: Flash): void {
    const value = Buffer.from(JSON.stringify({ kind, text: text.slice(0, MAX_CHARS) })).toString('base64url');
    response.cookie(this.name, value, { ...this.options, maxAge: LIFETIME_MS });
  }

  /** Said once. */
  take(request: Request, response: Response): Flash | null {
    const value = cookieOf(request, this.name);
    if (value === '') return null;
    response.clearCookie(this.name, this.options);
    try {
      const { kind, text } = JSON.parse(Buffer.from(value, 'base64url').toString('utf8')) as Partial<Flash>;
      return typeof text === 'string'
        ? { kind: kind === 'warn' ? 'warn' : 'good', text: text.slice(0, MAX_CHARS) }
        : null;
    } catch {
      return null;
    }
  }
}
