import { type INestApplicationContext, RequestMethod, type Type } from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { accessOf, type RouteAccess } from '../../../src/platform/http/route-access.js';

export interface Route {
  readonly method: string;
  /** "/dashboard/payments/:id". */
  readonly path: string;
  /** With what its decorators have declared; an empty one for a route that no controller declares. */
  readonly handler: object;
  /** Who it answers, as its decorators say; `undefined` for a route that no controller declares. */
  readonly access: RouteAccess | undefined;
}

type Declared = Omit<Route, 'access'>;

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** Nest's hook and what `createApp` has every request go through; Nest's answers where no route is, and where one failed. */
const BESIDE_ROUTES = 4;

/**
 * Every route that the running router answers: one that somebody adds, however, is in the tests without their doing.
 * @throws RangeError for what is mounted beside them, which may answer anything and is seen by no test of routes
 */
export function routesOf(app: INestApplicationContext): Route[] {
  const express = app.get(HttpAdapterHost).httpAdapter.getInstance<{ router: { stack: readonly Layer[] } }>();
  const beside = express.router.stack.filter(({ route }) => !route).length;
  if (beside !== BESIDE_ROUTES)
    throw new RangeError(`${beside} layers without a route: what is mounted is tested by nothing`);
  const declared = new Map(declaredRoutes(app).map((route) => [nameOf(route), route.handler]));
  const served = express.router.stack.flatMap(({ route }) =>
    Object.keys(route?.methods ?? {}).map((method) => ({ method: method.toUpperCase(), path: route!.path })),
  );
  return served
    .map((route) => {
      const handler = declared.get(nameOf(route)) ?? {};
      return { ...route, handler, access: accessOf(handler) };
    })
    .sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1));
}

export const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;

/** What decorators say of the handlers; the router knows Nest's wrappers of them alone. */
function declaredRoutes(app: INestApplicationContext): Declared[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  return controllers.flatMap(({ metatype }) => routesIn(metatype as Type));
}

function routesIn(controller: Type): Declared[] {
  const prototype = controller.prototype as Record<string, object>;
  const handlers = Object.getOwnPropertyNames(prototype)
    .filter((name) => name !== 'constructor')
    .map((name) => Object.getOwnPropertyDescriptor(prototype, name)?.value as object | undefined);
  return handlers.flatMap((handler) => {
    if (handler === undefined) return [];
    const paths = [Reflect.getMetadata('path', handler) as string | string[] | undefined].flat();
    const method = RequestMethod[Reflect.getMetadata('method', handler) as RequestMethod];
    return paths.flatMap((path) =>
      path === undefined
        ? []
        : bases(controller).map((base) => ({ method, path: joined(base, path), handler })),
    );
  });
}

function bases(controller: Type): string[] {
  return [Reflect.getMetadata('path', controller) as string | string[]].flat();
}

function joined(base: string, path: string): string {
  return `/${base}/${path}`.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
}
