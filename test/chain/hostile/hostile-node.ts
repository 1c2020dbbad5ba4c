import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { evmAhead } from './ahead-evm.js';
import { bitcoinBehind } from './behind-bitcoin.js';
import { evmBehind } from './behind-evm.js';
import { type Call, type Fault, PlanUnderWay, type Rule } from './hostile-plan.js';

export type Answer = { readonly result?: unknown; readonly error?: unknown; readonly id: Call['id'] };
/** Asks the real node behind. */
export type Ask = (method: string, ...params: readonly unknown[]) => Promise<Answer>;

const JSON_HEADERS = { 'content-type': 'application/json' };
const NOT_FOUND: Readonly<Record<string, number>> = {
  getblockhash: -8,
  getblock: -5,
  getblockheader: -5,
  getrawtransaction: -5,
};
const EMPTY: Readonly<Record<string, unknown>> = { eth_getLogs: [], eth_call: '0x', getrawmempool: [] };
const BLANKS = Buffer.alloc(65_536, ' ');

/**
 * Stands before a real node and does to its answers what a plan says: for single methods, parameters and moments,
 * for single entries of a batch, by chance with a seed. Without a plan it is as honest as the node.
 */
export class HostileNode {
  private under = new PlanUnderWay([], 0);
  private ended = new AbortController();
  private readonly asked = new Map<string, number>();

  private constructor(
    private readonly server: Server,
    private readonly nodeUrl: string,
    private readonly otherUrl: string | undefined,
  ) {}

  /**
   * @param rpcUrl of the real node; credentials in it are passed on
   * @param otherUrl of the node of another chain
   */
  static async start(rpcUrl: string, otherUrl?: string): Promise<HostileNode> {
    const server = createServer();
    const node = new HostileNode(server, rpcUrl, otherUrl);
    server.on('request', (request, response) => void node.serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From now on; a plan that was under way ends. @returns the plan, with its count of strikes */
  plan(rules: readonly Rule[], seed = 1): PlanUnderWay {
    this.honest();
    this.under = new PlanUnderWay(rules, seed);
    return this.under;
  }

  /** Whatever hung is cut off, as when somebody starts the node anew. */
  honest(): void {
    this.under = new PlanUnderWay([], 0);
    this.ended.abort();
    this.ended = new AbortController();
    setMaxListeners(0, this.ended.signal);
  }

  /** How often the current plan has struck. */
  get strikes(): number {
    return this.under.strikes.reduce((sum, n) => sum + n, 0);
  }

  /** How often a method was asked for since the start. */
  timesAsked(method: string): number {
    return this.asked.get(method) ?? 0;
  }

  async stop(): Promise<void> {
    this.honest();
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { under, ended } = this;
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const parsed = JSON.parse(text) as Partial<Call> | Partial<Call>[];
      const body = Array.isArray(parsed) ? parsed.map(callOf) : callOf(parsed);
      const calls = Array.isArray(body) ? body : [body];
      for (const { method } of calls) this.asked.set(method, this.timesAsked(method) + 1);
      const newest = under.asksNewest ? await newestHash(this.nodeUrl) : null;
      const faults = under.faultsFor(calls, Array.isArray(body), newest);
      const whole = faults.find((fault) => fault !== null && isWhole(fault)) ?? null;
      const answer = faults.every((fault) => fault === null || isWhole(fault))
        ? await post(this.nodeUrl, text)
        : JSON.stringify(await this.answers(body, faults, under));
      await send(response, answer, whole, ended.signal);
    } catch {
      response.destroy();
    }
  }

  private async answers(
    body: Call | readonly Call[],
    faults: readonly (Fault | null)[],
    under: PlanUnderWay,
  ) {
    const calls = Array.isArray(body) ? (body as readonly Call[]) : [body as Call];
    const answers = await Promise.all(calls.map((call, i) => this.answer(call, faults[i] ?? null, under)));
    const entries = answers.flat();
    return Array.isArray(body) ? entries : (entries[0] ?? null);
  }

  private async answer(call: Call, fault: Fault | null, under: PlanUnderWay): Promise<Answer[]> {
    const ask: Ask = (method, ...params) => pass(this.nodeUrl, { ...call, method, params });
    const answered = (result: unknown): Answer[] => [{ ...envelope(call), result }];
    switch (fault?.kind) {
      case 'refuse':
        return [{ ...envelope(call), error: { code: fault.code, message: fault.message } }];
      case 'forget': {
        const code = NOT_FOUND[call.method];
        if (code !== undefined)
          return [{ ...envelope(call), result: null, error: { code, message: 'not found' } }];
        return answered(EMPTY[call.method] ?? null);
      }
      case 'omit':
        return [];
      case 'twice': {
        const answer = await ask(call.method, ...call.params);
        return [answer, answer];
      }
      case 'elsewhere':
        return [await pass(fault.url, call)];
      case 'other-chain':
        return [await pass(this.otherUrl!, call)];
      case 'behind':
        return [await (call.method.includes('_') ? evmBehind : bitcoinBehind)(call, fault.blocks, ask)];
      case 'ahead':
        return [await evmAhead(call, ask)];
      case 'lie': {
        const answer = await ask(call.method, ...call.params);
        return answer.error ? [answer] : answered(fault.lie(answer.result, call, under.random));
      }
      default:
        return [await ask(call.method, ...call.params)];
    }
  }
}

async function pass(url: string, call: Call): Promise<Answer> {
  return JSON.parse(await post(url, JSON.stringify(call))) as Answer;
}

/** Of a node with accounts. */
async function newestHash(url: string): Promise<string> {
  const asked = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['latest', false] };
  const { result } = JSON.parse(await post(url, JSON.stringify(asked))) as { result: { hash: string } };
  return result.hash;
}

