import type { OpenApi, Operation, Schema } from '../../../platform/openapi/document.js';
import { withoutMarkdown } from './without-markdown.js';

export interface FieldRow {
  readonly name: string;
  readonly type: string;
  readonly note: string;
}

export interface OperationRow {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly fields: readonly FieldRow[];
  /** What a screen reader calls the table of them. */
  readonly fieldsLabel: string;
  /** Of its answers, in a line. */
  readonly statuses: string;
  readonly responses: readonly { readonly status: string; readonly description: string }[];
}

/** The contract as a person reads it: operations with their fields and answers, and the resource. */
export function docsModel(document: OpenApi): { operations: OperationRow[]; resource: FieldRow[] } {
  const schemas = document.components?.schemas ?? {};
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationRow(path, method, operation, schemas)),
  );
  return { operations, resource: fieldRows(schemas['IntentWithPaymentResponse'], schemas) };
}

type Schemas = Readonly<Record<string, Schema>>;

function operationRow(path: string, method: string, operation: Operation, schemas: Schemas): OperationRow {
  const body = operation.requestBody?.content?.['application/json']?.schema;
  const parameters = (operation.parameters ?? []).map(({ name, required, description, schema }) => ({
    name,
    type: typeOf(schema) + (required ? ', required' : ''),
    note: description ?? '',
  }));
  const responses = Object.entries(operation.responses ?? {});
  return {
    id: `${method}-${path.replaceAll(/[^a-z0-9]+/g, '-')}`,
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? '',
    description: withoutMarkdown(operation.description ?? ''),
    fields: [...parameters, ...fieldRows(body, schemas)],
    fieldsLabel: `Fields of ${method.toUpperCase()} ${path}`,
    statuses: responses.map(([status]) => status).join(', '),
    responses: responses.map(([status, response]) => ({
      status,
      description: withoutMarkdown(response.description ?? ''),
    })),
  };
}

function fieldRows(schema: Schema | undefined, schemas: Schemas): FieldRow[] {
  const resolved = schema?.$ref ? schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
  return Object.entries(resolved?.properties ?? {}).map(([name, property]) => ({
    name,
    type: typeOf(property) + (resolved?.required?.includes(name) ? ', required' : ''),
    note: withoutMarkdown(property.description ?? ''),
  }));
}

function typeOf(schema: Schema | undefined): string {
  if (!schema) return '';
  if (schema.enum) return schema.enum.join(' | ');
  if (schema.$ref) return 'object';
  if (schema.oneOf) return schema.oneOf.map(typeOf).join(' or ');
  if (schema.items) return `${typeOf(schema.items)} (list)`;
  const types = [schema.type ?? []].flat().join(' or ');
  return schema.format ? `${types} (${schema.format})` : types;
}
