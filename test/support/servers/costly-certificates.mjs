// Certificates that are long to read for what they weigh, made by hand, because no library makes one that nobody has. What
// they say is ASN.1 in DER, as RFC 5280 and RFC 3279 have it.
import { checkPrimeSync } from 'node:crypto';

const [INTEGER, BITS, OCTETS, OID, TIME, SEQUENCE, EXTENSIONS] = [2, 3, 4, 6, 0x17, 0x30, 0xa3];
/** Of a point that is its first number alone. */
const COMPRESSED = 2;

function lengthOf({ length }) {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
}

/** @returns an element of DER */
export function der(tag, ...parts) {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content), content]);
}

export const oid = (hex) => der(OID, Buffer.from(hex, 'hex'));
const bytesOf = (number, length) => Buffer.from(number.toString(16).padStart(2 * length, '0'), 'hex');
const lengthIn = (number) => Math.ceil(number.toString(2).length / 8);

/** @param {bigint} number */
export function integer(number) {
  const bytes = bytesOf(number, lengthIn(number));
  return der(INTEGER, bytes[0] & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

/** A prime by which the square root takes longest: many times two divides the number below it. */
function slowPrime() {
  let factor = (1n << 20n) + 1n;
  while (!checkPrimeSync((factor << 640n) + 1n)) factor += 2n;
  return (factor << 640n) + 1n;
}

/** @returns what a certificate says of its key: one on a curve that it brings along, each point of which costs a square root */
export function keyOfOwnCurve() {
  const prime = slowPrime();
  const point = Buffer.concat([Buffer.from([COMPRESSED]), bytesOf(0n, lengthIn(prime))]);
  const field = der(SEQUENCE, oid('2a8648ce3d0101'), integer(prime));
  const curve = der(SEQUENCE, der(OCTETS, Buffer.from([0])), der(OCTETS, Buffer.from([9])));
  const own = der(SEQUENCE, integer(1n), field, curve, der(OCTETS, point), integer(prime));
  return key(der(SEQUENCE, oid('2a8648ce3d0201'), own), point);
}

/** @param algorithm in DER @param bits of the key */
export const key = (algorithm, bits) => der(SEQUENCE, algorithm, der(BITS, Buffer.from([0]), bits));

/**
 * Its second argument is what else it says, in DER.
 * @returns a certificate of that key, in DER, which nobody has signed
 */
export function unsigned(key, { issuer = Buffer.alloc(0), extensions = /** @type {Buffer[]} */ ([]) } = {}) {
  const signature = der(SEQUENCE, oid('2a8648ce3d040302'));
  const time = der(TIME, Buffer.from('250101000000Z'));
  const empty = der(SEQUENCE);
  const last = extensions.length > 0 ? [der(EXTENSIONS, der(SEQUENCE, ...extensions))] : [];
  const said = der(
    SEQUENCE,
    integer(5n),
    signature,
    der(SEQUENCE, issuer),
    der(SEQUENCE, time, time),
    empty,
    key,
    ...last,
  );
  return der(SEQUENCE, said, signature, der(BITS, Buffer.from([0, 0])));
}

/** @returns the certificates of a server, as PEM, with as many behind them that are in nobody's chain and each take 0.3 s to read */
export function withCostlyOnes(certificates, count = 5) {
  const text = unsigned(keyOfOwnCurve())
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n');
  const one = `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`;
  return [certificates, ...Array(count).fill(one)].join('\n');
}
