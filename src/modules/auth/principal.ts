import type { Request } from 'express';
import type { Principal } from './auth.types.js';

export const REQUIRED_SCOPE = Symbol('required scope');
export const KEYED_READ = Symbol('keyed read');

const principals = new WeakMap<Request, Principal>();
const keyedRows = new WeakMap<Request, object>();

/** @param row what the route reads beside the key */
export function attachPrincipal(request: Request, principal: Principal, row: object): void {
  principals.set(request, principal);
  keyedRows.set(request, row);
}

export function keyedRowOf(request: Request): object | undefined {
  return keyedRows.get(request);
}

/** @throws when no guard has authenticated the request: a route without `RequireScope` is a bug. */
export function principalOf(request: Request): Principal {
  const principal = principals.get(request);
  if (!principal) throw new Error('the route has no RequireScope');
  return principal;
}
