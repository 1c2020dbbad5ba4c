import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { lookupBy } from '../../../platform/outgoing/name-lookup.js';
import { type AddressPolicy, mayReach } from '../domain/address-policy.js';
import { type Resolve, resolveVetted, UnreachableNameError } from './resolve.js';

export interface ConnectorOptions {
  readonly policy: AddressPolicy;
  readonly resolve: Resolve;
  readonly timeoutMs: number;
}

/**
 * Dials only what was vetted. It runs for every new connection, so a name that changed its mind since the last
 * one is judged again, and what was resolved is what is dialled: there is no second look-up to lie to. Host and
 * SNI stay the name's.
 */
export function vettedConnector(options: ConnectorOptions): buildConnector.connector {
  const { policy, timeoutMs } = options;
  const connect = buildConnector({ timeout: timeoutMs, lookup: vettedLookup(options) });
  return (target, callback) => {
    // Node never calls `lookup` for an address, so a guard that lived only there would be walked around.
    if (isIP(target.hostname) !== 0 && !mayReach(target.hostname, policy)) {
      process.nextTick(callback, new UnreachableNameError(`${target.hostname} is refused`), null);
      return;
    }
    connect(target, callback);
  };
}

function vettedLookup({ resolve, policy }: ConnectorOptions): LookupFunction {
  return lookupBy((hostname) => resolveVetted(hostname, resolve, policy));
}
