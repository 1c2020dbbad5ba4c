import { Resolver } from 'node:dns/promises';
import { MOST_ADDRESSES } from '../../../platform/outgoing/name-lookup.js';
import { type AddressPolicy, mayReach } from '../domain/address-policy.js';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Every address of a name. Rejects, or answers with none, when there is none. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** A name leads nowhere, or somewhere that it must not: told apart in the log only, never to the merchant,
 * who could otherwise ask us which internal names exist. */
export class UnreachableNameError extends Error {
  override readonly name = 'UnreachableNameError';
}

const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;

/**
 * Asks the configured name servers itself: of `dns.lookup` the whole process has two under way, and two dead domains
 * would stop everybody's deliveries. Hosts files and search domains do not apply, unlike to the operator's names (ADR 77).
 * @param servers instead of the system's, as `host:port`
 */
export function dnsResolver(servers?: readonly string[]): Resolve {
  return async (hostname) => {
    if (/(^|\.)localhost$/.test(hostname)) return LOOPBACK;
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
    if (servers) resolver.setServers(servers);
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
  };
}

export const resolveByDns = dnsResolver();

/** RFC 6761: these names are this machine, and no name server is asked about them. */
const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}

/**
 * All addresses of a name, which are then the only ones that may be dialled. One address that may not be
 * reached refuses the name: whoever mixes public and private answers is trying something. So do more than an honest name has,
 * none of which is judged.
 * @throws UnreachableNameError
 */
export async function resolveVetted(
  hostname: string,
  resolve: Resolve,
  policy: AddressPolicy,
): Promise<readonly ResolvedAddress[]> {
  const addresses = await resolve(hostname).catch((cause: unknown) => {
    throw new UnreachableNameError(`${hostname} does not resolve`, { cause });
  });
  if (addresses.length === 0) throw new UnreachableNameError(`${hostname} has no address`);
  if (addresses.length > MOST_ADDRESSES) {
    throw new UnreachableNameError(
      `${hostname} has ${addresses.length} addresses, more than ${MOST_ADDRESSES}`,
    );
  }
  const refused = addresses.find(({ address }) => !mayReach(address, policy));
  if (refused) throw new UnreachableNameError(`${hostname} resolves to ${refused.address}, which is refused`);
  return addresses;
}
