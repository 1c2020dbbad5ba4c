import type { Request } from 'express';
import type { Principal } from './auth.types.js';

export const REQUIRED_SCOPE = Symbol('required scope');

const PRINCIPAL = Symbol('principal');
type Authenticated = Request & { [PRINCIPAL]?: Principal };

export function attachPrincipal(request: Request, principal: Principal): void {
  (request as Authenticated)[PRINCIPAL] = principal;
}

/** @throws when no guard has authenticated the request: a route without `RequireScope` is a bug. */
export function principalOf(request: Request): Principal {
  const principal = (request as Authenticated)[PRINCIPAL];
  if (!principal) throw new Error('the route has no RequireScope');
  return principal;
}
