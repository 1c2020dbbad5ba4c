import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import {
  der,
  integer,
  key,
  keyOfOwnCurve,
  oid,
  unsigned,
} from '../../../test/support/servers/costly-certificates.mjs';
import { CERTIFICATE, RSA_CERTIFICATE } from '../../../test/support/servers/shop-certificate.js';
import { limitCertificates } from './certificate-limits.js';

const spki = (kind: 'ec' | 'rsa' | 'ed25519', options: object): Buffer =>
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- one call for kinds that Node types apart
  (generateKeyPairSync as any)(kind, options).publicKey.export({ type: 'spki', format: 'der' });
const SEQUENCE = 0x30;
const rsa = (modulusBytes: number, exponentBytes: number) => {
  const number = (bytes: number) => integer(BigInt(`0x7f${'ff'.repeat(bytes - 1)}`));
  const numbers = der(SEQUENCE, number(modulusBytes), number(exponentBytes));
  return key(der(SEQUENCE, oid('2a864886f70d010101'), der(5)), numbers);
};

it.each([
  ['P-256', spki('ec', { namedCurve: 'P-256' })],
  ['P-384', spki('ec', { namedCurve: 'P-384' })],
  ['Ed25519', spki('ed25519', {})],
  ['RSA of 2,048 bits', spki('rsa', { modulusLength: 2_048 })],
  ['RSA of 4,096 bits', spki('rsa', { modulusLength: 4_096 })],
])('looks at a certificate of %s', (_, publicKey) => {
  expect(() => limitCertificates([unsigned(publicKey)])).not.toThrow();
});

it.each([
  ['a curve of its own', keyOfOwnCurve()],
  ['a slow curve', spki('ec', { namedCurve: 'sect571r1' })],
  ['P-521', spki('ec', { namedCurve: 'P-521' })],
  ['RSA of 4,104 bits', rsa(514, 3)],
  ['RSA with a long exponent', rsa(384, 5)],
  ['DSA', key(der(SEQUENCE, oid('2a8648ce380401')), integer(5n))],
  [
    'one number of a point',
    key(der(SEQUENCE, oid('2a8648ce3d0201'), oid('2a8648ce3d030107')), Buffer.alloc(33, 2)),
  ],
])('looks at none of %s', (_, publicKey) => {
  expect(() => limitCertificates([unsigned(publicKey)])).toThrow('has a key of another kind');
});

const P256 = spki('ec', { namedCurve: 'P-256' });
const OCTETS = 4;
const extension = (kind: string, ...value: Buffer[]) =>
  der(SEQUENCE, oid(kind), der(OCTETS, der(SEQUENCE, ...value)));
const point = (...name: Buffer[]) => der(SEQUENCE, der(0xa0, ...name));
const points = (count: number, name: Buffer) =>
  extension('551d1f', ...Array<Buffer>(count).fill(point(name)));
const names = (bytes: number) => extension('551d11', Buffer.alloc(bytes, 5));
const constraints = (bytes: number) => extension('551d1e', Buffer.alloc(bytes, 5));
/** A name of one part, whose tag has two bytes. */
const LONG_TAG = Buffer.from([0xbf, 0, 0, 0]);
const NAMES = der(0xa0, der(0x86, Buffer.from('https://ca.example/1.crl')));

it('looks at one that says in full where revocations are, and whose name is long', () => {
  const said = [points(16, NAMES), constraints(2_000), names(1_000)];
  expect(() =>
    limitCertificates([unsigned(P256, { extensions: said, issuer: Buffer.alloc(1_000, 5) })]),
  ).not.toThrow();
});

it.each([
  ['says where revocations are in terms of a name', { extensions: [points(1, NAMES), points(1, der(0xa1))] }],
  ['says where revocations are in terms of a name', { extensions: [extension('551d1f', point(der(0xa1)))] }],
  ['says too many places where revocations are', { extensions: [points(17, NAMES)] }],
  ['has too many constraints for its names', { extensions: [names(3_000), constraints(1_500)] }],
  ['has too many extensions', { extensions: Array<Buffer>(33).fill(names(1)) }],
  ['says blocks of addresses', { extensions: [extension('2b06010505070107')] }],
  ['is no certificate', { extensions: [extension('551d1f', der(SEQUENCE, LONG_TAG))] }],
  ['is no certificate', { extensions: [extension('551d1f', der(SEQUENCE, der(0xa0, NAMES), NAMES))] }],
  ['has a name that is too long', { issuer: Buffer.alloc(1_100, 5) }],
])('looks at none that %s', (why, said) => {
  expect(() => limitCertificates([unsigned(P256, said)])).toThrow(why);
});

it('looks at how long each is and the signers’ together, and at what one says of another’s names', () => {
  const [own, long] = [3_000, 3_800].map((bytes) => unsigned(P256, { extensions: [names(bytes)] }));
  const constraining = unsigned(P256, { extensions: [constraints(1_500)] });
  if (!own || !long) throw new Error('nothing was made');
  expect(() => limitCertificates([unsigned(P256, { extensions: [names(8_900)] }), long, own])).not.toThrow();
  expect(() => limitCertificates([own, unsigned(P256, { extensions: [names(4_200)] })])).toThrow('too long');
  expect(() => limitCertificates([unsigned(P256, { extensions: [names(9_200)] })])).toThrow('too long');
  expect(() => limitCertificates([own, ...Array<Buffer>(4).fill(long)])).toThrow('too long');
  expect(() => limitCertificates([own, constraining])).toThrow('has too many constraints for its names');
});

it('looks at six, and at no more', () => {
  const one = unsigned(spki('ec', { namedCurve: 'P-256' }));
  expect(() => limitCertificates(Array(6).fill(one))).not.toThrow();
  expect(() => limitCertificates(Array(7).fill(one))).toThrow('too many');
});

it('looks at those that real authorities have, and at the tests’ own', () => {
  const known = [...rootCertificates, CERTIFICATE, RSA_CERTIFICATE].map((pem) => new X509Certificate(pem));
  const refused = known.filter(({ raw }) => {
    try {
      limitCertificates([raw]);
      limitCertificates([unsigned(P256), raw]);
      return false;
    } catch {
      return true;
    }
  });
  expect(refused.map(({ subject }) => subject)).toEqual([]);
});

it.each([
  ['nothing', Buffer.alloc(0)],
  ['what is cut off', unsigned(spki('ec', { namedCurve: 'P-256' })).subarray(0, 100)],
  ['a length without an end', Buffer.from([SEQUENCE, 0x80, 0, 0])],
  ['a length of four bytes', Buffer.from([SEQUENCE, 0x84, 0, 0, 0, 1, 0])],
  ['something else', der(SEQUENCE, der(SEQUENCE, der(SEQUENCE)))],
])('looks no further at %s', (_, bytes) => {
  expect(() => limitCertificates([bytes])).toThrow('is no certificate');
});
