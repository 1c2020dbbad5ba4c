import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits in base64url: a session's cookie, a one-time link. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Whether a text can be a token at all: what is not, needs no look into the database. */
export function isToken(text: string): boolean {
  return SHAPE.test(text);
}

/** What is stored. Tokens are random, so a slow hash would add nothing. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * The token that forms of a session carry. Derived, so that it needs no column; one-way, so that a page that leaks
 * it does not leak the session.
 */
export function csrfTokenOf(sessionToken: string): string {
  return createHash('sha256').update(`csrf:${sessionToken}`).digest('base64url');
}
