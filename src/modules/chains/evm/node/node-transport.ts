import { createTransport, http, type HttpTransport, type HttpTransportConfig } from 'viem';
import { NodeHttp, type NodeHttpOptions } from '../../watching/node-http.js';
import { takeBack } from './answers/aside.js';
import { fetchOwnAnswers } from './answers/own-answers.js';

export type Asking = Pick<HttpTransportConfig, 'batch' | 'retryCount' | 'retryDelay'>;

/** viem's way to a node. Its own timers end with the headers of an answer, and it knows no other limit than bytes. */
export function nodeTransport(
  url: string,
  limits: NodeHttpOptions | NodeHttp,
  asking: Asking,
): HttpTransport {
  const node = limits instanceof NodeHttp ? limits : new NodeHttp(limits);
  const options = {
    ...asking,
    timeout: 0,
    maxResponseBodySize: false,
    fetchFn: fetchOwnAnswers(node),
  } as const;
  const transport = http(url, options);
  return (client) => {
    const { config, value } = transport(client);
    // Beneath viem's own sharing of one answer between those who ask the same.
    const request = (async (...question: Parameters<typeof config.request>) =>
      takeBack(await config.request(...question))) as typeof config.request;
    return createTransport({ ...config, request }, value);
  };
}
