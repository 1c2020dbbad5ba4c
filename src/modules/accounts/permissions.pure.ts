import {
  type Membership,
  MERCHANT_PERMISSIONS,
  type MerchantPermission,
  type Permission,
  type Role,
  type SignedIn,
} from './accounts.types.js';

export function isMerchantPermission(permission: Permission): permission is MerchantPermission {
  return permission in MERCHANT_PERMISSIONS;
}

/** @param who what they are to the instance, and to the merchant that is looked at */
export function may(
  who: Pick<SignedIn, 'isOperator'> & { readonly membership: Pick<Membership, 'role'> | null },
  permission: Permission,
): boolean {
  if (permission === 'self' || permission === 'account') return true;
  if (permission === 'operator' || permission === 'operator:alerts') return who.isOperator;
  const roles: readonly Role[] = MERCHANT_PERMISSIONS[permission];
  return who.membership !== null && roles.includes(who.membership.role);
}

/** Whoever can change what money depends on, and is let in by a password alone. */
export function lacksFactor(
  who: Pick<SignedIn, 'isOperator' | 'memberships' | 'hasTotp' | 'hasPasskey'>,
): boolean {
  const hasMuch = who.isOperator || who.memberships.some(({ role }) => role === 'owner');
  return hasMuch && !who.hasTotp && !who.hasPasskey;
}
