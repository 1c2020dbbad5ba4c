import type { EndpointEvent, EndpointRef } from '../../../webhooks/webhooks.types.js';
import type { Form } from '../../domain/form.js';
import type { RequestContext } from '../../session/request-context.js';

/** An endpoint of this person's merchant. */
export function refOf({ merchantId }: RequestContext, endpointId: string): EndpointRef {
  return { merchantId, endpointId };
}

/** What the form asks for: every change of a status, and money of ended payments where its box is ticked. */
export function askedEvents(form: Form): EndpointEvent[] {
  return form.checked('money') ? ['payment.status', 'payment.money'] : ['payment.status'];
}
