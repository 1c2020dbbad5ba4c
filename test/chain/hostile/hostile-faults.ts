import type { Fault, Lie, Rule } from './hostile-plan.js';

const refuse = (code: number, message: string): Fault => ({ kind: 'refuse', code, message });

/** Errors with the codes and the words of real providers. */
export const REFUSALS = {
  limit: refuse(-32005, 'limit exceeded'),
  noMethod: refuse(-32601, 'the method does not exist / is not available'),
  pruned: refuse(-32000, 'missing trie node 3f1c (path ) state 0x3f1c is not available'),
  params: refuse(-32602, 'invalid params'),
  internal: refuse(-32603, 'internal error'),
} as const satisfies Record<string, Fault>;

const LIMIT_BODY = '{"jsonrpc":"2.0","id":null,"error":{"code":429,"message":"Too Many Requests"}}';
const HTML = '<html><head><title>Bad Gateway</title></head><body><h1>nginx</h1></body></html>';
const html = { 'content-type': 'text/html' };

/** By whatever stands before a node that took too long. */
export const GATEWAY: Fault = { kind: 'http', status: 504, body: '<h1>Gateway Time-out</h1>' };

/** What is done to an answer as such, whatever was asked. */
export const TRANSPORT = {
  tooMany: { kind: 'http', status: 429, body: LIMIT_BODY },
  tooManyEmpty: { kind: 'http', status: 429, body: '', headers: { 'retry-after': '1' } },
  serverError: { kind: 'http', status: 500, body: HTML, headers: html },
  badGateway: { kind: 'http', status: 502, body: HTML, headers: html },
  okButHtml: { kind: 'http', status: 200, body: HTML, headers: html },
  empty: { kind: 'http', status: 200, body: '' },
  noObject: { kind: 'http', status: 200, body: 'null' },
  cut: { kind: 'cut' },
  truncated: { kind: 'truncate' },
  malformed: { kind: 'malform' },
  huge: { kind: 'huge', bytes: 2 ** 20 },
  slow: { kind: 'hang', ms: 200 },
  drip: { kind: 'drip', ms: 200 },
  reordered: { kind: 'reorder' },
  twice: { kind: 'twice' },
  omitted: { kind: 'omit' },
} as const satisfies Record<string, Fault>;

export const lie = (name: string, tell: Lie): Fault => ({ kind: 'lie', name, lie: tell });
const instead = (name: string, value: unknown) => lie(name, () => value);

/** Answers of another type than the one that the method has. */
export const WRONG_TYPES = {
  number: instead('a number', 7),
  text: instead('a text', 'ok'),
  object: instead('an empty object', {}),
  list: instead('a list of nothing', [null]),
  truth: instead('true', true),
} as const satisfies Record<string, Fault>;

/** Each request is answered by either of two nodes. */
export const BALANCED: Omit<Rule, 'fault'> = { chance: 0.5, together: true };

/** Behind a balancer: either of two nodes answers, one of which has so many blocks fewer. */
export const balanced = (blocks: number): Rule => ({
  ...BALANCED,
  fault: { kind: 'behind', blocks },
});

/** These methods are not offered. */
export const refusing = (...methods: string[]): Rule => ({ methods, fault: REFUSALS.limit });

export const forgetting = (...methods: string[]): Rule => ({ methods, fault: { kind: 'forget' } });

/** Whoever sends a batch gets one error for all of it. */
export const NO_BATCHES: Rule = {
  inBatch: true,
  fault: {
    kind: 'http',
    status: 200,
    body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are not supported"}}',
  },
};

/** Faults whatever is asked, beside those of transport and of types. */
export const ANSWERED_BY_OTHERS = {
  forgotten: { kind: 'forget' },
  behind: { kind: 'behind', blocks: 2 },
  anotherChain: { kind: 'other-chain' },
} as const satisfies Record<string, Fault>;

/** Nothing is answered but that it is down. */
export const DOWN: Rule = { fault: { kind: 'http', status: 503, body: '{}' } };

export const elsewhere = (url: string): Rule => ({ fault: { kind: 'elsewhere', url } });
