interface Order {
  id: string;
  /** A repeated key returns the payment that it made first: a second attempt at an order takes a new key. */
  attempt: number;
  total: number;
}

/** Creates the payment of an order. Keep its id with the order, and redirect the buyer: 303 to `checkoutUrl`. */
export async function createPayment(order: Order): Promise<{ id: string; checkoutUrl: string }> {
  const response = await fetch(`${process.env.RAPPEN_URL}/api/v1/intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env.RAPPEN_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      amount: order.total,
      currency: 'CHF',
      title: `Order ${order.id}`,
      idempotencyKey: `order-${order.id}-${order.attempt}`,
      returnUrl: `https://shop.example/orders/${order.id}`,
    }),
    signal: AbortSignal.timeout(20_000),
  });
  const answer = (await response.json()) as Record<string, string>;
  if (!response.ok) throw new Error(`${answer.code}: ${answer.detail} (traceId ${answer.traceId})`);
  return { id: answer.id ?? '', checkoutUrl: answer.checkoutUrl ?? '' };
}
