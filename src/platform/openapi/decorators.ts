import type * as Swagger from '@nestjs/swagger';

type Decorator =
  | 'ApiBearerAuth'
  | 'ApiBody'
  | 'ApiExcludeController'
  | 'ApiExtraModels'
  | 'ApiOperation'
  | 'ApiParam'
  | 'ApiProperty'
  | 'ApiResponse'
  | 'ApiSecurity'
  | 'ApiTags';

/** What was said so far, in the order in which Nest would have noted it. */
const said: ((swagger: typeof Swagger) => void)[] = [];

/**
 * Nest's decorator of this name, which is called when the contract is asked for: @nestjs/swagger is 500 files, and
 * neither a start nor a command of the command line needs them.
 */
function noted<Name extends Decorator>(name: Name): (typeof Swagger)[Name] {
  const decorator = (...words: unknown[]) => {
    return (...target: unknown[]): void => {
      said.push((swagger) => {
        const make = swagger[name] as (...words: unknown[]) => (...target: unknown[]) => void;
        make(...words)(...target);
      });
    };
  };
  return decorator as (typeof Swagger)[Name];
}

export const ApiBearerAuth = noted('ApiBearerAuth');
export const ApiBody = noted('ApiBody');
export const ApiExcludeController = noted('ApiExcludeController');
export const ApiExtraModels = noted('ApiExtraModels');
export const ApiOperation = noted('ApiOperation');
export const ApiParam = noted('ApiParam');
export const ApiProperty = noted('ApiProperty');
export const ApiResponse = noted('ApiResponse');
export const ApiSecurity = noted('ApiSecurity');
export const ApiTags = noted('ApiTags');

/** Nest's own package, which knows what the decorators above have said. */
export async function loadSwagger(): Promise<typeof Swagger> {
  const swagger = await import('@nestjs/swagger');
  for (const say of said.splice(0)) say(swagger);
  return swagger;
}
