import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** What lies here unread is at most two of these. A whole TLS record is little more than four. */
const PART_BYTES = 4 * 1024;

/** @returns why a connection ends before this part is handed on, or `null` */
export type Refusal = (handedOnBytes: number, part: Uint8Array) => Error | null;

/** Calls `goOn` when what has come may be handed on; never, once the connection is destroyed. */
export type Turns = (goOn: () => void) => void;

/**
 * A connected socket as a stream of its own. Beneath TLS, Node reads a socket past whoever holds it; of any other stream it is
 * handed each part, so that all that comes is counted before it is read: handshakes, tickets and new keys too.
 */
export class MeteredConnection extends Duplex {
  /** Of all that came. */
  handedOnBytes = 0;
  /** It has asked for its turn; what comes lies in the socket until then, and its end behind it. */
  private isWaiting = false;
  private isItsTurn = false;
  /** Nobody took the last part; `_read` says when. */
  private isFull = false;

  /**
   * @param refusal asked before a part is handed on, with the bytes until then and this part's
   * @param turns what comes waits for its turn, until `promptly`; none where it never waits
   */
  constructor(
    private readonly socket: Socket,
    private readonly refusal: Refusal,
    private turns: Turns | null = null,
  ) {
    super({ allowHalfOpen: false, readableHighWaterMark: PART_BYTES });
    socket.on('data', (bytes: Buffer) => {
      if (this.turns && !this.isItsTurn) this.waitFor(this.turns, bytes);
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

  /** From now on what comes is handed on at once. */
  promptly(): void {
    this.turns = null;
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
    if (!this.isWaiting) this.socket.resume();
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

  private waitFor(turns: Turns, bytes: Buffer): void {
    this.socket.pause();
    this.socket.unshift(bytes);
    if (this.isWaiting) return;
    this.isWaiting = true;
    turns(() => {
      [this.isWaiting, this.isItsTurn] = [false, true];
      // Says `data`.
      this.socket.read();
      this.isItsTurn = false;
      if (!this.isFull) this.socket.resume();
    });
  }

  private handOn(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += PART_BYTES) {
      const part = bytes.subarray(at, at + PART_BYTES);
      this.handedOnBytes += part.length;
      const refusal = this.refusal(this.handedOnBytes, part);
      if (refusal) return void this.destroy(refusal);
      this.isFull = !this.push(part);
      if (!this.isFull) continue;
      // Nobody takes it now, or any more.
      this.socket.pause();
      const rest = bytes.subarray(at + PART_BYTES);
      if (rest.length > 0) this.socket.unshift(rest);
      return;
    }
  }
}
