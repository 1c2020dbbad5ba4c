import type { INestApplicationContext } from '@nestjs/common';
import type { Permission } from '../../../src/modules/accounts/accounts.types.js';
import { RULE, type Rule } from '../../../src/modules/dashboard/session/rule.js';
import { type Route, routesOf } from '../service/routes.js';

export interface DashboardRoute extends Route {
  /** `null`: everybody; `undefined`: the route names none, which is a bug. */
  readonly permission: Permission | null | undefined;
}

export function dashboardRoutes(app: INestApplicationContext): DashboardRoute[] {
  return routesOf(app)
    .filter(({ path }) => /^\/dashboard(\/|$)/.test(path))
    .map((route) => ({
      ...route,
      permission: (Reflect.getMetadata(RULE, route.handler) as Rule | undefined)?.permission,
    }));
}
