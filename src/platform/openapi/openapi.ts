import type { INestApplication, Type } from '@nestjs/common';
import type { DocumentBuilder } from '@nestjs/swagger';
import { isObject } from '../../kernel/error-fields.js';
import { loadSwagger } from './decorators.js';
import type { OpenApi } from './document.js';
import { HEADERS } from './header.docs.js';

/** What the contract says of the service as a whole. */
export interface ContractOutline {
  /** Title, description, tags and keys. */
  readonly outline: (builder: DocumentBuilder) => DocumentBuilder;
  readonly contact: object;
  readonly servers: readonly object[];
  /** Schemas that no operation names by its type. */
  readonly models: readonly Type[];
}

/** What a module adds to the contract, beside the decorators of its controllers. */
export interface ContractPart {
  /** What we send. */
  readonly webhooks?: Readonly<Record<string, object>>;
  readonly schemas?: Readonly<Record<string, object>>;
  readonly headers?: Readonly<Record<string, object>>;
}

/** The contract, from the decorators of the controllers: OpenAPI 3.1. */
export async function openApiDocument(
  app: INestApplication,
  { outline, contact, servers, models }: ContractOutline,
  parts: readonly ContractPart[],
): Promise<OpenApi> {
  const { DocumentBuilder, SwaggerModule } = await loadSwagger();
  const start = outline(new DocumentBuilder().setOpenAPIVersion('3.1.0')).build();
  const { components, ...document } = SwaggerModule.createDocument(app, start, { extraModels: [...models] });
  const merged = (of: keyof ContractPart) => Object.assign({}, ...parts.map((part) => part[of])) as object;
  return nullableAsTypes({
    ...document,
    info: { ...document.info, contact },
    servers,
    webhooks: merged('webhooks'),
    components: {
      ...components,
      schemas: { ...closeRequests(components?.schemas ?? {}), ...merged('schemas') },
      headers: { ...HEADERS, ...merged('headers') },
    },
  }) as OpenApi;
}

/** Unknown fields of a request are refused; of an answer, a client should take what may come one day. */
function closeRequests(schemas: Readonly<Record<string, object>>): Record<string, object> {
  const closed = Object.entries(schemas).map(([name, schema]): [string, object] => [
    name,
    name.endsWith('Request') ? { ...schema, additionalProperties: false } : schema,
  ]);
  return Object.fromEntries(closed);
}

/** What Nest writes for 3.0, in 3.1: it has no `nullable`, which becomes a union of types. */
function nullableAsTypes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(nullableAsTypes);
  if (!isObject(node)) return node;
  const { nullable, ...rest }: Record<string, unknown> = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, nullableAsTypes(value)]),
  );
  // Nest guesses a type beside a reference, which says itself what it leads to.
  if ('$ref' in rest) delete rest['type'];
  if (nullable !== true) return nullable === undefined ? rest : { ...rest, nullable };
  return { ...rest, type: [rest['type'], 'null'] };
}
