import type { Permission, SignedIn } from '../../accounts/accounts.types.js';
import { may } from '../../accounts/permissions.pure.js';
import type { PlainText } from '../language/german/german.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';

/** A permission whose holders alone see the tab. */
const TABS = [
  ['General|of the settings', pathTo('settings'), 'settings:read'],
  ['Payments', pathTo('paymentSettings'), 'settings:read'],
  ['Appearance', pathTo('appearance'), 'settings:read'],
  ['Wallets', pathTo('wallets'), 'settings:read'],
  ['People', pathTo('people'), 'people:manage'],
  ['Audit log', pathTo('audit'), 'audit:read'],
] as const satisfies readonly (readonly [label: PlainText, path: string, Permission])[];

export interface Tab {
  readonly label: string;
  readonly path: string;
  readonly isCurrent: boolean;
}

/** The parts of the settings, for `dashboard/tabs`. */
export function settingsTabs(say: Say, who: SignedIn, current: (typeof TABS)[number][0]): Tab[] {
  return TABS.filter(([, , permission]) => may(who, permission)).map(([label, path]) => ({
    label: say(label),
    path,
    isCurrent: label === current,
  }));
}
