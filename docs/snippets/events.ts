interface Event {
  id: string;
  type: string;
  sequence: number;
  data: { intent: { id: string; status: string; idempotencyKey: string | null } };
}

/**
 * Applies every event after the one with this id (`null`: from the first), oldest first. Keep what it returns: it is
 * where the next call goes on.
 */
export async function catchUp(
  after: string | null,
  apply: (event: Event) => Promise<void>,
): Promise<string | null> {
  for (let last = after; ;) {
    const query = new URLSearchParams({ pageSize: '100', ...(last === null ? {} : { after: last }) });
    const response = await fetch(`${process.env.RAPPEN_URL}/api/v1/events?${query.toString()}`, {
      headers: { authorization: `Bearer ${process.env.RAPPEN_API_KEY}` },
      signal: AbortSignal.timeout(20_000),
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    const { items, hasMore } = (await response.json()) as { items: Event[]; hasMore: boolean };
    for (const event of items) {
      await apply(event);
      last = event.id;
    }
    if (!hasMore) return last;
  }
}
