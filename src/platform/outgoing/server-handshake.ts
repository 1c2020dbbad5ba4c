import { createDecipheriv, createHmac, type DecipherGCM } from 'node:crypto';
import { limitCertificates, NotLookedAt } from './certificate-limits.js';

/** Kinds of records (RFC 8446, 5.1). */
const [CHANGE_CIPHER, ALERT, HANDSHAKE, SEALED] = [20, 21, 22, 23];
const HEADER_BYTES = 5;
const NOTHING = Buffer.alloc(0);
/** Of the bytes of a sealed record. */
const TAG_BYTES = 16;
const MAX_RECORD_BYTES = 16 * 1024 + 256;
/** That lie here while the key has not been said. */
const MAX_UNREAD_BYTES = 128 * 1024;

/** Messages of a handshake (RFC 5246, 7.4; RFC 8446, 4). */
const [HELLO, CERTIFICATE, FINISHED] = [2, 11, 20];
/** What else a server says: of TLS 1.2 a request for a handshake, a ticket, a status, keys, a request for certificates, and its end. */
const OTHERS_OF_12 = [0, 4, 22, 12, 13, 14];
/** Of TLS 1.3 extensions, a request for certificates, and what verifies its own. */
const OTHERS_OF_13 = [8, 13, 15];

/** Of a hello that asks for another one of the client (RFC 8446, 4.1.3). */
const ASKS_AGAIN = 'cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c';
const SUPPORTED_VERSIONS = 43;
const [VERSION_12, VERSION_13] = [0x0303, 0x0304];
/** Until TLS stands an honest server says some ten messages, in as many records. */
const MAX_RECORDS = 64;
const MAX_MESSAGES = 16;

/** RFC 8446, B.4. */
const SUITES: Readonly<Record<number, Suite>> = {
  0x1301: { cipher: 'aes-128-gcm', keyBytes: 16, hash: 'sha256' },
  0x1302: { cipher: 'aes-256-gcm', keyBytes: 32, hash: 'sha384' },
  0x1303: { cipher: 'chacha20-poly1305', keyBytes: 32, hash: 'sha256' },
};

interface Suite {
  readonly cipher: 'aes-128-gcm' | 'aes-256-gcm' | 'chacha20-poly1305';
  readonly keyBytes: number;
  readonly hash: 'sha256' | 'sha384';
}

interface Keys {
  readonly suite: Suite;
  readonly key: Buffer;
  readonly iv: Buffer;
}

/**
 * What a server says until TLS stands, record by record, and its certificates looked at before OpenSSL has them: it decodes
 * the key of each and verifies each signature, and how long that takes is the server's choice. In TLS 1.3 they are sealed with
 * a key that the client has once it has read the server's hello, and says (`keylog`).
 */
export class ServerHandshake {
  private came: Buffer[] = [];
  private cameBytes = 0;
  /** Of what came, before it is worth a look. */
  private neededBytes = HEADER_BYTES;
  /** Of messages that have begun and whose end has not come, with the records that they are in. */
  private begun: Buffer = NOTHING;
  private held: Buffer[] = [];
  private stage: 'clear' | 'sealed' | 'over' = 'clear';
  private is12 = false;
  private suite: Suite | undefined;
  private keys: Keys | null = null;
  private sequence = 0;
  private records = 0;
  private messages = 0;

  /** @param restBytes that all records until TLS stands may have */
  constructor(private restBytes: number) {}

  /** What comes now is nothing that has to be looked at. */
  get isOver(): boolean {
    return this.stage === 'over' && this.cameBytes === 0;
  }

  /** @throws NotLookedAt where too much is unread */
  add(bytes: Buffer): void {
    if (this.cameBytes + bytes.length > MAX_UNREAD_BYTES) throw new NotLookedAt('says too much');
    this.came.push(bytes);
    this.cameBytes += bytes.length;
  }

