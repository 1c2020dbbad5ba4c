import { parseCoinJson } from '../domain/coin-json.js';

/** A whole block of Bitcoin in JSON is some 10 MB and takes a small machine seconds to write. */
const TIMEOUT_MS = 30_000;

export interface RpcCall {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** The node understood the question and said no. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';

  constructor(
    method: string,
    readonly code: number,
    message: string,
  ) {
    super(`${method}: ${message} (${code})`);
  }
}

interface RawAnswer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string } | null;
}

/** JSON-RPC as Bitcoin Core and its forks speak it. Amounts named `value` come back as text, never as floats. */
export class CoreRpc {
  private readonly url: string;
  private readonly headers: Readonly<Record<string, string>>;

  /** @param rpcUrl with the credentials in it: `http://user:password@127.0.0.1:8332` */
  constructor(rpcUrl: string) {
    const url = new URL(rpcUrl);
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    this.headers = {
      'content-type': 'application/json',
      // A node waits for open connections when it is stopped, and closes idle ones when they are about to be used.
      connection: 'close',
      ...(url.username || url.password ? { authorization } : {}),
    };
    // fetch refuses a URL with credentials in it.
    url.username = url.password = '';
    this.url = url.href;
  }

  /** @throws RpcRefusal with the node's own error */
  async call<T>(method: string, ...params: readonly unknown[]): Promise<T> {
    const [answer] = await this.batch([{ method, params }]);
    if (answer instanceof RpcRefusal) throw answer;
    return answer as T;
  }

  /** In one request, answered in the order of the calls: each by its result or by the node's refusal. */
  async batch(calls: readonly RpcCall[]): Promise<unknown[]> {
    if (calls.length === 0) return [];
    const body = calls.map(({ method, params = [] }, id) => ({ jsonrpc: '1.0', id, method, params }));
    const answers = new Map((await this.post(body)).map((answer) => [answer.id, answer]));
    return calls.map(({ method }, id) => {
      const answer = answers.get(id);
      if (!answer) throw new Error(`the node left ${method} without an answer`);
      return answer.error ? new RpcRefusal(method, answer.error.code, answer.error.message) : answer.result;
    });
  }

  private async post(body: readonly unknown[]): Promise<readonly RawAnswer[]> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: this.headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (response.status === 401 || response.status === 403) {
      throw new Error(`the node answered ${response.status}: are user and password in its URL right?`);
    }
    const parsed = text.startsWith('[') ? parseCoinJson(text) : null;
    // A queue that is full, a proxy in between, a page of HTML: whatever it is, it is no answer.
    if (!Array.isArray(parsed))
      throw new Error(`the node answered ${response.status}: ${text.slice(0, 100)}`);
    return parsed as RawAnswer[];
  }
}
