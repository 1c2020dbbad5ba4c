import { createHash, randomBytes } from 'node:crypto';

/** No letters that look alike. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 bits: a fast hash is enough. */
const CHARS = 16;
const CODES = 10;

/** "7hq2-x9fk-…", for a drawer. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () =>
    [...randomBytes(CHARS)]
      .map((byte) => ALPHABET[byte % 32])
      .join('')
      .replace(/(.{4})(?!$)/g, '$1-'),
  );
}

/** However it was typed: with or without dashes, in capitals. */
export function hashRecoveryCode(code: string): Buffer {
  const plain = code.toLowerCase().replace(/[^0-9a-z]/g, '');
  return createHash('sha256').update(`recovery:${plain}`).digest();
}