  /** @param line of `keylog` */
  learn(line: Buffer): void {
    const [label, , secret] = line.toString('latin1').trim().split(' ');
    if (label !== 'SERVER_HANDSHAKE_TRAFFIC_SECRET' || secret === undefined) return;
    const { suite } = this;
    // OpenSSL has read another version than we have.
    if (!suite) throw new NotLookedAt('says what is no handshake');
    const from = Buffer.from(secret, 'hex');
    const key = expanded(suite, from, 'key', suite.keyBytes);
    this.keys = { suite, key, iv: expanded(suite, from, 'iv', 12) };
  }

  /**
   * @returns what OpenSSL may read next; `null` while more has to come, or the key has not been said
   * @throws NotLookedAt for certificates beyond the limits, and for what is no handshake
   */
  next(): Buffer | null {
    for (;;) {
      const record = this.nextRecord();
      if (!record) return null;
      this.held.push(record);
      if (this.stage !== 'over') this.read(record);
      if (this.begun.length > 0) continue;
      const released = Buffer.concat(this.held);
      this.held = [];
      // Not a part of what came, which it would keep.
      this.begun = NOTHING;
      return released;
    }
  }

  private nextRecord(): Buffer | null {
    if (this.stage === 'over') return this.cameBytes > 0 ? this.take(this.cameBytes) : null;
    if (this.cameBytes < this.neededBytes) return null;
    const came = this.joined();
    const length = HEADER_BYTES + came.readUInt16BE(3);
    if (length > HEADER_BYTES + MAX_RECORD_BYTES || this.restBytes < length)
      throw new NotLookedAt('says too much before TLS stands');
    this.neededBytes = length;
    if (came.length < length) return null;
    if (came[0] === SEALED && this.stage === 'sealed' && !this.keys) return null;
    this.neededBytes = HEADER_BYTES;
    this.restBytes -= length;
    this.records += 1;
    if (this.records > MAX_RECORDS) throw new NotLookedAt('says too much before TLS stands');
    return this.take(length);
  }

  private joined(): Buffer {
    const [first = NOTHING] = this.came;
    const came = this.came.length > 1 ? Buffer.concat(this.came) : first;
    this.came = [came];
    return came;
  }

  private take(bytes: number): Buffer {
    const came = this.joined();
    this.came = came.length > bytes ? [came.subarray(bytes)] : [];
    this.cameBytes -= bytes;
    return came.subarray(0, bytes);
  }

  private read(record: Buffer): void {
    const kind = record[0];
    // OpenSSL reads past it, whatever kind it says.
    if (record.length === HEADER_BYTES) throw new NotLookedAt('says what is no handshake');
    if (kind === HANDSHAKE && this.stage === 'clear') return this.readMessages(record.subarray(HEADER_BYTES));
    if (kind === SEALED && this.keys) return this.readSealed(record, this.keys);
    const isBetween = this.begun.length === 0;
    if (kind === ALERT && isBetween) return;
    const isChange =
      kind === CHANGE_CIPHER && record.length === HEADER_BYTES + 1 && record[HEADER_BYTES] === 1;
    if (!isChange || !isBetween) throw new NotLookedAt('says what is no handshake');
    // In TLS 1.2 what follows is sealed, and no certificate is taken any more; in 1.3 it means nothing.
    if (this.is12) this.stage = 'over';
  }

