interface Payment {
  id: string;
  status: string;
  payment: { network: string; received: string; missing: string } | null;
}

/**
 * A payment as it stands now. `payment` is `null` until the buyer has picked an asset; then `missing` is what has yet to
 * arrive. Fulfil once `status` is `settled`, and not because nothing is missing.
 */
export async function readPayment(id: string): Promise<Payment> {
  const response = await fetch(`${process.env.RAPPEN_URL}/api/v1/intents/${encodeURIComponent(id)}`, {
    headers: { authorization: `Bearer ${process.env.RAPPEN_API_KEY}` },
    signal: AbortSignal.timeout(20_000),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as Payment;
}
