import { z } from 'zod';
import { type AmountField, parseCoinJson } from '../domain/coin-json.js';
import { InconsistentNode, SecondNodeSilent } from '../node.errors.js';
import { MOST_ERROR_CHARS, nodeAnswer, nodeJson, nodeList } from '../watching/node-answer.js';
import { NodeHttp } from '../watching/node-http.js';

/** A whole block of Bitcoin in JSON is some 10 MB and takes a small machine seconds to write. */
const TIMEOUT_MS = 30_000;

export interface RpcCall {
  readonly method: string;
  readonly params?: readonly unknown[];
}

export interface CoreRpcOptions {
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** Which amounts of the answers stay text. */
  readonly amounts?: AmountField;
}

/** The node understood the question and said no. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';

  constructor(
    method: string,
    readonly code: number,
    message: string,
  ) {
    super(`${method}: ${message.slice(0, MOST_ERROR_CHARS)} (${code})`);
  }
}

/** The node lets this user ask none of it: a wrong password, or a method that is not on its whitelist. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}

const MISC_ERROR = -1;

/** The node, or the second one, has thrown away the block that was asked for. */
export function isPruned(error: unknown): boolean {
  if (error instanceof SecondNodeSilent) return isPruned(error.reason);
  return error instanceof RpcRefusal && error.code === MISC_ERROR && /pruned/i.test(error.message);
}

const rpcAnswer = z.object({
  id: z.int(),
  result: z.unknown().optional(),
  error: z.object({ code: z.int(), message: z.string() }).nullish(),
});

/** JSON-RPC as Bitcoin Core and its forks speak it. Amounts named `value` come back as text, never as floats. */
export class CoreRpc {
  private readonly url: string;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly http: NodeHttp;

  /** @param rpcUrl with the credentials in it: `http://user:password@127.0.0.1:8332` */
  constructor(
    rpcUrl: string,
    private readonly options: CoreRpcOptions = {},
  ) {
    const url = new URL(rpcUrl);
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    this.headers = {
      'content-type': 'application/json',
      // A node waits for open connections when it is stopped, and closes idle ones when they are about to be used.
      connection: 'close',
      ...(url.username || url.password ? { authorization } : {}),
    };
    url.username = url.password = '';
    this.url = url.href;
    this.http = new NodeHttp({ timeoutMs: TIMEOUT_MS, ...options });
  }

  /** @throws RpcRefusal with the node's own error */
  async call(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const [answer] = await this.batch([{ method, params }]);
    if (answer instanceof RpcRefusal) throw answer;
    return answer;
  }

  /** In one request, answered in the order of the calls: each by its result or by the node's refusal. */
  async batch(calls: readonly RpcCall[]): Promise<unknown[]> {
    if (calls.length === 0) return [];
    const body = calls.map(({ method, params = [] }, id) => ({ jsonrpc: '1.0', id, method, params }));
    const answers = new Map((await this.post(body)).map((answer) => [answer.id, answer]));
    return calls.map(({ method }, id) => {
      const answer = answers.get(id);
      if (!answer) throw new InconsistentNode(`the node left ${method} without an answer`);
      return answer.error ? new RpcRefusal(method, answer.error.code, answer.error.message) : answer.result;
    });
  }

  private async post(body: readonly unknown[]): Promise<z.output<typeof rpcAnswer>[]> {
    const question = { url: this.url, headers: this.headers, body: JSON.stringify(body) };
    const { status, body: answer } = await this.http.post(question);
    if (status === 401 || status === 403) {
      throw new NotAllowed(
        `the node answered ${status}: are user and password in its URL right, and its rpcwhitelist?`,
      );
    }
    // A queue that is full, a proxy in between, a page of HTML: whatever it is, it is no answer.
    const start = answer.toString('utf8', 0, 100);
    if (!start.startsWith('[')) throw new Error(`the node answered ${status}: ${start}`);
    return nodeAnswer(nodeList(rpcAnswer, body.length), 'a request', await this.parse(answer));
  }

  private async parse(body: Buffer): Promise<unknown> {
    try {
      return await nodeJson(body, (text) => parseCoinJson(text, this.options.amounts));
    } catch (error) {
      if (error instanceof InconsistentNode) throw error;
      throw new InconsistentNode('the node answered what is no JSON', { cause: error });
    }
  }
}