  private readSealed(record: Buffer, { suite, key, iv }: Keys): void {
    const nonce = Buffer.from(iv);
    nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ this.sequence) >>> 0, 8);
    this.sequence += 1;
    if (record.length <= HEADER_BYTES + TAG_BYTES) throw new NotLookedAt('says what is no handshake');
    const header = record.subarray(0, HEADER_BYTES);
    const sealed = record.subarray(HEADER_BYTES, -TAG_BYTES);
    const decipher = createDecipheriv(suite.cipher as 'aes-256-gcm', key, nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(header).setAuthTag(record.subarray(-TAG_BYTES));
    const opened = openedBy(decipher, sealed);
    let end = opened.length;
    while (end > 0 && opened[end - 1] === 0) end -= 1;
    if (opened[end - 1] === HANDSHAKE) this.readMessages(opened.subarray(0, end - 1));
    else if (opened[end - 1] !== ALERT || this.begun.length > 0)
      throw new NotLookedAt('says what is no handshake');
  }

  private readMessages(bytes: Buffer): void {
    this.begun = Buffer.concat([this.begun, bytes]);
    while (this.begun.length >= 4) {
      const end = 4 + this.begun.readUIntBE(1, 3);
      if (this.begun.length < end) return;
      const [stage, kind, message] = [this.stage, this.begun[0] ?? 0, this.begun.subarray(4, end)];
      this.begun = this.begun.subarray(end);
      this.messages += 1;
      if (this.messages > MAX_MESSAGES) throw new NotLookedAt('says too much before TLS stands');
      if (stage === 'sealed') this.readSealedMessage(kind, message);
      else this.readClearMessage(kind, message);
      if (this.stage !== stage && this.begun.length > 0) throw new NotLookedAt('says what is no handshake');
    }
  }

  private readClearMessage(kind: number, message: Buffer): void {
    if (kind === HELLO) this.readHello(message);
    else if (kind === CERTIFICATE && this.is12) limitCertificates(listOf(message, 0));
    else if (!OTHERS_OF_12.includes(kind)) throw new NotLookedAt('says what is no handshake');
  }

  private readSealedMessage(kind: number, message: Buffer): void {
    if (kind === FINISHED) this.stage = 'over';
    else if (kind === CERTIFICATE) limitCertificates(listOf(message.subarray(1 + (message[0] ?? 0)), 2));
    else if (!OTHERS_OF_13.includes(kind)) throw new NotLookedAt('says what is no handshake');
  }

  /** Version, 32 random bytes, a session, a suite, a compression, and extensions. */
  private readHello(hello: Buffer): void {
    const suiteAt = 35 + (hello[34] ?? 0);
    if (hello.length < suiteAt + 3 || hello.readUInt16BE(0) !== VERSION_12)
      throw new NotLookedAt('says no hello');
    const version = supportedVersion(hello.subarray(suiteAt + 3));
    // By its random bytes alone it is of TLS 1.3 to OpenSSL.
    const asksAgain = hello.subarray(2, 34).toString('hex') === ASKS_AGAIN;
    if (version === null && !asksAgain) {
      this.is12 = true;
      return;
    }
    if (version !== VERSION_13 || this.is12) throw new NotLookedAt('says another version of TLS');
    if (asksAgain) return;
    this.stage = 'sealed';
    this.suite = SUITES[hello.readUInt16BE(suiteAt)];
    if (!this.suite) throw new NotLookedAt('says an unknown cipher');
  }
}

function openedBy(decipher: DecipherGCM, sealed: Buffer): Buffer {
  try {
    return Buffer.concat([decipher.update(sealed), decipher.final()]);
  } catch {
    throw new NotLookedAt('is sealed with another key');
  }
}

/** @param extensions with their length in front, as a hello has them @returns what it says instead of its own version */
function supportedVersion(extensions: Buffer): number | null {
  for (let at = 2; at + 4 <= extensions.length; at += 4 + extensions.readUInt16BE(at + 2)) {
    if (extensions.readUInt16BE(at) !== SUPPORTED_VERSIONS) continue;
    return at + 6 <= extensions.length ? extensions.readUInt16BE(at + 4) : 0;
  }
  return null;
}

/** @param extensionBytes of the length of what follows each certificate, none in TLS 1.2 */
function listOf(list: Buffer, extensionBytes: 0 | 2): Uint8Array[] {
  const certificates: Uint8Array[] = [];
  for (let at = 3; at < list.length;) {
    const end = at + 3 + (at + 3 <= list.length ? list.readUIntBE(at, 3) : Infinity);
    if (end + extensionBytes > list.length) throw new NotLookedAt('says no list of certificates');
    certificates.push(list.subarray(at + 3, end));
    at = end + extensionBytes + (extensionBytes > 0 ? list.readUInt16BE(end) : 0);
  }
  return certificates;
}

/** HKDF-Expand-Label (RFC 8446, 7.1), of one block at most. */
function expanded({ hash }: Suite, secret: Buffer, label: string, bytes: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Buffer.from([0, bytes, name.length]), name, Buffer.from([0, 1])]);
  return createHmac(hash, secret).update(info).digest().subarray(0, bytes);
}
