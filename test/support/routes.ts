import { RequestMethod, type INestApplicationContext, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

export interface Route {
  readonly method: 'GET' | 'POST';
  /** "/dashboard/payments/:id". */
  readonly path: string;
  /** With what its decorators have declared. */
  readonly handler: object;
}

/** Every route of the application, as Nest knows it: one that somebody adds is in the tests without their doing. */
export function routesOf(app: INestApplicationContext): Route[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  return controllers
    .flatMap(({ metatype }) => routesIn(metatype as Type))
    .sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1));
}

export const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

function routesIn(controller: Type): Route[] {
  const prototype = controller.prototype as Record<string, object>;
  const handlers = Object.getOwnPropertyNames(prototype)
    .filter((name) => name !== 'constructor')
    .map((name) => Object.getOwnPropertyDescriptor(prototype, name)?.value as object | undefined);
  return handlers.flatMap((handler) => {
    if (handler === undefined) return [];
    const paths = [Reflect.getMetadata('path', handler) as string | string[] | undefined].flat();
    const method = Reflect.getMetadata('method', handler) === RequestMethod.POST ? 'POST' : 'GET';
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
