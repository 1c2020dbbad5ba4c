import { createHash } from 'node:crypto';
import { mayReach } from '../../../src/modules/webhooks/domain/address-policy.js';
import { judgeEndpointUrl } from '../../../src/modules/webhooks/domain/endpoint-url.js';
import { runsOf, seedOf } from '../../support/run/seed.js';
import {
  isPublicV4,
  isPublicV6,
  NOT_PUBLIC_V4,
  NOT_PUBLIC_V6,
} from '../../support/servers/address-oracle.js';

/** `npm run prove:webhooks` takes a million. */
const ADDRESSES = runsOf('ADDRESSES', 50_000);
const SEED = seedOf('SEED', 'ADDRESSES');
const PRODUCTION = { sandbox: false };
jest.setTimeout(600_000);

/** 32 random bits at a time, the same for the same seed. */
function* random(seed: number): Generator<bigint, never> {
  for (let block = 0; ; block++) {
    const bytes = createHash('sha512').update(`${seed}.${block}`).digest();
    for (let at = 0; at < 64; at += 4) yield BigInt(bytes.readUInt32BE(at));
  }
}
const chance = random(SEED);
const bits32 = () => chance.next().value;
const bits128 = () => (bits32() << 96n) | (bits32() << 64n) | (bits32() << 32n) | bits32();
const pick = <T>(from: readonly T[]): T => from[Number(bits32() % BigInt(from.length))] as T;

/** At a range's two edges and up to three beyond, where a mistake of one bit shows. */
function nearEdge(ranges: readonly { start: bigint; bits: number }[], width: number): bigint {
  const { start, bits } = pick(ranges);
  const size = 1n << BigInt(width - bits);
  const edge = bits32() % 2n === 0n ? start : start + size - 1n;
  const modulus = 1n << BigInt(width);
  return (edge + (bits32() % 7n) - 3n + modulus) % modulus;
}

/** Somewhere inside a range. */
function inside(ranges: readonly { start: bigint; bits: number }[], width: number): bigint {
  const { start, bits } = pick(ranges);
  return start + (bits128() & ((1n << BigInt(width - bits)) - 1n));
}

const anyV4 = () =>
  pick([bits32, () => nearEdge(NOT_PUBLIC_V4, 32), () => inside(NOT_PUBLIC_V4, 32)])() & 0xffffffffn;

/** Every way in which IPv6 carries an IPv4 address, around one of any kind. */
const carriers: readonly ((ip: bigint) => bigint)[] = [
  (ip) => ip, // IPv4-compatible
  (ip) => (0xffffn << 32n) | ip, // IPv4-mapped
  (ip) => (0xffff0000n << 32n) | ip, // SIIT
  (ip) => (0x64ff9bn << 96n) | ip, // NAT64
  (ip) => (0x64ff9b0001n << 80n) | ip, // NAT64 for local use
  (ip) => (0x2002n << 112n) | (ip << 80n), // 6to4
  (ip) => (0x20010000n << 96n) | (bits32() << 64n) | (ip ^ 0xffffffffn), // Teredo
  (ip) => (pick([0x2600n, 0x2a00n, 0x2001_0470n >> 16n]) << 112n) | (0x5efen << 32n) | ip, // ISATAP
  (ip) => (0x2600n << 112n) | (0x02005efen << 32n) | ip, // ISATAP with its universal bit
];

const anyV6 = (): bigint =>
  pick([
    () => (0x2n << 124n) | (bits128() >> 4n), // global unicast, where most of it must be open
    bits128,
    () => nearEdge(NOT_PUBLIC_V6, 128),
    () => inside(NOT_PUBLIC_V6, 128),
    () => pick(carriers)(anyV4()),
    () => bits128() >> BigInt(Number(bits32() % 128n)), // runs of zeros, which spellings shorten
  ])();

const dotted = (ip: bigint) => [24n, 16n, 8n, 0n].map((shift) => (ip >> shift) & 255n).join('.');
const groupsOf = (ip: bigint) =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((ip >> shift) & 0xffffn).toString(16));

/** One of the spellings that a resolver, a person or an attacker writes. */
function spelling(ip: bigint): string {
  const groups = groupsOf(ip);
  return pick([
    () => groups.join(':'),
    () => groups.map((group) => group.padStart(4, '0')).join(':'),
    () => groups.join(':').toUpperCase(),
    () => `${groups.slice(0, 6).join(':')}:${dotted(ip & 0xffffffffn)}`,
    // As `new URL` writes it, which is what is dialled.
    () => new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1),
  ])();
}

describe(`against an oracle that shares nothing with it, over ${ADDRESSES} addresses (SEED=${SEED})`, () => {
  it('reaches the same IPv4 addresses, and no other', () => {
    const wrong: string[] = [];
    let open = 0;
    for (let i = 0; i < ADDRESSES / 2; i++) {
      const ip = anyV4();
      const verdict = mayReach(dotted(ip), PRODUCTION);
      open += Number(verdict);
      if (verdict !== isPublicV4(ip)) wrong.push(dotted(ip));
    }
    expect(wrong).toEqual([]);
    expect(open).toBeGreaterThan(ADDRESSES / 20);
  });

  it('reaches the same IPv6 addresses in every spelling, and no other', () => {
    const wrong: string[] = [];
    let open = 0;
    for (let i = 0; i < ADDRESSES / 2; i++) {
      const ip = anyV6();
      const text = spelling(ip);
      const verdict = mayReach(text, PRODUCTION);
      open += Number(verdict);
      if (verdict !== isPublicV6(ip)) wrong.push(text);
    }
    expect(wrong).toEqual([]);
    expect(open).toBeGreaterThan(ADDRESSES / 20);
  });

  it('judges a URL by the address that its host spells, whatever the spelling', () => {
    const wrong: string[] = [];
    for (let i = 0; i < ADDRESSES / 10; i++) {
      const ip = anyV4();
      const [a, b, c, d] = [24n, 16n, 8n, 0n].map((shift) => (ip >> shift) & 255n) as [
        bigint,
        bigint,
        bigint,
        bigint,
      ];
      const hex = (n: bigint) => `0x${n.toString(16)}`;
      const octal = (n: bigint) => `0${n.toString(8)}`;
      const host = pick([
        () => dotted(ip),
        () => String(ip),
        () => hex(ip),
        () => octal(ip),
        () => `${hex(a)}.${octal(b)}.${c}.${hex(d)}`,
        () => `${a}.${b}.${c * 256n + d}`,
        () => `${a}.${(b << 16n) | (c << 8n) | d}`,
        () => dotted(ip).replaceAll('.', '。'),
        () => dotted(ip).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
        () => dotted(ip).replace(/[1-9]/g, (digit) => String.fromCodePoint(0x2460 + Number(digit) - 1)),
        () => dotted(ip).replace(/\d/g, (digit) => `%3${digit}`),
      ])();
      if (judgeEndpointUrl(`https://${host}/`, PRODUCTION).ok !== isPublicV4(ip)) wrong.push(host);
    }
    expect(wrong).toEqual([]);
  });
});
