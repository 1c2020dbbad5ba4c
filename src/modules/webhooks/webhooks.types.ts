/** An event as it enters the outbox. `body` is what will be signed, byte for byte. */
export interface OutboxEvent {
  readonly id: string;
  readonly merchantId: string;
  readonly type: 'payment.status';
  /** Whose sequence it belongs to (an intent). */
  readonly subject: string;
  /** Counts from 1 per subject, without gaps. */
  readonly sequence: number;
  readonly body: string;
}

export type DeliveryState = 'pending' | 'held' | 'sending' | 'delivered' | 'failed';

/** Why an endpoint is disabled: by a person, by a 410 of its own, or after five days without a success. */
export type DisabledReason = 'by-merchant' | 'answered-410' | 'failing';

/** An endpoint as its merchant sees it; the secret is shown once, at creation and rotation. */
export interface WebhookEndpointView {
  readonly id: string;
  readonly url: string;
  readonly disabledAt: Date | null;
  readonly disabledReason: DisabledReason | null;
  readonly createdAt: Date;
}

/** What waits to be sent, for the metrics. */
export interface WebhookBacklog {
  /** Deliveries that are due or wait for their next try. */
  readonly pending: number;
  /** For how long the longest due of them has been due; 0 when none is. */
  readonly oldestAgeS: number;
}
