import { may, type Permission, type SignedIn } from '../../accounts/accounts.types.js';
import { pathTo } from '../paths.http.js';

/** A permission whose holders alone see the tab. */
const TABS: readonly (readonly [label: string, path: string, Permission])[] = [
  ['General', pathTo('settings'), 'settings:read'],
  ['Payments', pathTo('paymentSettings'), 'settings:read'],
  ['Appearance', pathTo('appearance'), 'settings:read'],
  ['Wallets', pathTo('wallets'), 'settings:read'],
  ['People', pathTo('people'), 'people:manage'],
  ['Audit log', pathTo('audit'), 'audit:read'],
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
