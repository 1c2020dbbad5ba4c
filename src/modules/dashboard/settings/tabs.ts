import { may, type Permission, type SignedIn } from '../../accounts/accounts.types.js';

/** A permission whose holders alone see the tab. */
const TABS: readonly (readonly [label: string, path: string, Permission])[] = [
  ['General', '/dashboard/settings', 'settings:read'],
  ['Payments', '/dashboard/settings/payments', 'settings:read'],
  ['Wallets', '/dashboard/settings/wallets', 'settings:read'],
  ['People', '/dashboard/settings/people', 'people:manage'],
  ['Audit log', '/dashboard/settings/audit', 'audit:read'],
];

export interface Tab {
  readonly label: string;
  readonly path: string;
  readonly isCurrent: boolean;
}

/** The parts of the settings, for `dashboard/tabs`. */
export function settingsTabs(who: SignedIn, current: string): Tab[] {
  return TABS.filter(([, , permission]) => may(who, permission)).map(([label, path]) => ({
    label,
    path,
    isCurrent: label === current,
  }));
}
