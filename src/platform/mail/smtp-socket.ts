import { connect, type Socket } from 'node:net';
import { sharedLookup } from '../outgoing/name-lookup.js';

export interface SocketLimits {
  /** To the first byte that may be written. */
  readonly connectMs: number;
  /** The whole exchange, however busily the other side goes on talking. */
  readonly exchangeMs: number;
  /** What the other side may say in all: answers to the few commands of one mail are some kilobytes. */
  readonly receivedBytes: number;
}

/** A timer, because what is read goes to whoever uses the socket, and listening beside it would set it flowing. */
const LOOK_EVERY_MS = 50;

/**
 * A connected socket that ends itself at its limits; whoever uses it sees an error.
 * @throws Error when nothing answers in time
 */
export function limitedSocket(host: string, port: number, limits: SocketLimits): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: sharedLookup });
    const end = (why: string) => socket.destroy(new Error(why));
    const connecting = setTimeout(() => end('The mail server does not answer.'), limits.connectMs);
    const whole = setTimeout(
      () => end('The exchange with the mail server took too long.'),
      limits.exchangeMs,
    );
    const bytes = setInterval(() => {
      if (socket.bytesRead > limits.receivedBytes) end('The mail server says too much.');
    }, LOOK_EVERY_MS);
    socket.once('error', reject);
    socket.once('connect', () => {
      clearTimeout(connecting);
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('close', () => {
      for (const timer of [connecting, whole, bytes]) clearTimeout(timer);
    });
  });
}
