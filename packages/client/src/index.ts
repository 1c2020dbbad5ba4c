export { Rappen, type CreatedIntent, type IntentFilter } from './client.js';
export { verifyDepositAddress, type Destination, type IntentWithAddress } from './deposit-address.js';
export { RappenProblem, RappenUnreachable, WebhookRefused } from './errors.js';
export type { CallOptions, RappenOptions } from './transport.js';
export { verifyWebhook, type WebhookHeaders } from './webhook.js';
export type {
  CreateIntentRequest,
  FieldError,
  IntentStatus,
  IntentWithPayment,
  ListEventsQuery,
  ListIntentsQuery,
  PageOfEvents,
  PageOfIntents,
  Payment,
  PaymentEvent,
  PaymentIntent,
  PaymentMoneyEvent,
  PaymentStatusEvent,
  Problem,
  WebhookEvent,
  WebhookTestEvent,
} from './types.js';
