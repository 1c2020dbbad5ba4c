import type { Request, Response } from 'express';
import { fieldsOf } from '../../../kernel/error-fields.js';
import { HostCookie } from '../../../platform/http/host-cookie.js';

export interface Flash {
  readonly kind: 'good' | 'warn';
  readonly text: string;
}

const LIFETIME_MS = 60_000;
const MAX_CHARS = 500;

/**
 * One sentence for the next page, after a change. In a cookie that only we can write, not in the address: a link
 * must not be able to say "accepted" about a payment.
 */
export class Flashes {
  private readonly cookie: HostCookie;

  constructor(baseUrl: string) {
    this.cookie = new HostCookie('said', baseUrl, { sameSite: 'strict', maxAge: LIFETIME_MS });
  }

  leave(response: Response, { kind, text }: Flash): void {
    const value = Buffer.from(JSON.stringify({ kind, text: text.slice(0, MAX_CHARS) })).toString('base64url');
    this.cookie.write(response, value);
  }

  /** Said once. */
  take(request: Request, response: Response): Flash | null {
    const value = this.cookie.read(request);
    if (value === '') return null;
    this.cookie.clear(response);
    try {
      const { kind, text } = fieldsOf(JSON.parse(Buffer.from(value, 'base64url').toString('utf8')));
      return typeof text === 'string'
        ? { kind: kind === 'warn' ? 'warn' : 'good', text: text.slice(0, MAX_CHARS) }
        : null;
    } catch {
      return null;
    }
  }
}
