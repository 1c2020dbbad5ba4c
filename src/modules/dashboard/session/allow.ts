import type { ExecutionContext } from '@nestjs/common';
import {
  applyDecorators,
  Controller,
  createParamDecorator,
  RequestMethod,
  Res,
  SetMetadata,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { Request } from 'express';
import { declareAccess } from '../../../platform/http/route-access.js';
import { ApiExcludeController } from '../../../platform/openapi/decorators.js';
import { CHANGES_NEED, type Permission } from '../../accounts/accounts.types.js';
import { type PathName, PATHS } from '../paths.http.js';
import { GoToFilter } from './redirect.js';
import { contextOf, type RequestContext } from './request-context.js';
import { RULE, type Rule } from './rule.js';
import { SessionGuard } from './session.guard.js';

/**
 * A controller of the dashboard. Everything in it is behind the session guard: a route without `Allow` answers nobody.
 * @param place below whose path its routes are
 */
export function DashboardController(place: PathName = 'home'): ClassDecorator {
  return applyDecorators(
    requireRules,
    ApiExcludeController(),
    Controller(PATHS[place]),
    UseGuards(SessionGuard),
    UseFilters(GoToFilter),
  );
}

/**
 * Who may use a route: exactly one permission.
 * @param fresh for a page whose form needs a proof of identity, so that nothing typed is lost; what a change needs follows
 *   from its permission (`CHANGES_NEED`)
 * @param upload for a change whose form may hold a file
 * @param unrecorded why a change leaves no entry in the audit log; every other leaves one that names who it was
 */
export function Allow(
  permission: Permission,
  {
    fresh = false,
    upload = false,
    unrecorded = null,
  }: { fresh?: boolean; upload?: boolean; unrecorded?: string | null } = {},
): MethodDecorator {
  return ruled({ permission, fresh, upload }, unrecorded);
}

/** For pages without a session: signing in, links. Changes still have to come from our own pages. */
export function AllowEverybody({ unrecorded = null }: { unrecorded?: string | null } = {}): MethodDecorator {
  return ruled({ permission: null, fresh: false, upload: false }, unrecorded);
}

/** The request as a route sees it: who asks, for which merchant, and how to answer. */
export const CurrentContext = createParamDecorator((_: unknown, context: ExecutionContext): RequestContext =>
  contextOf(context.switchToHttp().getRequest<Request>()),
);

/** After the decorators of its methods: a change that nobody has decided about does not even load. */
function requireRules(controller: object): void {
  const { prototype, name } = controller as { prototype: Record<string, object>; name: string };
  for (const [method, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const handler: unknown = descriptor.value;
    if (typeof handler !== 'function') continue;
    const verb = Reflect.getMetadata('method', handler) as RequestMethod | undefined;
    if (verb === undefined || verb === RequestMethod.GET) continue;
    const rule = Reflect.getMetadata(RULE, handler) as Rule | undefined;
    const isDecided = rule && (rule.permission === null || CHANGES_NEED[rule.permission] !== 'never');
    if (!isDecided)
      throw new Error(`${name}.${method} changes something under no permission that says what that needs`);
  }
}

function ruled(rule: Rule, unrecorded: string | null): MethodDecorator {
  return (target, key, descriptor) => {
    declareAccess({ by: 'session-rule', unrecorded })(target, key, descriptor);
    SetMetadata(RULE, rule)(target, key, descriptor);
    // A route answers through its context (`page`, `redirect`); with the response among its parameters Nest leaves that to it.
    const method = descriptor.value as unknown as { length: number };
    Res()(target, key, method.length);
  };
}
