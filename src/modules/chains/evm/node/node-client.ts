import { type Address, createPublicClient, type Hex, type PublicClient } from 'viem';
import type { z } from 'zod';
import { nodeAnswer } from '../../watching/node-answer.js';
import type { NodeHttp, NodeHttpOptions } from '../../watching/node-http.js';
import { evmBytes } from './answers/rpc-answers.js';
import { type Asking, nodeTransport } from './node-transport.js';

/** What `askNode` asks through. The other methods of viem's client would believe the answers. */
export type NodeClient = Pick<PublicClient, 'request'>;

export interface AskOptions {
  readonly retryCount?: number;
  readonly signal?: AbortSignal | undefined;
}

export function nodeClient(url: string, limits: NodeHttpOptions | NodeHttp, asking: Asking): NodeClient {
  return createPublicClient({ transport: nodeTransport(url, limits, asking) });
}

/**
 * One call, judged by the answer's schema whatever viem's types promise.
 * @throws InconsistentNode for an answer that is not what the protocol says
 */
export async function askNode<Answer extends z.ZodType>(
  client: NodeClient,
  answer: Answer,
  method: string,
  params: readonly unknown[],
  options: AskOptions = {},
): Promise<z.output<Answer>> {
  type Untold = { Method: string; Parameters: readonly unknown[]; ReturnType: unknown };
  return nodeAnswer(answer, method, await client.request<Untold>({ method, params }, options));
}

/** "0x" where none is. */
export const askCode = (client: NodeClient, address: Address): Promise<Hex> =>
  askNode(client, evmBytes, 'eth_getCode', [address, 'latest']);
