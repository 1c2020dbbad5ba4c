import type { IncomingHttpHeaders } from 'node:http';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { AnswerTooLarge, limitAnswers, MAX_HEAD_BYTES, mostParsedBytes } from './answer-limit.js';
import { BoundedTls } from './bounded-tls.js';
import { sharedLookup } from './name-lookup.js';

/** An honest server sends one or two (100, 103); each more is a callback of the parser that nobody reads. */
const MAX_INFORMATIONAL = 8;

export interface OutgoingOptions extends Omit<
  Agent.Options,
  'connect' | 'maxHeaderSize' | 'maxResponseSize'
> {
  /** Of an answer, chunk extensions and trailers included. One that has more is cut off there. */
  readonly maxBodyBytes: number;
  /** For a connection: its name, TCP and TLS together. */
  readonly connectMs: number;
  /** Of TCP alone, instead of to any address. */
  readonly connect?: buildConnector.connector;
  /** Trusted certificates instead of the system's, for tests. */
  readonly ca?: string;
}

/** Whatever a request says, it ends with its signal's deadline. */
export type OutgoingRequest = Omit<Dispatcher.RequestOptions, 'onInfo' | 'highWaterMark' | 'signal'> & {
  readonly signal: AbortSignal;
};

/** Takes an answer as it comes. */
export interface AnswerReader {
  head(status: number, headers: IncomingHttpHeaders): void;
  /** @returns whether more of it is wanted: the exchange is over where none is, and so is its connection */
  body(chunk: Uint8Array): boolean;
}

export interface Exchange {
  /** Rejects where the answer breaks off, or none comes. */
  readonly ended: Promise<void>;
  /** Cuts the connection, as soon as there is one. */
  readonly abort: () => void;
}

/**
 * How the service speaks to servers that are not its own. Whatever they send, an exchange costs a bounded number of bytes and
 * of calls.
 */
export class OutgoingAgent {
  private readonly agent: Agent;
  private readonly maxBodyBytes: number;

  constructor({ maxBodyBytes, connectMs, connect, ca, ...options }: OutgoingOptions) {
    const dial = connect ?? buildConnector({ lookup: sharedLookup, timeout: connectMs });
    const tls = new BoundedTls(ca);
    const bounded: buildConnector.connector = (target, callback) => {
      const lateMs = performance.now() + connectMs;
      const limited: buildConnector.Callback = (...[error, socket]) => {
        if (error) return callback(error, null);
        limitAnswers(socket, maxBodyBytes);
        callback(null, socket);
      };
      if (target.protocol !== 'https:') return dial(target, limited);
      dial({ ...target, protocol: 'http:', port: target.port || '443' }, (...[error, socket]) => {
        if (error) return callback(error, null);
        tls.over({ socket, withinMs: lateMs - performance.now() }, target, limited);
      });
    };
    // Undici makes an error of each header or trailer beyond its own limit, and an attacker sends thousands in one part:
    // the connection is cut by its raw bytes before.
    const maxHeaderSize = 2 * MAX_HEAD_BYTES + maxBodyBytes;
    this.agent = new Agent({ pipelining: 1, ...options, maxHeaderSize, connect: bounded });
    this.maxBodyBytes = maxBodyBytes;
  }

  /** Redirects are not followed. */
  request(options: OutgoingRequest): Promise<Dispatcher.ResponseData> {
    return this.agent.request({
      ...options,
      onInfo: fewInformational(),
      // Undici 7 throws where nobody can catch it when a connection ends while its parser is paused, because the reader is
      // slower: it is never paused by what the limit lets through.
      highWaterMark: mostParsedBytes(this.maxBodyBytes) + 1,
    });
  }

  /** The same without a stream for the answer, which takes longer than all else of a short one. Whoever asks sets a deadline. */
  exchange(options: Omit<OutgoingRequest, 'signal'>, reader: AnswerReader): Exchange {
    let controller: Dispatcher.DispatchController | undefined;
    let isAborted = false;
    const abort = () => {
      isAborted = true;
      controller?.abort(new Error('the exchange was aborted'));
    };
    const countInformational = fewInformational();
    const ended = new Promise<void>((resolve, reject) => {
      this.agent.dispatch(options, {
        onRequestStart(started) {
          controller = started;
          if (isAborted) abort();
        },
        onResponseStart(_, status, headers) {
          if (status < 200) countInformational();
          else reader.head(status, headers);
        },
        onResponseData(_, chunk) {
          if (reader.body(chunk)) return;
          resolve();
          abort();
        },
        onResponseEnd: () => resolve(),
        onResponseError: (_, error) => reject(error),
      });
    });
    return { ended, abort };
  }

  destroy(): Promise<void> {
    return this.agent.destroy();
  }
}

/** For the `onInfo` of one request: undici aborts it with what this throws. */
function fewInformational(): () => void {
  let informational = 0;
  return () => {
    if (++informational > MAX_INFORMATIONAL) throw new AnswerTooLarge('too many informational answers');
  };
}
