/** Short and true: what an integration needs, and where the rest is. https://llmstxt.org */
export const llmsText = (baseUrl: string): string => `# Rappen

> A self-hosted service that lets a merchant charge CHF, EUR or USD and be paid in crypto, straight into the
> merchant's own wallet. REST API, hosted checkout, signed webhooks.

1. POST ${baseUrl}/api/v1/intents with {"amount": 49.90, "currency": "CHF", "idempotencyKey": "order-1001-1"} and
   the header Authorization: Bearer <key>. Keep the id of the answer with the order.
2. Redirect the buyer (303) to checkoutUrl of the answer. The payment window is 15 minutes.
3. Verify each webhook by Standard Webhooks 1.0.0 over the raw body. Deliveries come at least once, in no promised
   order: apply one only if its sequence is higher than the last for that intent. Answer 2xx within 10 seconds.
4. Fulfil the order when an event of type payment.status says data.intent.status = settled; never on the buyer's
   return alone. expired, failed and cancelled are the other ends; expired may still become settled, by the merchant.

What surprises:

- A repeated idempotencyKey returns the original intent with 200, for ever, whatever the rest of the request says,
  even when it has expired. A second attempt at an order takes a new key.
- GET ${baseUrl}/api/v1/intents?idempotencyKey=order-1001-1 finds the intent of an order; GET of one intent has
  payment: received, missing, transfers. Every intent, in answers and events, names its idempotencyKey;
  but an event keeps the fields of the day on which it was written, and those of version 0.1.0 have none.
- POST ${baseUrl}/api/v1/intents/<id>/cancel calls a payment off; 409 once it is complete or has ended.
- GET ${baseUrl}/api/v1/events?after=<event id> lists what you have missed, in the order of commit, for ever the same.
  Go on from the id of the last event of this list that you have dealt with: webhooks come in no promised order, and
  after the id of one, what precedes it here and has not arrived yet would be skipped.
- amount is a JSON number of at most two decimals; crypto amounts are strings. Nothing is rounded.
- Unknown fields and parameters are refused with 400. Errors are application/problem+json: branch on code.
- 429 and 503: wait for Retry-After and send the same request again, with the same key.

## Reference

- [Documentation](${baseUrl}/docs): fields, answers, and code in TypeScript, Python, PHP, Go and shell
- [OpenAPI 3.1](${baseUrl}/openapi.json): the contract, webhooks included
- [Problems](${baseUrl}/problems): every error, its cause and its fix
`;
