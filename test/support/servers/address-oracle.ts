/**
 * Which addresses are public, written from IANA's registries as a plain table of numbers and compared by prefix on
 * BigInts: it shares no line, no library and no method with the policy that it judges.
 *
 * Sources: IANA IPv4 and IPv6 Special-Purpose Address Registries, IPv4 Multicast Address Space, IPv6 Global Unicast
 * assignments (RFC 6890, 8190, 5771, 3513, 5156).
 */
interface Range {
  readonly start: bigint;
  readonly bits: number;
  readonly name: string;
}

const v4 = (a: number, b: number, c: number, d: number, bits: number, name: string): Range => ({
  start: BigInt(((a * 256 + b) * 256 + c) * 256 + d),
  bits,
  name,
});

/** Not globally reachable, or not a host at all. */
export const NOT_PUBLIC_V4: readonly Range[] = [
  v4(0, 0, 0, 0, 8, 'this network (RFC 791)'),
  v4(10, 0, 0, 0, 8, 'private use (RFC 1918)'),
  v4(100, 64, 0, 0, 10, 'shared address space (RFC 6598)'),
  v4(127, 0, 0, 0, 8, 'loopback (RFC 1122)'),
  v4(168, 63, 129, 16, 32, 'metadata of a cloud, outside the registry'),
  v4(169, 254, 0, 0, 16, 'link local (RFC 3927)'),
  v4(172, 16, 0, 0, 12, 'private use (RFC 1918)'),
  v4(192, 0, 0, 0, 24, 'IETF protocol assignments (RFC 6890); its two reachable hosts are no receivers'),
  v4(192, 0, 2, 0, 24, 'TEST-NET-1 (RFC 5737)'),
  v4(192, 88, 99, 0, 24, 'deprecated 6to4 relay (RFC 7526)'),
  v4(192, 168, 0, 0, 16, 'private use (RFC 1918)'),
  v4(198, 18, 0, 0, 15, 'benchmarking (RFC 2544)'),
  v4(198, 51, 100, 0, 24, 'TEST-NET-2 (RFC 5737)'),
  v4(203, 0, 113, 0, 24, 'TEST-NET-3 (RFC 5737)'),
  v4(224, 0, 0, 0, 4, 'multicast (RFC 5771)'),
  v4(240, 0, 0, 0, 4, 'reserved (RFC 1112) and limited broadcast'),
];

const v6 = (groups: readonly number[], bits: number, name: string): Range => ({
  start: [0, 1, 2, 3, 4, 5, 6, 7].reduce((sum, i) => sum * 65_536n + BigInt(groups[i] ?? 0), 0n),
  bits,
  name,
});

/** What the registry marks, and the ways in which IPv4 hides in IPv6. */
export const NOT_PUBLIC_V6: readonly Range[] = [
  v6([0], 8, 'unspecified, loopback, IPv4-compatible, IPv4-mapped, SIIT, NAT64 (RFC 4291, 6145, 6052, 8215)'),
  v6([0x100], 8, 'discard-only (RFC 6666), and the rest of what was never assigned there'),
  v6([0x200], 7, 'NSAP (RFC 4048), not assigned'),
  v6([0x400], 6, 'not assigned'),
  v6([0x800], 5, 'not assigned'),
  v6([0x1000], 4, 'not assigned'),
  v6([0x2001], 23, 'IETF protocol assignments: Teredo, benchmarking, AMT, AS112, ORCHID, DETs (RFC 2928)'),
  v6([0x2001, 0xdb8], 32, 'documentation (RFC 3849)'),
  v6([0x2002], 16, '6to4 (RFC 3056)'),
  v6([0x3fff], 20, 'documentation (RFC 9637)'),
  v6([0x4000], 2, 'not assigned; segment routing SIDs 5f00::/16 (RFC 9602)'),
  v6([0x8000], 1, 'not assigned; unique local, link local, site local, multicast'),
];

const within = (address: bigint, width: number, { start, bits }: Range) =>
  address >> BigInt(width - bits) === start >> BigInt(width - bits);

export function isPublicV4(address: bigint): boolean {
  return !NOT_PUBLIC_V4.some((range) => within(address, 32, range));
}

/** ISATAP (RFC 5214): bits 64 to 95 are 0000:5efe or 0200:5efe, in any prefix. */
export function isPublicV6(address: bigint): boolean {
  const identifier = (address >> 32n) & 0xffffffffn;
  const isatap = identifier === 0x5efen || identifier === 0x02005efen;
  return !isatap && !NOT_PUBLIC_V6.some((range) => within(address, 128, range));
}
