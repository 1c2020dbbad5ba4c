import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { ServerHandshake } from './server-handshake.js';

/** What lies here unread is at most two of these. A whole TLS record is little more than four. */
const PART_BYTES = 4 * 1024;

/** @returns why a connection ends before this part is handed on, or `null` */
export type Refusal = (handedOnBytes: number, part: Uint8Array) => Error | null;

/**
 * A connected socket as a stream of its own. Beneath TLS, Node reads a socket past whoever holds it; of any other stream it is
 * handed each part, so that all that comes is counted before it is read: handshakes, tickets and new keys too.
 */
export class MeteredConnection extends Duplex {
  /** Of all that came. */
  handedOnBytes = 0;

  /**
   * @param refusal asked before a part is handed on, with the bytes until then and this part's
   * @param handshake looks at what comes until TLS stands, before it is handed on
   */
  constructor(
    private readonly socket: Socket,
    private readonly refusal: Refusal,
    private readonly handshake: ServerHandshake | null = null,
  ) {
    super({ allowHalfOpen: false, readableHighWaterMark: PART_BYTES });
    socket.on('data', (bytes: Buffer) => {
      if (this.handshake && !this.handshake.isOver) this.lookAt(bytes, this.handshake);
      else this.handOn(bytes);
    });
    socket.on('timeout', () => this.emit('timeout'));
    socket.once('end', () => this.push(null));
    socket.once('error', (error) => this.destroy(error));
    socket.once('close', () => {
      // What has ended may still be read from here.
      if (!socket.readableEnded) this.destroy();
    });
  }

  /** @param line of `keylog`, for the handshake: one that is over has no more to say, unless OpenSSL has read another one */
  learn(line: Buffer): void {
    try {
      this.handshake?.learn(line);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  /** As of a socket; `timeout` is told here. */
  setTimeout(ms: number): this {
    this.socket.setTimeout(ms);
    return this;
  }

  ref(): void {
    this.socket.ref();
  }

  unref(): void {
    this.socket.unref();
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(bytes: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.socket.write(bytes, done);
  }

  override _final(done: () => void): void {
    this.socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }

  private lookAt(bytes: Buffer, handshake: ServerHandshake): void {
    try {
      handshake.add(bytes);
      for (let next = handshake.next(); next && !this.destroyed; next = handshake.next())
        this.handOn(next, handshake.isOver);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  /** @param mayWait a handshake is handed on whole: it is short, and what is left of it must not come again */
  private handOn(bytes: Buffer, mayWait = true): void {
    for (let at = 0; at < bytes.length; at += PART_BYTES) {
      const part = bytes.subarray(at, at + PART_BYTES);
      this.handedOnBytes += part.length;
      const refusal = this.refusal(this.handedOnBytes, part);
      if (refusal) return void this.destroy(refusal);
      if (this.push(part) || !mayWait) continue;
      // Nobody takes it now, or any more.
      this.socket.pause();
      const rest = bytes.subarray(at + PART_BYTES);
      if (rest.length > 0) this.socket.unshift(rest);
      return;
    }
  }
}
