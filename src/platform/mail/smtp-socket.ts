import { connect } from 'node:net';
import { MeteredConnection } from '../outgoing/metered-connection.js';
import { sharedLookup } from '../outgoing/name-lookup.js';

export interface SocketLimits {
  /** To the first byte that may be written. */
  readonly connectMs: number;
  /** The whole exchange, however busily the other side goes on talking. */
  readonly exchangeMs: number;
  /** What the other side may send in all, TLS included: answers to the few commands of one mail are some kilobytes. */
  readonly receivedBytes: number;
}

/**
 * A connection that ends itself at its limits; whoever uses it sees an error, and no byte beyond them, of TLS neither.
 * @throws Error when nothing answers in time
 */
export function limitedSocket(host: string, port: number, limits: SocketLimits): Promise<MeteredConnection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: sharedLookup, noDelay: true, keepAlive: true });
    const connection = new MeteredConnection(socket, (receivedBytes) =>
      receivedBytes > limits.receivedBytes ? new Error('The mail server says too much.') : null,
    );
    const end = (why: string) => connection.destroy(new Error(why));
    const connecting = setTimeout(() => end('The mail server does not answer.'), limits.connectMs);
    const whole = setTimeout(
      () => end('The exchange with the mail server took too long.'),
      limits.exchangeMs,
    );
    connection.once('error', reject);
    socket.once('connect', () => {
      clearTimeout(connecting);
      connection.off('error', reject);
      resolve(connection);
    });
    connection.once('close', () => {
      for (const timer of [connecting, whole]) clearTimeout(timer);
    });
  });
}
