import fc from 'fast-check';
import type { ContractDocument } from '../../support/api/api-contract.js';

export interface FuzzRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, because most of it is no JSON that a serialiser would write. */
  readonly body?: string;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

const anyText = fc.string({ unit: 'binary', maxLength: 300 });
const WORDS = ['', '\0', '\ud800', '__proto__', 'null', '-0', '1e400', '%', '%zz', '../', '🧀'.repeat(201)];
const anyValue = fc.oneof(fc.jsonValue({ maxDepth: 4 }), anyText, fc.double(), fc.constantFrom(...WORDS));

/** What a schema allows, its edges often. */
function valueOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> {
  if (schema.$ref) return valueOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.items) return fc.array(valueOf(schema.items, schemas), { minLength: 1, maxLength: 3 });
  const types = [schema.type ?? []].flat();
  const value = types.includes('object') ? objectOf(schema, schemas) : scalarOf(types, schema);
  return types.includes('null') ? fc.option(value) : value;
}

function scalarOf(types: readonly string[], schema: Schema): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = 1_000_000, minLength = 0, maxLength = 300 } = schema;
  if (types.includes('integer')) return fc.integer({ min: minimum, max: maximum });
  // The contract cannot say "two decimals" without floats; its description does.
  if (types.includes('number')) return fc.integer({ min: 1, max: maximum * 100 }).map((minor) => minor / 100);
  if (schema.format === 'uri') return fc.webUrl({ validSchemes: ['https'], withQueryParameters: true });
  if (schema.format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') })
      .map((date) => date.toISOString());
  return fc.string({ unit: 'grapheme', minLength, maxLength });
}

function objectOf({ properties = {}, required }: Schema, schemas: Readonly<Record<string, Schema>>) {
  const fields = Object.entries(properties).map(([name, field]) => [name, valueOf(field, schemas)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...(required ?? [])] });
}

/** A document spoiled in one place: a field replaced, added or taken away, or its text cut and patched. */
const spoiled = (body: fc.Arbitrary<unknown>) =>
  fc.oneof(
    fc
      .tuple(body, fc.oneof(anyText, fc.constantFrom('amount', 'currency', 'title')), anyValue)
      .map(([value, name, other]) => JSON.stringify({ ...(value as object), [name]: other })),
    fc.tuple(body, fc.nat(), fc.nat(8), anyText).map(([value, at, length, patch]) => {
      const text = JSON.stringify(value);
      const from = at % (text.length + 1);
      return text.slice(0, from) + patch.slice(0, 8) + text.slice(from + length);
    }),
    anyValue.map((value) => JSON.stringify(value) ?? ''),
    fc
      .tuple(fc.constantFrom('[', '{"a":', '"', '9', ' '), fc.nat(70_000))
      .map(([text, times]) => text.repeat(times % (70_000 / text.length))),
  );

const target = (text: string) =>
  // What the socket could not carry; the probes of test/e2e/transport/transport-raw are about that.
  text.replaceAll(/[^!-~]/gu, (character) =>
    character.isWellFormed() ? encodeURIComponent(character) : '%EF',
  );

const headerValue = fc.string({ unit: 'grapheme-ascii', maxLength: 40 }).map((text) => text.trim());

/** Requests near what the contract describes, from it, and far from it. `ids` grows with what has been created. */
export function fuzzRequests(
  document: ContractDocument,
  key: string,
  ids: readonly string[],
): fc.Arbitrary<FuzzRequest> {
  const schemas = document.components.schemas as Readonly<Record<string, Schema>>;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      requestOf(path, method.toUpperCase(), operation as unknown as Operation, schemas, ids),
    ),
  );
  const elsewhere = fc
    .tuple(fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'), anyText)
    .map(([method, path]) => ({ method, target: target(`/api/v1/intents/${path}`), headers: {} }));
  return fc
    .tuple(fc.oneof(...operations, ...operations, elsewhere), headersOf(key))
    .map(([request, headers]) => ({ ...request, headers: { ...request.headers, ...headers } }));
}

/** Most often those of a good client. */
function headersOf(key: string): fc.Arbitrary<Record<string, string>> {
  const good = { authorization: `Bearer ${key}` };
  const odd = fc
    .tuple(
      fc.constantFrom(
        'accept',
        'authorization',
        'x-api-key',
        'content-type',
        'content-encoding',
        'traceparent',
        'if-none-match',
        'range',
        'origin',
        'cookie',
      ),
      fc.oneof(headerValue, fc.constantFrom('text/html', 'application/*;q=0.5', 'gzip', 'Bearer', '*/*')),
    )
    .map(([name, value]) => ({ ...good, [name]: value }));
  return fc.oneof({ weight: 9, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: odd });
}

function requestOf(
  path: string,
  method: string,
  { parameters = [], requestBody }: Operation,
  schemas: Readonly<Record<string, Schema>>,
  ids: readonly string[],
): fc.Arbitrary<FuzzRequest> {
  const id = fc.oneof(
    fc.nat().map((at) => ids[at % (ids.length || 1)] ?? 'pi_'),
    anyText,
  );
  const query = fc
    .array(queryPair(parameters, schemas), { maxLength: 4 })
    .map((pairs) => pairs.flat().join('&'));
  const schema = requestBody?.content['application/json']?.schema;
  const body = schema ? valueOf(schema, schemas) : null;
  const text = body
    ? fc.oneof(
        body.map((value) => JSON.stringify(value)),
        spoiled(body),
      )
    : fc.constant(undefined);
  return fc.tuple(id, query, text).map(([anId, pairs, content]): FuzzRequest => ({
    method,
    target: target(path.replace('{id}', anId.replaceAll('/', '%2F'))) + (pairs ? `?${pairs}` : ''),
    headers: content === undefined ? {} : { 'content-type': 'application/json' },
    ...(content === undefined ? {} : { body: content }),
  }));
}

function queryPair(
  parameters: NonNullable<Operation['parameters']>,
  schemas: Readonly<Record<string, Schema>>,
) {
  const ofQuery = parameters.filter((parameter) => parameter.in === 'query');
  const known = ofQuery.map(({ name, schema }) =>
    fc
      .oneof({ weight: 3, arbitrary: valueOf(schema, schemas) }, { weight: 1, arbitrary: anyText })
      .map((value) => [value].flat().map((one) => `${name}=${target(encodeURIComponent(asText(one)))}`)),
  );
  const unknown = fc.tuple(anyText, anyText).map(([name, value]) => [target(`${name}=${value}`)]);
  return known.length > 0
    ? fc.oneof({ weight: 8, arbitrary: fc.oneof(...known) }, { weight: 1, arbitrary: unknown })
    : unknown;
}

const asText = (value: unknown) => (typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value));
