import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import type { Request } from 'express';
import { JsonBodyGuard } from '../../platform/http/input/json-body.guard.js';
import { declareAccess } from '../../platform/http/route-access.js';
import { ApiBearerAuth, ApiSecurity } from '../../platform/openapi/decorators.js';
import { ApiKeyGuard } from './api-key.guard.js';
import type { Principal, Scope } from './auth.types.js';
import type { KeyedRead } from './keyed-read.types.js';
import { KEYED_READ, keyedRowOf, principalOf, REQUIRED_SCOPE } from './principal.js';
import { RateLimitGuard } from './rate-limit.guard.js';

/**
 * Puts an endpoint behind an API key with this scope and behind the limit of its kind, and reads its body after both.
 * @param reads what is read in the round trip that finds the key, for `KeyedRow`
 * @param unrecorded why a POST leaves no entry in the audit log; every other leaves one that names the key
 */
export function RequireScope(
  scope: Scope,
  { unrecorded = null, reads }: { unrecorded?: string | null; reads?: KeyedRead } = {},
): MethodDecorator {
  return applyDecorators(
    declareAccess({ by: 'api-scope', unrecorded }),
    SetMetadata(REQUIRED_SCOPE, scope),
    SetMetadata(KEYED_READ, reads),
    UseGuards(ApiKeyGuard, RateLimitGuard, JsonBodyGuard),
    ApiBearerAuth('bearer'),
    ApiSecurity('apiKey'),
  );
}

/** The merchant's key behind the request, as a parameter of a controller method. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal =>
  principalOf(context.switchToHttp().getRequest<Request>()),
);

/** The row of the route's `reads`, as a parameter of a controller method. */
export const KeyedRow = createParamDecorator((_: unknown, context: ExecutionContext) =>
  keyedRowOf(context.switchToHttp().getRequest<Request>()),
);
