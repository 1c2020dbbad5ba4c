import { Injectable, Logger } from '@nestjs/common';
import { orLate } from '../../../../platform/deadline.js';
import type { Permission, SignedIn } from '../../../accounts/accounts.types.js';
import { may } from '../../../accounts/permissions.pure.js';
import type { Text } from '../../language/german/german.js';
import type { Say } from '../../language/say.js';
import { pathTo } from '../../paths.http.js';

interface Place {
  readonly label: Text;
  readonly path: string;
  /** After `g`: the keyboard's way there. */
  readonly key: string;
  readonly permission: Permission;
}

/** The left column: at most seven places, or nobody reads them. A place appears here when its page exists. */
const MERCHANT_PLACES: readonly Place[] = [
  { label: 'Home', path: pathTo('home'), key: 'h', permission: 'payments:read' },
  { label: 'Payments', path: pathTo('payments'), key: 'p', permission: 'payments:read' },
  { label: 'Review', path: pathTo('reviews'), key: 'r', permission: 'review:read' },
  { label: 'Treasury', path: pathTo('treasury'), key: 't', permission: 'payments:read' },
  { label: 'Developers', path: pathTo('developers'), key: 'd', permission: 'developers:read' },
  { label: 'Settings', path: pathTo('settings'), key: 's', permission: 'settings:read' },
];

const OPERATOR_PLACES: readonly Place[] = [
  { label: 'Health', path: pathTo('operator'), key: 'h', permission: 'operator' },
  { label: 'Merchants', path: pathTo('merchants'), key: 'm', permission: 'operator' },
  { label: 'Alerts', path: pathTo('operatorAlerts'), key: 'a', permission: 'operator' },
  { label: 'Audit log', path: pathTo('operatorAudit'), key: 'l', permission: 'operator' },
];

export interface NavItem {
  readonly label: string;
  readonly path: string;
  readonly key: string;
  readonly isCurrent: boolean;
  /** "3" things that wait for somebody; `null` for none. */
  readonly badge: string | null;
}

/** Far more than one cheap look-up takes. */
const BADGE_DEADLINE_MS = 5_000;

type Count = (who: SignedIn) => Promise<number>;

/** What the left column shows to whom. */
@Injectable()
export class Navigation {
  private readonly logger = new Logger(Navigation.name);
  private readonly counts = new Map<string, Count>();

  /** Puts a number beside a place. Asked for on every page, so it has to be one cheap look-up. */
  badge(path: string, count: Count): void {
    this.counts.set(path, count);
  }

  async items(say: Say, who: SignedIn, path: string): Promise<NavItem[]> {
    const places = isOperatorPath(path) ? OPERATOR_PLACES : MERCHANT_PLACES;
    const shown = places.filter(({ permission }) => may(who, permission));
    const current = shown
      .filter((place) => isWithin(path, place.path))
      .sort((a, b) => b.path.length - a.path.length)[0];
    return Promise.all(
      shown.map(async (place) => ({
        label: say(place.label),
        path: place.path,
        key: place.key,
        isCurrent: place === current,
        badge: await this.badgeOf(who, place),
      })),
    );
  }

  private async badgeOf(who: SignedIn, { path }: Place): Promise<string | null> {
    const asked = this.counts
      .get(path)?.(who)
      .catch((error: unknown) => {
        this.logger.warn({ path, err: error }, 'the number beside a place cannot be read');
        return 0;
      });
    // A page is worth having without a number beside a place: in an incident most of all.
    const count = asked ? await orLate(asked, BADGE_DEADLINE_MS, () => 0) : 0;
    return count === 0 ? null : count > 99 ? '99+' : String(count);
  }
}

export function isOperatorPath(path: string): boolean {
  return isWithin(path, pathTo('operator'));
}

function isWithin(path: string, place: string): boolean {
  // Every page is below Home; those of no place, such as one's account, are not in it.
  return path === place || (place !== pathTo('home') && path.startsWith(`${place}/`));
}
