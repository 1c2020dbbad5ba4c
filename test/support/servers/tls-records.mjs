// What OpenSSL lets no server say after a handshake: records of TLS 1.3 and 1.2, sealed by hand.
import { createCipheriv, createHmac } from 'node:crypto';

const HANDSHAKE = 22;
/** A session ticket of its least length: for an hour, with an empty nonce, one byte, and no extensions. */
const TICKET = Buffer.from([4, 0, 0, 14, 0, 0, 14, 16, 0, 0, 0, 0, 0, 0, 1, 7, 0, 0]);
const KEY_UPDATE = Buffer.from([24, 0, 0, 1, 0]);
const TICKETS = Buffer.concat(Array.from({ length: 900 }, () => TICKET));
/** As many "hello requests" of TLS 1.2 as a record holds. */
const REQUESTS = Buffer.alloc(16 * 1024);
/** Where a server's first record has its random bytes, and how many. */
const RANDOM = [11, 11 + 32];

/** What a server goes on to say once its handshake and its own two tickets are done. */
export class ServerRecords {
  #secret;
  #sequence = 2;

  /** @param {Buffer} secret of its traffic, with TLS_AES_256_GCM_SHA384 */
  constructor(secret) {
    this.#secret = secret;
  }

  tickets() {
    return this.#sealed(TICKETS);
  }

  keyUpdate() {
    const record = this.#sealed(KEY_UPDATE);
    this.#secret = this.#expand('traffic upd', 48);
    this.#sequence = 0;
    return record;
  }

  #sealed(message) {
    const inner = Buffer.concat([message, Buffer.from([HANDSHAKE])]);
    const header = Buffer.from([23, 3, 3, 0, 0]);
    header.writeUInt16BE(inner.length + 16, 3);
    const nonce = this.#expand('iv', 12);
    nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ this.#sequence) >>> 0, 8);
    this.#sequence += 1;
    const cipher = createCipheriv('aes-256-gcm', this.#expand('key', 32), nonce).setAAD(header);
    const sealed = Buffer.concat([cipher.update(inner), cipher.final()]);
    return Buffer.concat([header, sealed, cipher.getAuthTag()]);
  }

  /** HKDF-Expand-Label of RFC 8446, up to one block. */
  #expand(label, length) {
    const name = Buffer.from(`tls13 ${label}`);
    const info = [Buffer.from([0, length, name.length]), name, Buffer.from([0, 1])];
    return createHmac('sha384', this.#secret).update(Buffer.concat(info)).digest().subarray(0, length);
  }
}

/** The same with TLS 1.2 and ECDHE-ECDSA-AES128-GCM-SHA256. */
export class ServerRecordsOf12 {
  #key;
  #salt;
  #sequence = 1n;

  /**
   * @param {Buffer} master the secret of the session
   * @param {Buffer} clientRandom
   * @param {Buffer} first what the server has said first
   */
  constructor(master, clientRandom, first) {
    const seed = Buffer.concat([Buffer.from('key expansion'), first.subarray(...RANDOM), clientRandom]);
    const hashed = (bytes) => createHmac('sha256', master).update(bytes).digest();
    const a1 = hashed(seed);
    const block = Buffer.concat([a1, hashed(a1)].map((a) => hashed(Buffer.concat([a, seed]))));
    // Behind the client's key; the salts behind both.
    this.#key = block.subarray(16, 32);
    this.#salt = block.subarray(36, 40);
  }

  requests() {
    const nonce = Buffer.alloc(8);
    nonce.writeBigUInt64BE(this.#sequence);
    this.#sequence += 1n;
    const header = Buffer.from([HANDSHAKE, 3, 3, 0, 0]);
    header.writeUInt16BE(REQUESTS.length, 3);
    const cipher = createCipheriv('aes-128-gcm', this.#key, Buffer.concat([this.#salt, nonce]));
    cipher.setAAD(Buffer.concat([nonce, header]));
    const sealed = Buffer.concat([nonce, cipher.update(REQUESTS), cipher.final(), cipher.getAuthTag()]);
    header.writeUInt16BE(sealed.length, 3);
    return Buffer.concat([header, sealed]);
  }
}
