interface Payment {
  id: string;
  status: string;
  idempotencyKey: string | null;
}

/** The payment that was created with this key, or `null`: for an order whose answer got lost. */
export async function findPayment(idempotencyKey: string): Promise<Payment | null> {
  const query = new URLSearchParams({ idempotencyKey });
  const response = await fetch(`${process.env.RAPPEN_URL}/api/v1/intents?${query.toString()}`, {
    headers: { authorization: `Bearer ${process.env.RAPPEN_API_KEY}` },
    signal: AbortSignal.timeout(20_000),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  const { items } = (await response.json()) as { items: Payment[] };
  return items[0] ?? null;
}
