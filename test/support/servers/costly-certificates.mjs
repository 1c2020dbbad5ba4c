// Certificates that are long to verify for what they weigh, made by hand: nobody has to have signed anything, and no library
// makes one that nobody has. What they say is ASN.1 in DER, as RFC 5280 has it.
import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** The slowest of the curves that OpenSSL knows, for each byte. */
const SLOW_CURVE = 'sect571r1';
const SCALAR_BYTES = 71;
/** As many as fit, with the rest of the handshake, into the 16 KiB that our clients take. */
const LONGEST_CHAIN = 33;

const [INTEGER, BITS, OCTETS, OID, TEXT, TIME, SET, SEQUENCE] = [2, 3, 4, 6, 0x0c, 0x17, 0x31, 0x30];
const [BOOLEAN, VERSION, EXTENSIONS] = [1, 0xa0, 0xa3];
const YES = Buffer.from([0xff]);

function lengthOf({ length }) {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
}

function der(tag, ...parts) {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content), content]);
}

const oid = (hex) => der(OID, Buffer.from(hex, 'hex'));
const bits = (bytes) => der(BITS, Buffer.from([0]), bytes);
const name = (text) => der(SEQUENCE, der(SET, der(SEQUENCE, oid('550403'), der(TEXT, Buffer.from(text)))));
const time = (text) => der(TIME, Buffer.from(text));

const ECDSA_WITH_SHA256 = der(SEQUENCE, oid('2a8648ce3d040302'));
const IS_AUTHORITY = der(
  SEQUENCE,
  oid('551d13'),
  der(BOOLEAN, YES),
  der(OCTETS, der(SEQUENCE, der(BOOLEAN, YES))),
);

/** Of the order of magnitude of a true one, so that it is not refused before it is verified. */
function scalar() {
  const bytes = randomBytes(SCALAR_BYTES);
  bytes[0] = 1;
  return der(INTEGER, bytes);
}

function certificate(subject, issuer, publicKey) {
  const toBeSigned = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name(issuer),
    der(SEQUENCE, time('250101000000Z'), time('350101000000Z')),
    name(subject),
    publicKey,
    der(EXTENSIONS, der(SEQUENCE, IS_AUTHORITY)),
  );
  const signature = bits(der(SEQUENCE, scalar(), scalar()));
  const text = der(SEQUENCE, toBeSigned, ECDSA_WITH_SHA256, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${text.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`;
}

const spki = ({ publicKey }) => publicKey.export({ type: 'spki', format: 'der' });

/** @returns key and certificates of a server, each said to be signed by the next one's key, and none of them signed */
export function costlyCertificates(length = LONGEST_CHAIN) {
  const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const slow = spki(generateKeyPairSync('ec', { namedCurve: SLOW_CURVE }));
  const authorities = Array.from({ length }, (_, i) => certificate(String(i), String(i + 1), slow));
  return {
    key: leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: [certificate('leaf', '0', spki(leaf)), ...authorities].join(''),
  };
}
