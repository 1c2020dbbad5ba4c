import type { components, operations } from './contract.js';

type Schemas = components['schemas'];

export type PaymentIntent = Schemas['PaymentIntentResponse'];
/** As a single read answers: with what has arrived. */
export type IntentWithPayment = Schemas['IntentWithPaymentResponse'];
export type Payment = NonNullable<Schemas['Payment']>;
export type PageOfIntents = Schemas['PageOfIntentsResponse'];
export type CreateIntentRequest = Schemas['CreateIntentRequest'];
export type Problem = Schemas['ProblemDocument'];
export type FieldError = Schemas['FieldErrorDocument'];
export type PaymentStatusEvent = Schemas['PaymentStatusEvent'];
export type PaymentMoneyEvent = Schemas['PaymentMoneyEvent'];
export type WebhookTestEvent = Schemas['WebhookTestEvent'];
/** Branch on `type`: money that came after the end changes no status, and a test says nothing about any payment. */
export type WebhookEvent = PaymentStatusEvent | PaymentMoneyEvent | WebhookTestEvent;
/** An event as the list has it: no test of an endpoint is among them. */
export type PaymentEvent = PaymentStatusEvent | PaymentMoneyEvent;
export type PageOfEvents = Schemas['PageOfEventsResponse'];
export type IntentStatus = PaymentIntent['status'];

/** After which event, and how many at a time. */
export type ListEventsQuery = NonNullable<operations['listEvents']['parameters']['query']>;
/** Which intents, and of which page. Times in ISO 8601 with an offset. */
export type ListIntentsQuery = NonNullable<operations['listIntents']['parameters']['query']>;
