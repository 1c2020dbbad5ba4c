import ipaddr from 'ipaddr.js';
import { before } from '../../kernel/lookups.js';

/**
 * Whom a limit per IP address counts: IPv4 as it is, IPv6 by its /64, because a single subscriber is given that many
 * addresses to choose from. What is no address (a proxy may pass on whatever the client has sent) is 'unknown'.
 */
export function clientIp(ip: string | undefined): string {
  const text = ip?.split('%', 1)[0] ?? ''; // a link-local address brings its zone
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).toString();
  if (!ipaddr.IPv6.isValid(text)) return 'unknown';
  const address = ipaddr.IPv6.parse(text);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/** How many of something a block of addresses may have: a larger one twice as many, because several homes may be in it. */
export interface BlockLimit {
  readonly block: string;
  readonly most: number;
}

/** @param limit of what `clientIp` counts as one */
export function blockLimits(subject: string, limit: number): readonly BlockLimit[] {
  return ipBlocks(subject).map((block, i) => ({ block, most: limit * 2 ** i }));
}

/** The subject of `clientIp` and the larger networks around it: /64, /56 and /48 of IPv6, of which one subscriber has many. */
export function ipBlocks(subject: string): readonly string[] {
  const groups = before('::/64', subject).split(':');
  if (!subject.endsWith('::/64') || groups.length !== 4) return [subject];
  const [a, b, c, d = '0'] = groups;
  const upper = (parseInt(d, 16) & 0xff00).toString(16);
  return [subject, `${a}:${b}:${c}:${upper}::/56`, `${a}:${b}:${c}::/48`];
}
