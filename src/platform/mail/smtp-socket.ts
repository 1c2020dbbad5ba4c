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

/** Under TLS Node reads a socket past us; who speaks there has proved to be the server that the operator named. */
const LOOK_EVERY_MS = 50;

/**
 * A connected socket that ends itself at its limits; whoever uses it sees an error, and of what is in the clear no byte
 * beyond them.
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
    const endIfOver = (received: number) => {
      if (received > limits.receivedBytes) end('The mail server says too much.');
    };
    const bytes = setInterval(() => endIfOver(socket.bytesRead), LOOK_EVERY_MS);
    limitReceived(socket, endIfOver);
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

/** Where Node hands over what came: who listens to a socket gets it at once and never calls `read`, which `limitAnswers` counts. */
function limitReceived(socket: Socket, endIfOver: (received: number) => void): void {
  const push = socket.push.bind(socket);
  let received = 0;
  socket.push = (part: Buffer | null) => {
    received += part?.length ?? 0;
    endIfOver(received);
    return !socket.destroyed && push(part);
  };
}
