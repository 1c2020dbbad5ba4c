import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { PROBLEM_TYPES, type ProblemSlug } from '../problems/problem-types.js';

export class FieldErrorDocument {
  @ApiProperty({ required: false, description: 'JSON pointer into the body.', example: '/amount' })
  readonly pointer?: string;

  @ApiProperty({ required: false, description: 'Name of the query parameter.', example: 'page' })
  readonly parameter?: string;

  @ApiProperty({ example: 'invalid_amount' })
  readonly code: string;

  @ApiProperty({ example: 'amount must be greater than 0.' })
  readonly detail: string;
}

/** The seed's Problem, with a stable `code`. */
export class ProblemDocument {
  @ApiProperty({ type: 'string', format: 'uri', description: 'A page that explains the problem.' })
  readonly type: string;

  @ApiProperty()
  readonly title: string;

  @ApiProperty({ type: 'integer' })
  readonly status: number;

  @ApiProperty()
  readonly detail: string;

  @ApiProperty({ description: 'Quote it in support requests.', pattern: '^[0-9a-f]{32}$' })
  readonly traceId: string;

  @ApiProperty({ enum: Object.keys(PROBLEM_TYPES) })
  readonly code: string;

  @ApiProperty({ description: 'Path of the request.' })
  readonly instance: string;

  @ApiProperty({ required: false, type: [FieldErrorDocument] })
  readonly errors?: readonly FieldErrorDocument[];
}

/** Documents the problems of an endpoint, one response per status. */
export function ApiProblems(...slugs: readonly ProblemSlug[]): MethodDecorator {
  const statuses = new Set(slugs.map((slug) => PROBLEM_TYPES[slug].status));
  return applyDecorators(
    ...[...statuses].map((status) =>
      ApiResponse({
        status,
        description: slugs
          .filter((slug) => PROBLEM_TYPES[slug].status === status)
          .map((slug) => `\`${slug}\`: ${PROBLEM_TYPES[slug].title}.`)
          .join(' '),
        content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDocument) } } },
      }),
    ),
  );
}
