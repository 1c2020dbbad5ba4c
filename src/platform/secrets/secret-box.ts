import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SealedColumns } from './sealed-columns.js';

const ALGORITHM = 'aes-256-gcm';
const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Where a secret is stored. A ciphertext that is copied elsewhere does not open there. */
export interface SecretPlace {
  readonly table: string;
  readonly column: string;
  readonly rowId: string;
}

/**
 * Secrets at rest, under the key of the environment (`Config.secretKey`, 32 bytes). While one key replaces another
 * both open, and only the present one seals (`Rekeying`).
 */
export class SecretBox {
  /** @param sealed everything that is ever sealed: for no other place, because a change of the key would not find it */
  constructor(
    readonly sealed: readonly SealedColumns[],
    private readonly key: Buffer,
    private readonly previousKey: Buffer | null = null,
  ) {}

  /** Encrypts a secret for one place in the database: `v1.` + base64url of nonce, ciphertext and tag. */
  seal(plaintext: string, place: SecretPlace): string {
    if (!this.sealed.some(({ table, boundAs }) => table === place.table && boundAs === place.column)) {
      throw new Error(`${place.table}.${place.column} is in no module’s list of sealed columns`);
    }
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(boundTo(place));
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return `${VERSION}.${Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]).toString('base64url')}`;
  }

  /**
   * Opens what `seal` made.
   * @throws Error for another key, another place, or a single changed bit; its message names the place, never
   *   the content.
   */
  open(sealed: string, place: SecretPlace): string {
    const plaintext =
      opened(sealed, place, this.key) ?? (this.previousKey && opened(sealed, place, this.previousKey));
    if (plaintext === null) {
      throw new Error(`the secret of ${place.table} ${place.rowId} cannot be opened with this key`);
    }
    return plaintext;
  }

  /** Whether the present key opens it, only the previous one, or none. */
  keyOf(sealed: string, place: SecretPlace): 'present' | 'previous' | 'unknown' {
    if (opened(sealed, place, this.key) !== null) return 'present';
    return this.previousKey && opened(sealed, place, this.previousKey) !== null ? 'previous' : 'unknown';
  }
}

/** `null` for another key, another place, or a changed bit: the cipher does not tell them apart. */
function opened(sealed: string, place: SecretPlace, key: Buffer): string | null {
  try {
    const bytes = decode(sealed);
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(boundTo(place));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const ciphertext = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function boundTo({ table, column, rowId }: SecretPlace): Buffer {
  return Buffer.from(`${table}|${column}|${rowId}`, 'utf8');
}

/** Takes exactly what `seal` writes: one secret has one spelling. */
function decode(sealed: string): Buffer {
  const [version, text = '', ...rest] = sealed.split('.');
  const bytes = Buffer.from(text, 'base64url');
  const canonical = version === VERSION && rest.length === 0 && bytes.toString('base64url') === text;
  if (!canonical || bytes.length < NONCE_BYTES + TAG_BYTES) throw new RangeError('not a sealed secret');
  return bytes;
}
