import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiResponse } from '../../platform/openapi/decorators.js';
import type { FieldError } from '../../kernel/domain-error.js';
import { EXAMPLE_TRACE_ID, headersOf } from '../../platform/openapi/header.docs.js';
import { ref } from '../../platform/openapi/schemas.js';
import { problemExample } from './problem-example.js';
import { PROBLEM_TYPES, type ProblemSlug } from './problems.types.js';

/** The address of the examples and of the committed contract. */
export const EXAMPLE_BASE_URL = 'https://api.rappen.example';

/** A problem may quote a name from the request: from a body of 64 KiB, each character escaped. */
const QUOTED_LENGTH = 131_072;
/** No body of 64 KiB holds as many fields. */
const MAX_ERRORS = 32_768;
const text = { pattern: '\\S', maxLength: QUOTED_LENGTH };

export class FieldErrorDocument {
  @ApiProperty({
    required: false,
    pattern: '^/',
    maxLength: QUOTED_LENGTH,
    description: 'JSON pointer into the body.',
    example: '/amount',
  })
  readonly pointer?: string;

  @ApiProperty({
    required: false,
    pattern: '^',
    maxLength: QUOTED_LENGTH,
    description: 'Name of the query parameter.',
    example: 'page',
  })
  readonly parameter?: string;

  @ApiProperty({
    pattern: '^[a-z_]+$',
    maxLength: 50,
    description: 'What is wrong, for programs.',
    example: 'invalid_amount',
  })
  readonly code!: string;

  @ApiProperty({
    ...text,
    description: 'What is wrong, for people.',
    example: 'amount must be greater than 0.',
  })
  readonly detail!: string;
}

/** A problem document, with a stable `code`. */
export class ProblemDocument {
  @ApiProperty({
    type: 'string',
    format: 'uri',
    maxLength: 500,
    example: `${EXAMPLE_BASE_URL}/problems/validation-error`,
    description: 'A page that explains the problem.',
  })
  readonly type!: string;

  @ApiProperty({
    ...text,
    description: 'The kind of problem, in a few words.',
    example: 'The request is not valid',
  })
  readonly title!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 400,
    maximum: 599,
    description: 'The status of the answer.',
    example: 400,
  })
  readonly status!: number;

  @ApiProperty({
    ...text,
    description: 'This very problem, in a sentence.',
    example: 'amount must be greater than 0.',
  })
  readonly detail!: string;

  @ApiProperty({
    description: 'Quote it in support requests.',
    pattern: '^[0-9a-f]{32}$',
    maxLength: 32,
    example: EXAMPLE_TRACE_ID,
  })
  readonly traceId!: string;

  @ApiProperty({
    enum: Object.keys(PROBLEM_TYPES),
    description: 'The kind of problem, for programs: stable.',
  })
  readonly code!: string;

  @ApiProperty({
    description: 'Path of the request.',
    pattern: '^(/.*)?$',
    maxLength: 8192,
    example: '/api/v1/intents',
  })
  readonly instance!: string;

  @ApiProperty({
    required: false,
    type: [FieldErrorDocument],
    maxItems: MAX_ERRORS,
    description: 'Everything that is wrong with the input, where the input is what is wrong.',
  })
  readonly errors?: readonly FieldErrorDocument[];
}

/** Where the examples of an endpoint's problems happen, and what its validation says. */
export interface ProblemPlace {
  readonly instance: string;
  readonly errors: readonly FieldError[];
}

/** Documents the problems of an endpoint: one response per status, one example per problem. */
export function ApiProblems(
  { instance, errors }: ProblemPlace,
  ...slugs: readonly ProblemSlug[]
): MethodDecorator {
  const statuses = new Set(slugs.map((slug) => PROBLEM_TYPES[slug].status));
  return applyDecorators(
    ...[...statuses].map((status) => {
      const mine = slugs.filter((slug) => PROBLEM_TYPES[slug].status === status);
      const examples = mine.map((slug): [string, { summary: string; value: unknown }] => [
        slug,
        {
          summary: PROBLEM_TYPES[slug].title,
          value: problemExample(slug, EXAMPLE_BASE_URL, instance, errors),
        },
      ]);
      return ApiResponse({
        status,
        description: mine.map((slug) => `\`${slug}\`: ${PROBLEM_TYPES[slug].title}.`).join(' '),
        headers: headersOf(status),
        content: {
          'application/problem+json': {
            schema: ref(ProblemDocument.name),
            examples: Object.fromEntries(examples),
          },
        },
      });
    }),
  );
}
