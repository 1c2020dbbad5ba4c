import { BaseError, RpcRequestError } from 'viem';
import { parseUrl } from '../../../kernel/parse-url.js';

/** The node's answers do not fit together: it lags, it changed its mind, or a balancer asked two of them. */
export class InconsistentNode extends Error {
  override readonly name = 'InconsistentNode';
}

/** This endpoint serves another chain than the configuration says. */
export class WrongChain extends Error {
  override readonly name = 'WrongChain';
}

/** The node shares none of the blocks that we remember: only a person can tell which of the two is right. */
export class NoCommonAncestor extends Error {
  override readonly name = 'NoCommonAncestor';
}

/** Two nodes say different things about the same block: one of them is wrong, and nobody here can tell which. */
export class NodesDisagree extends Error {
  override readonly name = 'NodesDisagree';
}

/** The second node does not answer, so nothing that the first one says is checked. */
export class SecondNodeSilent extends Error {
  override readonly name = 'SecondNodeSilent';

  constructor(readonly reason: unknown) {
    super('the second node does not answer');
  }
}

/** The code of a JSON-RPC error answer; `null` for anything else, such as a connection that failed. */
export function rpcErrorCode(error: unknown): number | null {
  if (error instanceof SecondNodeSilent) return rpcErrorCode(error.reason);
  if (!(error instanceof BaseError)) return null;
  const answer = error.walk((cause) => cause instanceof RpcRequestError);
  return answer instanceof RpcRequestError ? answer.code : null;
}

/** One line for the log. Endpoints carry API keys in their URL, and some repeat them in their answers. */
export function describeFailure(error: unknown, rpcUrl: string, secondRpcUrl?: string): string {
  if (error instanceof SecondNodeSilent) {
    return `the second node does not answer: ${describeFailure(error.reason, secondRpcUrl ?? rpcUrl)}`;
  }
  const text = error instanceof BaseError ? `${error.shortMessage} ${error.details}` : String(error);
  const secrets = secretParts(rpcUrl);
  return secrets
    .reduce((line, secret) => line.replaceAll(secret, '…'), text.replaceAll(rpcUrl, originOf(rpcUrl)))
    .replace(/\s+/g, ' ')
    .slice(0, 300);
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
