/**
 * One JSON-RPC call to a local node, with the credentials of its URL. `T` is what the caller knows the method to
 * answer; nothing checks it.
 */
export async function rpc<T>(
  rpcUrl: string,
  method: string,
  params: unknown[] = [],
  timeoutMs = 5_000,
): Promise<T> {
  const { username, password, href } = withoutCredentials(rpcUrl);
  const response = await fetch(href, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      // A node that is stopped waits for its open connections.
      connection: 'close',
      ...(username ? { authorization: `Basic ${btoa(`${username}:${password}`)}` } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = (await response.json()) as { result: T; error?: { message: string } | null };
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}

/** fetch refuses a URL with credentials in it. */
function withoutCredentials(rpcUrl: string): { username: string; password: string; href: string } {
  const url = new URL(rpcUrl);
  const { username, password } = url;
  url.username = url.password = '';
  return { username, password, href: url.href };
}
