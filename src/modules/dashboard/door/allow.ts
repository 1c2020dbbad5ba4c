import {
  applyDecorators,
  Controller,
  createParamDecorator,
  Res,
  SetMetadata,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Permission } from '../../accounts/accounts.types.js';
import { DoorGuard } from './door.guard.js';
import { GoToFilter } from './redirect.js';
import { RULE, type Rule } from './rule.js';
import { visitOf, type Visit } from './visit.js';

/** A controller under `/dashboard`. Everything in it is behind the door: a route without `Allow` answers nobody. */
export function DashboardController(path = ''): ClassDecorator {
  return applyDecorators(
    ApiExcludeController(),
    Controller(path === '' ? 'dashboard' : `dashboard/${path}`),
    UseGuards(DoorGuard),
    UseFilters(GoToFilter),
  );
}

/**
 * Who may use a route: exactly one permission.
 * @param fresh for keys, secrets, wallets and webhook addresses: only within ten minutes of a proof of identity
 */
export function Allow(permission: Permission, { fresh = false }: { fresh?: boolean } = {}): MethodDecorator {
  return ruled({ permission, fresh });
}

/** For pages before the door: signing in, links. Changes still have to come from our own pages. */
export function AllowEverybody(): MethodDecorator {
  return ruled({ permission: null, fresh: false });
}

/** The request as a route sees it: who asks, for which merchant, and how to answer. */
export const CurrentVisit = createParamDecorator((_: unknown, context: ExecutionContext): Visit =>
  visitOf(context.switchToHttp().getRequest<Request>()),
);

function ruled(rule: Rule): MethodDecorator {
  return (target, key, descriptor) => {
    SetMetadata(RULE, rule)(target, key, descriptor as PropertyDescriptor);
    // A visit answers by itself (`page`, `redirect`); with the response among its parameters Nest leaves that to it.
    const method = descriptor.value as unknown as { length: number };
    Res()(target, key, method.length);
  };
}
