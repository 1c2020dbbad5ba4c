import { applyDecorators } from '@nestjs/common';
import type { FieldError } from '../../kernel/domain-error.js';
import type { ProblemSlug } from '../../kernel/domain-error.js';
import { ApiResponse } from '../../platform/openapi/decorators.js';
import { headersOf } from '../../platform/openapi/header.docs.js';
import { ref } from '../../platform/openapi/schemas.js';
import { ProblemDocument } from './dto/problem.response.js';
import { problemExample } from './problem-example.js';
import { PROBLEM_TYPES } from './problems.types.js';
import { EXAMPLE_BASE_URL } from './site.types.js';

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
