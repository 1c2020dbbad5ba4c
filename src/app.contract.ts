import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { loadConfig } from './config/load-config.js';
import { PAYMENT_EVENT_DOCS } from './modules/intents/api/event.http.js';
import { INTENT_FIELD_CODES } from './modules/intents/api/field-codes.http.js';
import { INTENT_HEADERS } from './modules/intents/api/headers.http.js';
import { contractOutline } from './modules/site/contract.http.js';
import type { Documented } from './modules/site/site.types.js';
import { EXAMPLE_BASE_URL } from './modules/site/site.types.js';
import { RETRY_WAITS_MS, TEST_EVENT_DOCS } from './modules/webhooks/webhooks.http.js';
import { FIELD_CODES } from './platform/http/input/field-codes.js';
import type { OpenApi } from './platform/openapi/document.js';
import { openApiDocument } from './platform/openapi/openapi.js';

/** What the documentation tells beside the contract. */
export const DOCUMENTED: Documented = {
  retryWaitsMs: RETRY_WAITS_MS,
  fieldCodes: { ...INTENT_FIELD_CODES, ...FIELD_CODES },
};

/** The contract of an application at this address: its operations, and the events that it sends. */
export function contractOf(app: INestApplication, baseUrl: string): Promise<OpenApi> {
  const parts = [{ headers: INTENT_HEADERS }, PAYMENT_EVENT_DOCS, TEST_EVENT_DOCS];
  return openApiDocument(app, contractOutline(baseUrl), parts);
}

/** Nothing is connected to; only the addresses are seen, in the contract. */
const ENV = {
  NODE_ENV: 'production',
  BASE_URL: EXAMPLE_BASE_URL,
  CHECKOUT_URL: 'https://pay.rappen.example',
  DATABASE_URL: 'postgres://localhost/none',
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
  ETHEREUM_RPC_URL: 'http://localhost:8545',
};

/** The contract of this code as it is committed (docs/openapi.json), without starting the application. */
export async function contractText(): Promise<string> {
  const app = await NestFactory.create(AppModule.with(loadConfig(ENV)), { preview: true, logger: false });
  const document = await contractOf(app, EXAMPLE_BASE_URL);
  await app.close();
  return `${JSON.stringify(document, null, 2)}\n`;
}
