/** An honest server shows its own, up to three of those that signed it, and sometimes the last one's. */
const MAX_CERTIFICATES = 6;
/** RSA of 4,096 bits, and the byte that says that a number is positive. */
const MAX_MODULUS_BYTES = 513;
/** 65,537 has three. */
const MAX_EXPONENT_BYTES = 4;

const MAX_NAME_BYTES = 1_024;
/** Each name is compared with each constraint of names: all that say one, by all that say the other. */
const MAX_NAMES_BY_CONSTRAINTS = 4 * 1_024 * 1_024;
/** A hundred names have some six. Node keeps and tells no session of more than ten, in which the certificate is: its tickets would not be counted. */
const MAX_OWN_BYTES = 9 * 1_024;
/** Of those that have signed: what is long in an honest server's is the names of its own. */
const MAX_SIGNER_BYTES = 4 * 1_024;
const MAX_SIGNERS_BYTES = 12 * 1_024;
/** An honest one has about ten, and each that is asked for is looked for among all. */
const MAX_EXTENSIONS = 32;
/** An honest one names one or two places where revocations are. */
const MAX_POINTS = 16;

const [BOOLEAN, INTEGER, BIT_STRING, OCTETS, OBJECT_ID, SEQUENCE] = [0x01, 0x02, 0x03, 0x04, 0x06, 0x30];
/** Of a tag whose number goes on in the bytes behind it. */
const LONG_TAG = 0x1f;
/** By their places: what is optional, or one of several. */
const [FIRST, UNIQUE_1, UNIQUE_2, EXTENSIONS] = [0xa0, 0x81, 0x82, 0xa3];
const VERSION = FIRST;
/** Of a place where revocations are: for which reasons, and by whom. */
const POINT_OTHERS = [0x81, 0xa2];
/** Object identifiers of extensions (RFC 5280, 4.2.1). */
const ALTERNATIVE_NAMES = '551d11';
const NAME_CONSTRAINTS = '551d1e';
const DISTRIBUTION_POINTS = '551d1f';
/** Blocks of addresses and of systems (RFC 3779), each of which OpenSSL looks for among the signer's: no server of the web has them. */
const BLOCKS = ['2b06010505070107', '2b06010505070108', '2b0601050507011c', '2b0601050507011d'];
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
    if ((tag & LONG_TAG) === LONG_TAG || (expected !== undefined && tag !== expected))
      throw new NotLookedAt('is no certificate');
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

/** Of the names in certificates, and of what others say that names may be, in bytes. */
interface Compared {
  names: number;
  constraints: number;
}

/**
 * What OpenSSL decodes, compares and verifies costs it milliseconds for each certificate, by what stands in it: 0.3 s where the key
 * brings a curve of its own, seconds where a thousand places to find revocations are said in terms of a name with a thousand parts. So
 * before it has them there are few, their keys are of kinds that cost a millisecond at most, and all else that a server could make long is short.
 * @param certificates as DER, the server's own first
 * @throws NotLookedAt where one is beyond that, or there are too many
 */
export function limitCertificates(certificates: readonly Uint8Array[]): void {
  if (certificates.length > MAX_CERTIFICATES) throw new NotLookedAt('shows too many certificates');
  const [own = 0, ...signers] = certificates.map(({ length }) => length);
  const isTooLong =
    own > MAX_OWN_BYTES ||
    signers.some((bytes) => bytes > MAX_SIGNER_BYTES) ||
    total(signers) > MAX_SIGNERS_BYTES;
  if (isTooLong) throw new NotLookedAt('shows certificates that are too long');
  const compared: Compared = { names: 0, constraints: 0 };
  for (const certificate of certificates) limitCertificate(certificate, compared);
  if (compared.names * compared.constraints > MAX_NAMES_BY_CONSTRAINTS)
    throw new NotLookedAt('has too many constraints for its names');
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** RFC 5280, 4.1: its parts have one order, which OpenSSL holds to as well. */
function limitCertificate(certificate: Uint8Array, compared: Compared): void {
  const signed = new Der(certificate).inside(SEQUENCE).inside(SEQUENCE);
  if (signed.peek() === VERSION) signed.next();
  signed.next(INTEGER);
  // The signature's algorithm.
  signed.next(SEQUENCE);
  limitName(signed, compared);
  // For how long.
  signed.next(SEQUENCE);
  limitName(signed, compared);
  limitKey(signed.inside(SEQUENCE));
  for (const unique of [UNIQUE_1, UNIQUE_2]) if (signed.peek() === unique) signed.next();
  if (signed.isAtEnd) return;
  const extensions = signed.inside(EXTENSIONS).inside(SEQUENCE);
  for (let count = 1; !extensions.isAtEnd; count += 1) {
    if (count > MAX_EXTENSIONS) throw new NotLookedAt('has too many extensions');
    limitExtension(extensions.inside(SEQUENCE), compared);
  }
  if (!signed.isAtEnd) throw new NotLookedAt('is no certificate');
}

/** Who signed it, or whose it is. */
function limitName(signed: Der, compared: Compared): void {
  const { length } = signed.next(SEQUENCE).content;
  if (length > MAX_NAME_BYTES) throw new NotLookedAt('has a name that is too long');
  compared.names += length;
}

function limitExtension(extension: Der, compared: Compared): void {
  const kind = hex(extension.next(OBJECT_ID));
  if (extension.peek() === BOOLEAN) extension.next();
  const { content } = extension.next(OCTETS);
  if (kind === ALTERNATIVE_NAMES) compared.names += content.length;
  if (kind === NAME_CONSTRAINTS) compared.constraints += content.length;
  if (kind === DISTRIBUTION_POINTS) limitPoints(new Der(content).inside(SEQUENCE));
  if (BLOCKS.includes(kind)) throw new NotLookedAt('says blocks of addresses');
}

/** Each in full, not in terms of the name of who signed: of that OpenSSL makes a copy for each. */
function limitPoints(points: Der): void {
  for (let count = 1; !points.isAtEnd; count += 1) {
    if (count > MAX_POINTS) throw new NotLookedAt('says too many places where revocations are');
    const point = points.inside(SEQUENCE);
    if (point.peek() === FIRST && point.inside(FIRST).next().tag !== FIRST)
      throw new NotLookedAt('says where revocations are in terms of a name');
    for (const other of POINT_OTHERS) if (point.peek() === other) point.next();
    if (!point.isAtEnd) throw new NotLookedAt('is no certificate');
  }
}

function limitKey(key: Der): void {
  const algorithm = key.inside(SEQUENCE);
  const kind = hex(algorithm.next(OBJECT_ID));
  const { content } = key.next(BIT_STRING);
  const bits = content.subarray(1);
  if (content[0] !== 0) throw new NotLookedAt('has a key of unknown length');
  const isFine =
    (kind === EC && isKnownCurve(algorithm) && bits[0] === UNCOMPRESSED) ||
    (RSA.includes(kind) && isShortRsa(bits)) ||
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
