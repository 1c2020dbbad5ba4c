import { ApiProperty } from '../../../platform/openapi/decorators.js';
import { EXAMPLE_TRACE_ID } from '../../../platform/openapi/header.docs.js';
import { PROBLEM_TYPES } from '../problems.types.js';
import { EXAMPLE_BASE_URL } from '../site.types.js';

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
