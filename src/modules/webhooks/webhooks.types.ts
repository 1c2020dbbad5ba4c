import type { SealedColumns } from '../../platform/secrets/sealed-columns.js';

/** Rotation moves the ciphertext from `secret` to `previous_secret` as it is, hence one place for both. */
export const SEALED_SECRETS: SealedColumns = {
  table: 'webhook_endpoint',
  columns: ['secret', 'previous_secret'],
  boundAs: 'secret',
};

/** What an endpoint may ask for. */
export const ENDPOINT_EVENTS = ['payment.status', 'payment.money'] as const;
export type EndpointEvent = (typeof ENDPOINT_EVENTS)[number];

/** `webhook.test` is sent to one endpoint when somebody asks for it, and says nothing about any payment. */
export type EventType = EndpointEvent | 'webhook.test';

/** An event as it was written; `body` is what is signed, byte for byte. */
export interface StoredEvent {
  readonly id: string;
  readonly type: EventType;
  readonly sequence: number;
  readonly body: string;
  readonly createdAt: Date;
}

/** An event as the log lists it. */
export type LoggedEvent = Pick<StoredEvent, 'id' | 'body'>;

export const DELIVERY_STATES = ['pending', 'held', 'sending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** An endpoint is named together with its merchant, so that nobody can act on another's by its id alone. */
export interface EndpointRef {
  readonly merchantId: string;
  readonly endpointId: string;
}

/** Why an endpoint is disabled: by a person, by a 410 of its own, or after five days without a success. */
export type DisabledReason = 'by-merchant' | 'answered-410' | 'failing';

/** An endpoint as its merchant sees it; the secret is shown once, at creation and rotation. */
export interface WebhookEndpointView {
  readonly id: string;
  readonly url: string;
  readonly events: readonly EndpointEvent[];
  readonly disabledAt: Date | null;
  readonly disabledReason: DisabledReason | null;
  readonly createdAt: Date;
}

/** As far as deliveries are counted: nobody needs to know how many more wait, and how many do is the outside's to say. */
export const MOST_COUNTED = 10_000;

/** An endpoint that does not take what is sent to it. */
export interface EndpointTrouble {
  readonly endpointId: string;
  readonly url: string;
  /** We gave it up: after days without a success, or because it said that it is gone. */
  readonly disabled: boolean;
  /** Events that were not taken yet, tried or not, or are held; counted up to `MOST_COUNTED`. */
  readonly waiting: number;
}

/** How an endpoint fares, for whoever looks after it. */
export interface EndpointHealth {
  readonly endpointId: string;
  /** Among its latest thousand deliveries; `null` when none of them has arrived. */
  readonly lastArrivedAt: Date | null;
  /** The first failure since the last success; `null` when the last try arrived. */
  readonly failingSince: Date | null;
  /** Deliveries that are due or wait for another try, counted up to `MOST_COUNTED`. */
  readonly waiting: number;
  /** Deliveries that wait for it to be enabled, counted up to `MOST_COUNTED`. */
  readonly held: number;
}

/** What waits to be sent, for the metrics. */
export interface WebhookBacklog {
  /** Deliveries to endpoints that take them, due or waiting for their next try, counted up to `MOST_COUNTED`. */
  readonly pending: number;
  /** For how long the longest due of them has been due; 0 when none is. */
  readonly oldestAgeS: number;
  /** Deliveries that some instance is sending at this moment. */
  readonly sending: number;
}

export interface DeliveryRef {
  readonly merchantId: string;
  readonly deliveryId: string;
}

/** One event on its way to one endpoint. */
export interface DeliveryView {
  readonly id: string;
  readonly endpointId: string;
  /** The `webhook-id` of every attempt. */
  readonly eventId: string;
  readonly eventType: EventType;
  /** Whom the event is about: an intent, or the endpoint itself for a test. */
  readonly subject: string;
  readonly sequence: number;
  readonly state: DeliveryState;
  /** Tries made in the present run through the schedule; a redelivery starts from 0. */
  readonly attempts: number;
  /** When the next try is due; `null` when none is planned or one is under way. */
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  /** When it last arrived. */
  readonly deliveredAt: Date | null;
  /** The latest try in the log; `null` before the first, and after retention has removed it. */
  readonly lastAttempt: Omit<AttemptView, 'id' | 'number' | 'response'> | null;
}

/** One try, as it is logged. */
export interface AttemptView {
  readonly id: string;
  /** Counts from 1 in each run through the schedule. */
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** `null` when no answer came. */
  readonly httpStatus: number | null;
  /** Why the exchange did not complete (`timeout`, `connect-failed`, …), or `null` when it did. */
  readonly error: string | null;
  /** The first 1 KiB of the answer as printable text; the receiver chose it, so it is shown as text only. */
  readonly response: string | null;
}

export interface DeliveryFilter {
  readonly state?: DeliveryState;
  /** Only what failed at least once and has not arrived: given up, held, or waiting for another try. */
  readonly failed?: boolean;
  /** Only what was written at this time or later. */
  readonly since?: Date;
  /** The `next` of the page before. */
  readonly after?: string;
  /** 1 to 100; 50 by default. */
  readonly limit?: number;
}

/** Newest first. */
export interface DeliveryPage {
  readonly items: readonly DeliveryView[];
  /** `after` of the next page; `null` on the last. */
  readonly next: string | null;
}

/** The request that a try of a delivery makes. */
export interface DeliveryRequest {
  /** Where it would go now: of an endpoint whose URL was changed, earlier tries went elsewhere. */
  readonly url: string;
  readonly body: string;
  /** As they would be now: every try has a timestamp and a signature of its own, the others never change. */
  readonly headers: Readonly<Record<string, string>>;
}
