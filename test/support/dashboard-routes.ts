import { RequestMethod, type INestApplicationContext, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Permission } from '../../src/modules/accounts/accounts.types.js';
import { RULE, type Rule } from '../../src/modules/dashboard/door/rule.js';

export interface DashboardRoute {
  readonly method: 'GET' | 'POST';
  /** "/dashboard/payments/:id". */
  readonly path: string;
  /** `null`: everybody; `undefined`: the route names none, which is a bug. */
  readonly permission: Permission | null | undefined;
}

/** Every route under /dashboard, as Nest knows it: a page that somebody adds is in the tests without their doing. */
export function dashboardRoutes(app: INestApplicationContext): DashboardRoute[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  const routes = controllers.flatMap(({ metatype }) => routesOf(metatype as Type));
  return routes.sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1));
}

function routesOf(controller: Type): DashboardRoute[] {
  const base = Reflect.getMetadata('path', controller) as string;
  if (!/^\/?dashboard(\/|$)/.test(base)) return [];
  const prototype = controller.prototype as Record<string, object>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name]!;
    if (name === 'constructor') return [];
    const path = Reflect.getMetadata('path', handler) as string | undefined;
    if (path === undefined) return [];
    const method = Reflect.getMetadata('method', handler) === RequestMethod.GET ? 'GET' : 'POST';
    const rule = Reflect.getMetadata(RULE, handler) as Rule | undefined;
    return [
      {
        method,
        path: `/${base}/${path}`.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1'),
        permission: rule?.permission,
      },
    ];
  });
}
