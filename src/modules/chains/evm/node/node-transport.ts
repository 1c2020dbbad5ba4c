import { http, type HttpTransport, type HttpTransportConfig } from 'viem';
import { NodeHttp, type NodeHttpOptions } from '../../watching/node-http.js';
import { fetchOwnAnswers } from './answers/own-answers.js';

export type Asking = Pick<HttpTransportConfig, 'batch' | 'retryCount' | 'retryDelay'>;

/** viem's way to a node. Its own timers end with the headers of an answer, and it knows no other limit than bytes. */
export function nodeTransport(
  url: string,
  limits: NodeHttpOptions | NodeHttp,
  asking: Asking,
): HttpTransport {
  const node = limits instanceof NodeHttp ? limits : new NodeHttp(limits);
  return http(url, { ...asking, timeout: 0, maxResponseBodySize: false, fetchFn: fetchOwnAnswers(node) });
}
