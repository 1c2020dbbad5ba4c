import { type INestApplicationContext, SetMetadata, type Type } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';

/** Who a route answers, and what a change by it leaves: said beside it, exactly once. */
export type RouteAccess = (
  { readonly by: 'session-rule' | 'api-scope' } | { readonly by: 'open'; readonly why: string }
) & {
  /** Why a POST leaves no entry in the audit log; `null`: it leaves one that names who it was. */
  readonly unrecorded: string | null;
};

const ACCESS = Symbol('route access');

/** For the decorators that say who a route answers: `OpenToAll`, and those of the guards. */
export function declareAccess(access: RouteAccess): MethodDecorator {
  return (target, key, descriptor) => {
    if (accessOf(descriptor.value as object))
      throw new Error(`${target.constructor.name}.${String(key)} says twice who it answers`);
    SetMetadata(ACCESS, access)(target, key, descriptor);
  };
}

export function accessOf(handler: object): RouteAccess | undefined {
  return Reflect.getMetadata(ACCESS, handler) as RouteAccess | undefined;
}

/**
 * A route that answers whoever asks, without a session or a key.
 * @param why that is right: what protects it instead, or why nothing has to
 * @param unrecorded for a POST: where it is recorded, because the audit log has nobody to name
 */
export function OpenToAll(
  why: string,
  { unrecorded = null }: { unrecorded?: string | null } = {},
): MethodDecorator {
  return declareAccess({ by: 'open', why, unrecorded });
}

/**
 * A route that nobody has decided about must not answer anybody.
 * @throws Error that names each handler which does not say who it answers
 */
export function requireAccess(app: INestApplicationContext): void {
  const modules = [...app.get(ModulesContainer).values()];
  const controllers = modules.flatMap((module) => [...module.controllers.values()]);
  const undeclared = controllers.flatMap(({ metatype }) => undeclaredIn(metatype as Type));
  if (undeclared.length > 0)
    throw new Error(`Not said who may ask (Allow, RequireScope or OpenToAll): ${undeclared.join(', ')}`);
}

function undeclaredIn({ name: controller, prototype }: Type): string[] {
  const methods = prototype as Readonly<Record<string, object>>;
  return new MetadataScanner()
    .getAllMethodNames(methods)
    .filter((name) => {
      const method = methods[name];
      return method !== undefined && Reflect.hasMetadata('path', method) && !accessOf(method);
    })
    .map((method) => `${controller}.${method}`);
}
