import type { INestApplication } from '@nestjs/common';
import { loadSwagger } from './decorators.js';
import type { OpenApi } from './docs.view.js';
import type { EventDocs } from './event.docs.js';
import { HEADERS } from './header.docs.js';
import { ProblemDocument } from './problem.docs.js';

const DESCRIPTION = `Charge CHF, EUR or USD and be paid in crypto, straight into your own wallet.

Create a payment intent, send the buyer to its \`checkoutUrl\`, and fulfil the order when a signed
\`payment.status\` webhook says \`settled\`. Never fulfil on the buyer's return alone.

A replay always returns the original intent: a second attempt at an order takes a new idempotency key.`;

/** The contract, from the decorators of the controllers: OpenAPI 3.1. */
export async function openApiDocument(
  app: INestApplication,
  baseUrl: string,
  events: readonly EventDocs[],
): Promise<OpenApi> {
  const { DocumentBuilder, SwaggerModule } = await loadSwagger();
  const outline = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Rappen: payment intents')
    .setDescription(DESCRIPTION)
    .setVersion('1.0')
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .setExternalDoc('Documentation', `${baseUrl}/docs`)
    .addTag('Events', 'What the service sends to your webhook endpoints.')
    .addTag('Payment intents', 'A fiat amount that a buyer pays in crypto at the hosted checkout.')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key: svc_live_…' }, 'bearer')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'The same key.' }, 'apiKey')
    .build();
  const { components, ...document } = SwaggerModule.createDocument(app, outline, {
    extraModels: [ProblemDocument],
  });
  const schemas = merged([closeRequests(components?.schemas ?? {}), ...events.map((event) => event.schemas)]);
  return nullableAsTypes({
    ...document,
    info: { ...document.info, contact: { name: 'The operator of this service', url: baseUrl } },
    servers: [
      { url: baseUrl, description: 'This service, in production or as a sandbox.', 'x-internal': false },
    ],
    webhooks: merged(events.map((event) => event.webhooks)),
    components: { ...components, schemas, headers: HEADERS },
  }) as OpenApi;
}

/** Later ones win. */
function merged(parts: readonly Readonly<Record<string, object>>[]): Record<string, object> {
  return Object.fromEntries<object>(parts.flatMap((part) => Object.entries(part)));
}

/** Unknown fields of a request are refused; of an answer, a client should take what may come one day. */
function closeRequests(schemas: Readonly<Record<string, object>>): Record<string, object> {
  const closed = Object.entries(schemas).map(([name, schema]) => [
    name,
    name.endsWith('Request') ? { ...schema, additionalProperties: false } : schema,
  ]);
  return Object.fromEntries(closed) as Record<string, object>;
}

/** What Nest writes for 3.0, in 3.1: it has no `nullable`, which becomes a union of types. */
function nullableAsTypes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(nullableAsTypes);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, nullableAsTypes(value)]),
  ) as Record<string, unknown>;
  // Nest guesses a type beside a reference, which says itself what it leads to.
  if ('$ref' in rest) delete rest['type'];
  if (nullable !== true) return nullable === undefined ? rest : { ...rest, nullable };
  return { ...rest, type: [rest['type'], 'null'] };
}
