import type { components, operations } from './contract.js';

type Schemas = components['schemas'];

export type PaymentIntent = Schemas['PaymentIntentResponse'];
export type PageOfIntents = Schemas['PageOfIntentsResponse'];
export type CreateIntentRequest = Schemas['CreateIntentRequest'];
export type Problem = Schemas['ProblemDocument'];
export type FieldError = Schemas['FieldErrorDocument'];
export type PaymentStatusEvent = Schemas['PaymentStatusEvent'];
export type WebhookTestEvent = Schemas['WebhookTestEvent'];
/** Branch on `type`: a test says nothing about any payment. */
export type WebhookEvent = PaymentStatusEvent | WebhookTestEvent;
export type IntentStatus = PaymentIntent['status'];

/** Which intents, and of which page. Times in ISO 8601 with an offset. */
export type ListIntentsQuery = NonNullable<operations['listIntents']['parameters']['query']>;
