/**
 * Calls a payment off, and tells its status. One that is cancelled already is answered the same; one that is complete or
 * over otherwise is refused with 409: fulfil that order, or ask a person.
 */
export async function cancelPayment(id: string): Promise<string> {
  const response = await fetch(`${process.env.RAPPEN_URL}/api/v1/intents/${encodeURIComponent(id)}/cancel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env.RAPPEN_API_KEY}` },
    signal: AbortSignal.timeout(20_000),
  });
  const answer = (await response.json()) as Record<string, string>;
  if (!response.ok) throw new Error(`${answer.code}: ${answer.detail} (traceId ${answer.traceId})`);
  return answer.status ?? '';
}
