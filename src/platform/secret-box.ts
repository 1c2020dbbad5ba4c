import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

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

/** Secrets at rest, under the one key of the environment (`Config.secretKey`, 32 bytes). */
export class SecretBox {
  constructor(private readonly key: Buffer) {}

  /** Encrypts a secret for one place in the database: `v1.` + base64url of nonce, ciphertext and tag. */
  seal(plaintext: string, place: SecretPlace): string {
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
    try {
      const bytes = decode(sealed);
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(ALGORITHM, this.key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(place));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const ciphertext = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new Error(`the secret of ${place.table} ${place.rowId} cannot be opened with this key`, {
        cause,
      });
    }
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
