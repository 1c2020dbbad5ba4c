import { z } from 'zod';
import { readForeign } from '../../../platform/outgoing/read-foreign.js';

const ANSWER = z.object({
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).nullish(),
});

/** One JSON-RPC call to a local node, with the credentials of its URL. @returns its result, which nobody has looked at */
export async function rpc(
  rpcUrl: string,
  method: string,
  params: readonly unknown[] = [],
  timeoutMs = 5_000,
): Promise<unknown> {
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
  const { result, error } = await readForeign(ANSWER, await response.json(), wrongAnswer(method));
  if (error) throw new Error(`${method}: ${error.message}`);
  if (result === undefined) throw wrongAnswer(method)('has neither a result nor an error');
  return result;
}

/** The same call, for a result that is read. @param schema what the method answers */
export async function readRpc<Schema extends z.ZodType>(
  schema: Schema,
  ...call: Parameters<typeof rpc>
): Promise<z.output<Schema>> {
  const [, method] = call;
  return readForeign(schema, await rpc(...call), wrongAnswer(method));
}

function wrongAnswer(method: string) {
  return (problems: string) => new Error(`${method}: the answer ${problems}`);
}

/** fetch refuses a URL with credentials in it. */
function withoutCredentials(rpcUrl: string): { username: string; password: string; href: string } {
  const url = new URL(rpcUrl);
  const { username, password } = url;
  url.username = url.password = '';
  return { username, password, href: url.href };
}
