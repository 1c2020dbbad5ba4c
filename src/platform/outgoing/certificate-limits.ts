/** An honest server shows its own, up to three of those that signed it, and sometimes the last one's. */
const MAX_CERTIFICATES = 6;
/** RSA of 4,096 bits, and the byte that says that a number is positive. */
const MAX_MODULUS_BYTES = 513;
/** 65,537 has three. */
const MAX_EXPONENT_BYTES = 4;

/** Of a name, and of what a certificate says of the names below it: each of one is compared with each of the other. */
const MAX_NAME_BYTES = 1_024;
const MAX_CONSTRAINTS_BYTES = 1_024;

const [BOOLEAN, INTEGER, BIT_STRING, OCTETS, OBJECT_ID, SEQUENCE] = [0x01, 0x02, 0x03, 0x04, 0x06, 0x30];
/** By their places: what is optional, or one of several. */
const [FIRST, UNIQUE_1, UNIQUE_2, EXTENSIONS] = [0xa0, 0x81, 0x82, 0xa3];
const VERSION = FIRST;
/** Object identifiers of extensions (RFC 5280, 4.2.1). */
const NAME_CONSTRAINTS = '551d1e';
const DISTRIBUTION_POINTS = '551d1f';
/** Object identifiers of keys (RFC 5480, 8017, 8410). */
const EC = '2a8648ce3d0201';
const RSA = ['2a864886f70d010101', '2a864886f70d01010a'];
const ED25519 = '2b6570';
const P256 = '2a8648ce3d030107';
const P384 = '2b81040022';
/** Of a point as both numbers: of the one alone the other would have to be found. */
const UNCOMPRESSED = 4;

interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
}

/** Reads DER (X.690) one element after the other. What is no DER, or not what was expected, ends it. */
class Der {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  peek(): number | undefined {
    return this.bytes[this.at];
  }

  next(expected?: number): Element {
    const tag = this.byte();
    if (expected !== undefined && tag !== expected) throw new NotLookedAt('is no certificate');
    let length = this.byte();
    if (length >= 0x80) {
      const bytes = length - 0x80;
      // 0 is a length without an end, which DER does not have.
      if (bytes === 0 || bytes > 3) throw new NotLookedAt('is no certificate');
      length = 0;
      for (let i = 0; i < bytes; i += 1) length = length * 256 + this.byte();
    }
    const end = this.at + length;
    if (end > this.bytes.length) throw new NotLookedAt('is no certificate');
    const content = this.bytes.subarray(this.at, end);
    this.at = end;
    return { tag, content };
  }

  inside(expected: number): Der {
    return new Der(this.next(expected).content);
  }

  private byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new NotLookedAt('is no certificate');
    this.at += 1;
    return byte;
  }
}

/** What a server shows costs more to look at than an honest one's, or is nothing that can be looked at. */
export class NotLookedAt extends Error {
  override readonly name = 'NotLookedAt';
  readonly code = 'ERR_TLS_NOT_LOOKED_AT';
}

/**
 * What OpenSSL decodes, compares and verifies costs it milliseconds for each certificate, by what stands in it: 0.3 s where the key
 * brings a curve of its own, seconds where a thousand places to find revocations are said in terms of a name with a thousand parts. So
 * before it has them there are few, their keys are of kinds that cost a millisecond at most, and what is long in none is short.
 * @param certificates as DER
 * @throws NotLookedAt where one is beyond that, or there are too many
 */
export function limitCertificates(certificates: readonly Uint8Array[]): void {
  if (certificates.length > MAX_CERTIFICATES) throw new NotLookedAt('shows too many certificates');
  for (const certificate of certificates) limitCertificate(certificate);
}

/** RFC 5280, 4.1: its parts have one order, which OpenSSL holds to as well. */
function limitCertificate(certificate: Uint8Array): void {
  const signed = new Der(certificate).inside(SEQUENCE).inside(SEQUENCE);
  if (signed.peek() === VERSION) signed.next();
  signed.next(INTEGER);
  // The signature's algorithm; who signed it; for how long; whose it is.
  for (const most of [Infinity, MAX_NAME_BYTES, Infinity, MAX_NAME_BYTES])
    if (signed.next(SEQUENCE).content.length > most) throw new NotLookedAt('has a name that is too long');
  limitKey(signed.inside(SEQUENCE));
  for (const unique of [UNIQUE_1, UNIQUE_2]) if (signed.peek() === unique) signed.next();
  if (signed.isAtEnd) return;
  const extensions = signed.inside(EXTENSIONS).inside(SEQUENCE);
  while (!extensions.isAtEnd) limitExtension(extensions.inside(SEQUENCE));
  if (!signed.isAtEnd) throw new NotLookedAt('is no certificate');
}

function limitExtension(extension: Der): void {
  const kind = hex(extension.next(OBJECT_ID));
  if (extension.peek() === BOOLEAN) extension.next();
  const { content } = extension.next(OCTETS);
  if (kind === NAME_CONSTRAINTS && content.length > MAX_CONSTRAINTS_BYTES)
    throw new NotLookedAt('has too many constraints of names');
  if (kind === DISTRIBUTION_POINTS) limitPoints(new Der(content).inside(SEQUENCE));
}

/** Each in full, not in terms of the name of who signed: of that OpenSSL makes a copy for each. */
function limitPoints(points: Der): void {
  while (!points.isAtEnd) {
    const point = points.inside(SEQUENCE);
    if (point.peek() === FIRST && point.inside(FIRST).peek() !== FIRST)
      throw new NotLookedAt('says where revocations are in terms of a name');
  }
}

function limitKey(key: Der): void {
  const algorithm = key.inside(SEQUENCE);
  const kind = hex(algorithm.next(OBJECT_ID));
  const [unusedBits, ...bits] = key.next(BIT_STRING).content;
  if (unusedBits !== 0) throw new NotLookedAt('has a key of unknown length');
  const isFine =
    (kind === EC && isKnownCurve(algorithm) && bits[0] === UNCOMPRESSED) ||
    (RSA.includes(kind) && isShortRsa(Uint8Array.from(bits))) ||
    kind === ED25519;
  if (!isFine)
    throw new NotLookedAt('has a key of another kind than RSA of 4,096 bits, P-256, P-384 or Ed25519');
}

function isKnownCurve(algorithm: Der): boolean {
  // A curve of its own is no name.
  if (algorithm.peek() !== OBJECT_ID) return false;
  const curve = hex(algorithm.next(OBJECT_ID));
  return curve === P256 || curve === P384;
}

function isShortRsa(bits: Uint8Array): boolean {
  const numbers = new Der(bits).inside(SEQUENCE);
  const [modulus, exponent] = [numbers.next(INTEGER).content, numbers.next(INTEGER).content];
  return modulus.length <= MAX_MODULUS_BYTES && exponent.length <= MAX_EXPONENT_BYTES;
}

function hex({ content }: Element): string {
  return Buffer.from(content).toString('hex');
}
