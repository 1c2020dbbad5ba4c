import ipaddr from 'ipaddr.js';
import { GLOBAL_IPV6, REFUSED_IPV4, REFUSED_IPV6 } from './refused-ranges.js';

export interface AddressPolicy {
  /** The sandbox's receivers live on this machine; nothing else private is open to it either. */
  readonly sandbox: boolean;
}

const refusedIpv4 = REFUSED_IPV4.map((range) => ipaddr.IPv4.parseCIDR(range));
const refusedIpv6 = REFUSED_IPV6.map((range) => ipaddr.IPv6.parseCIDR(range));
const globalIpv6 = ipaddr.IPv6.parseCIDR(GLOBAL_IPV6);
const loopbackIpv4 = ipaddr.IPv4.parseCIDR('127.0.0.0/8');
const loopbackIpv6 = ipaddr.IPv6.parseCIDR('::1/128');

/**
 * Whether a webhook may be sent to this address. Takes the canonical text that a resolver or `new URL` gives
 * ("192.0.2.1", "2001:db8::1", no brackets); anything else, a zone included, is refused.
 */
export function mayReach(address: string, { sandbox }: AddressPolicy): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    const ip = ipaddr.IPv4.parse(address);
    if (sandbox && ip.match(loopbackIpv4)) return true;
    return !refusedIpv4.some((range) => ip.match(range));
  }
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return false;
  const ip = ipaddr.IPv6.parse(address);
  if (sandbox && ip.match(loopbackIpv6)) return true;
  return ip.match(globalIpv6) && !isIsatap(ip) && !refusedIpv6.some((range) => ip.match(range));
}

/** ISATAP (RFC 5214) hides an IPv4 address in the last 32 bits of any prefix, behind 0:5efe or 200:5efe. */
function isIsatap(ip: ipaddr.IPv6): boolean {
  return ((ip.parts[4] ?? 0) & 0xfdff) === 0 && ip.parts[5] === 0x5efe;
}
