/**
 * IPv4 that a webhook never reaches: everything that IANA's special-purpose registry does not call globally
 * reachable, and the two "public" addresses behind which clouds keep their metadata.
 */
export const REFUSED_IPV4 = [
  '0.0.0.0/8', // "this network": Linux connects it to itself
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; also Alibaba's metadata at 100.100.100.200
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's wire server
  '169.254.0.0/16', // link-local, where most clouds keep their metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; Oracle's metadata at 192.0.0.192
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
] as const;

/**
 * Global unicast is the only IPv6 that may be reached. What lies outside is refused without a name: unspecified,
 * loopback and IPv4-compatible (::/96), IPv4-mapped (::ffff:0:0/96), SIIT (::ffff:0:0:0/96), NAT64
 * (64:ff9b::/96, 64:ff9b:1::/48), discard (100::/64), SRv6 (5f00::/16), unique local (fc00::/7, with AWS's
 * metadata), link-local (fe80::/10), site-local (fec0::/10), multicast (ff00::/8).
 */
export const GLOBAL_IPV6 = '2000::/3';

/** The parts of global unicast that carry or stand for something else. */
export const REFUSED_IPV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: any IPv4 inside
  '3fff::/20', // documentation
] as const;