async function post(rpcUrl: string, body: string): Promise<string> {
  const url = new URL(rpcUrl);
  const { username, password } = url;
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  // A Bitcoin-like node closes idle connections when they are about to be used, and has few threads for them.
  const headers = { ...JSON_HEADERS, ...(username ? { authorization: basic } : {}) };
  url.username = url.password = '';
  // Not by `fetch`, whose streams cost several times what the exchange does.
  const answer = await request(url, { method: 'POST', headers, body, reset: Boolean(username) });
  return answer.body.text();
}

/** A call without parameters may leave them out. */
function callOf(given: Partial<Call>): Call {
  return { params: [], ...given } as Call;
}

/** Bitcoin Core writes no version in its answers and both fields. */
function envelope({ id, method }: Call): { id: Call['id'] } {
  return method.includes('_') ? ({ jsonrpc: '2.0', id } as { id: Call['id'] }) : { id };
}

/** Faults of the whole answer, whichever of its entries they strike. */
const WHOLE: readonly Fault['kind'][] = [
  'http',
  'hang',
  'half-open',
  'drip',
  'cut',
  'truncate',
  'malform',
  'huge',
  'reorder',
];

function isWhole({ kind }: Fault): boolean {
  return WHOLE.includes(kind);
}

async function send(response: ServerResponse, text: string, fault: Fault | null, ended: AbortSignal) {
  const ok = () => response.writeHead(200, JSON_HEADERS);
  const half = text.slice(0, Math.floor(text.length / 2));
  switch (fault?.kind) {
    case 'http':
      response.writeHead(fault.status, { ...JSON_HEADERS, ...fault.headers }).end(fault.body);
      return;
    case 'hang':
      await pause(fault.ms, ended);
      return void ok().end(text);
    case 'half-open':
      ok().write(half);
      return pause(Infinity, ended);
    case 'drip': {
      ok();
      const bytes = Math.ceil(text.length / 20);
      for (let at = 0; at < text.length; at += bytes) {
        response.write(text.slice(at, at + bytes));
        await pause(fault.ms / 20, ended);
      }
      return void response.end();
    }
    case 'cut':
      return void response.destroy();
    case 'truncate':
      return void ok().end(half);
    case 'malform':
      return void ok().end(text.replace(/:/g, ';'));
    case 'huge':
      ok();
      return blanks(response, text, fault.bytes);
    case 'reorder': {
      const entries = JSON.parse(text) as unknown;
      return void ok().end(JSON.stringify(Array.isArray(entries) ? [...entries].reverse() : entries));
    }
    default:
      return void ok().end(text);
  }
}

function blanks(response: ServerResponse, text: string, bytes: number): Promise<void> {
  function* parts(): Generator<Buffer | string> {
    for (let sent = 0; sent < bytes; sent += BLANKS.length) yield BLANKS;
    yield text;
  }
  return pipeline(Readable.from(parts()), response);
}

/** @throws when the plan ends before; the connection is cut then */
async function pause(ms: number, ended: AbortSignal): Promise<void> {
  if (Number.isFinite(ms)) return sleep(ms, undefined, { signal: ended });
  await new Promise((_, reject) => {
    if (ended.aborted) reject(new Error('the plan has ended'));
    ended.addEventListener('abort', () => reject(new Error('the plan has ended')));
  });
}
