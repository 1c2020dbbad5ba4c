import type { Request } from 'express';
import type { Principal } from './auth.types.js';

export const REQUIRED_SCOPE = Symbol('required scope');
export const KEYED_READ = Symbol('keyed read');

const PRINCIPAL = Symbol('principal');
const KEYED_ROW = Symbol('keyed row');
type Authenticated = Request & { [PRINCIPAL]?: Principal; [KEYED_ROW]?: object };

/** @param row what the route reads beside the key */
export function attachPrincipal(request: Request, principal: Principal, row: object): void {
  (request as Authenticated)[PRINCIPAL] = principal;
  (request as Authenticated)[KEYED_ROW] = row;
}

export function keyedRowOf(request: Request): object | undefined {
  return (request as Authenticated)[KEYED_ROW];
}

/** @throws when no guard has authenticated the request: a route without `RequireScope` is a bug. */
export function principalOf(request: Request): Principal {
  const principal = (request as Authenticated)[PRINCIPAL];
  if (!principal) throw new Error('the route has no RequireScope');
  return principal;
}
