import { BaseError, RpcRequestError } from 'viem';
import { fieldsOf } from '../../../kernel/error-fields.js';
import { parseUrl } from '../../../kernel/text/parse-url.js';
import { printableText } from '../../../kernel/text/printable.js';
import {
  InconsistentNode,
  LogsRefused,
  NoCommonAncestor,
  NodesDisagree,
  NodeWithoutPeers,
  SecondNodeSilent,
  WrongChain,
  WrongToken,
} from '../node.errors.js';

/** Of a line; more of what was said is looked through, because secrets and blanks go out of it. */
const MOST_CHARS = 300;
const MOST_READ_CHARS = 10_000;
/** Causes of causes: viem's error, fetch's, the socket's. */
const MOST_CAUSES = 5;

/** A JSON-RPC answer that is an error; `null` for anything else, such as a connection that failed. */
export function rpcError(error: unknown): { readonly code: number; readonly message: string } | null {
  if (error instanceof SecondNodeSilent) return rpcError(error.reason);
  if (!(error instanceof BaseError)) return null;
  const answer = error.walk((cause) => cause instanceof RpcRequestError);
  return answer instanceof RpcRequestError ? { code: answer.code, message: answer.details } : null;
}

/** Where the system says that no connection was made. */
const NOT_CONNECTED: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/**
 * Whether a smaller question might be answered. Nodes, and gateways before them, say "too much" in many ways: by an error,
 * by a page of HTML, by more than is read, by silence, by hanging up. Only where nobody was asked does less not help.
 */
export function mayBeTooMuch(error: unknown): boolean {
  if (error instanceof SecondNodeSilent) return mayBeTooMuch(error.reason);
  return !NOT_CONNECTED.includes(codeOf(error));
}

/** For everybody: our own words say nothing that is secret, a node's might. */
export function publicReason(error: unknown): string {
  const ours = [
    InconsistentNode,
    LogsRefused,
    WrongChain,
    WrongToken,
    NodeWithoutPeers,
    NoCommonAncestor,
    NodesDisagree,
    SecondNodeSilent,
  ];
  // viem puts its own error around what its way to the node throws.
  const reason =
    error instanceof BaseError ? error.walk((cause) => cause instanceof InconsistentNode) : error;
  if (reason instanceof Error && ours.some((kind) => reason instanceof kind)) return reason.message;
  return 'its node does not answer as it should; the log says more';
}

/** One line for the log: which host, what it answered, and the system's code. Endpoints carry API keys in their URL, and some repeat them in their answers. */
export function describeFailure(error: unknown, rpcUrl: string, secondRpcUrl?: string): string {
  if (error instanceof SecondNodeSilent) {
    return `the second node does not answer: ${describeFailure(error.reason, secondRpcUrl ?? rpcUrl)}`;
  }
  if (error instanceof LogsRefused) {
    return `${error.message}: ${describeFailure(error.reason, rpcUrl, secondRpcUrl)}`;
  }
  const said = error instanceof BaseError ? `${error.shortMessage} ${error.details}` : String(error);
  const secrets = secretParts(rpcUrl);
  const text = printableText(said, MOST_READ_CHARS).replaceAll(rpcUrl, originOf(rpcUrl));
  const open = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), text);
  // What was cut may end with the beginning of a secret.
  const torn = said.length > MOST_READ_CHARS ? Math.max(0, ...secrets.map(({ length }) => length)) : 0;
  const words = open.slice(0, open.length - torn).replace(/\s+/g, ' ');
  const line = words.slice(0, MOST_CHARS);
  const at = [parseUrl(rpcUrl)?.host, codeOf(error)].filter((part) => part !== undefined);
  return at.length > 0 ? `${line} (${at.join(', ')})` : line;
}

/** What the system or the HTTP library calls it ("ECONNREFUSED"): `fetch failed` alone says nothing. */
function codeOf(error: unknown, depth = 0): string | undefined {
  if (depth > MOST_CAUSES) return undefined;
  const { code, cause, name } = fieldsOf(error);
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  return codeOf(cause, depth + 1) ?? (name === 'TimeoutError' ? 'TimeoutError' : undefined);
}

function originOf(url: string): string {
  return parseUrl(url)?.origin ?? 'the node';
}

/** Path segments, parameters and credentials that are long enough to be a key. */
function secretParts(url: string): string[] {
  const parsed = parseUrl(url);
  if (!parsed) return [];
  const { pathname, searchParams, username, password } = parsed;
  const parts = [...pathname.split('/'), ...searchParams.values(), username, password];
  return parts.filter((part) => part.length >= 8 || part === password).filter((part) => part !== '');
}
