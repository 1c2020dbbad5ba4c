import { constants } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import {
  checkServerIdentity,
  connect,
  createSecureContext,
  DEFAULT_CIPHERS,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { type buildConnector, errors } from 'undici';
import { MeteredConnection, type Refusal } from './metered-connection.js';
import { ServerHandshake } from './server-handshake.js';
import { TlsRecords } from './tls-records.js';

/** What honest servers send has a few of them. */
const MAX_HANDSHAKE_BYTES = 32 * 1024;
/**
 * A server of TLS 1.2 may ask for another, and some go on when it is refused. Four bytes ask: a record has four thousand of them, and each
 * has its certificates looked at anew. With the first.
 */
const MAX_HANDSHAKES = 2;
/** Tickets and new keys, what frames the answers, and what is not decrypted yet: of that up to three records. */
const MAX_BESIDE_BYTES = 64 * 1024;
/**
 * An honest server sends two. Each makes a session and an event, ten microseconds; of one record there may be nine hundred, and no part is
 * handed on behind it.
 */
const MAX_TICKETS = 16;
/** After the handshake: a record of new keys says nothing, and costs more than twenty microseconds. */
const MAX_SILENT_RECORDS = 128;
/** What a record beyond those says on average. */
const LEAST_SAID_BYTES = 64;
/** Servers whose last session is kept, for a shorter handshake. */
const MAX_SESSIONS = 100;

/**
 * For whoever speaks TLS to a server that is not ours. No exchange of keys over finite fields: their length is the server's choice, and
 * with 10,000 bits a handshake was 0.8 s of the processor, by the groups of TLS 1.3 0.12 s. No second handshake in TLS 1.2
 * (`disableRenegotiation()` is a server's alone).
 */
export const TLS_LIMITS = {
  ciphers: `${DEFAULT_CIPHERS}:!kDHE`,
  ecdhCurve: 'X25519:P-256:P-384:P-521',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};

/** For one connection that TLS is laid on elsewhere: Node's own check, which each request for a handshake calls again. */
export function checkedIdentity(): typeof checkServerIdentity {
  let asked = 0;
  return (host: string, certificate: PeerCertificate) => {
    asked += 1;
    return asked > MAX_HANDSHAKES ? tooMuch() : checkServerIdentity(host, certificate);
  };
}

/** Whatever it would have answered. */
class TlsTooLarge extends Error {
  override readonly name = 'TlsTooLarge';
  readonly code = 'ERR_TLS_TOO_LARGE';
}

const tooMuch = () => new TlsTooLarge('TLS carries more than it says');

interface Connected {
  /** In the clear. */
  readonly socket: Socket;
  /** For the handshake. */
  readonly withinMs: number;
}

/** Lays TLS on connections. Beside as many bytes as it says, a server may send few: what says nothing is work for us all the same. */
export class BoundedTls {
  private readonly sessions = new Map<string, Buffer>();
  private context: SecureContext | undefined;

  /** @param ca trusted certificates instead of the system's */
  constructor(private readonly ca?: string) {}

  /** @param callback told once: what speaks TLS, or why nothing does */
  over(
    { socket, withinMs }: Connected,
    { hostname, port, servername }: buildConnector.Options,
    callback: buildConnector.Callback,
  ): void {
    let handshake: { readonly bytes: number; readonly records: number } | null = null;
    let tickets = 0;
    const records = new TlsRecords();
    const refusal: Refusal = (bytes, part) => {
      // Of the parts before: these have been decrypted.
      const begun = records.begun;
      records.read(part);
      const isTooMuch =
        handshake === null
          ? bytes > MAX_HANDSHAKE_BYTES
          : bytes > handshake.bytes + 2 * tls.bytesRead + MAX_BESIDE_BYTES ||
            begun > handshake.records + tls.bytesRead / LEAST_SAID_BYTES + MAX_SILENT_RECORDS ||
            tickets > MAX_TICKETS;
      return isTooMuch ? tooMuch() : null;
    };
    const metered = new MeteredConnection(socket, refusal, new ServerHandshake(MAX_HANDSHAKE_BYTES));
    const server = `${hostname}:${port}`;
    const name = servername ?? (isIP(hostname) === 0 ? hostname : '');
    let tls: TLSSocket;
    try {
      tls = connect({
        socket: metered,
        host: hostname,
        servername: name,
        session: this.sessions.get(server),
        secureContext: this.sharedContext(),
        ALPNProtocols: ['http/1.1'],
      });
    } catch (error) {
      metered.destroy();
      return callback(error as Error, null);
    }
    const late = setTimeout(() => {
      tls.destroy(new errors.ConnectTimeoutError('the TLS handshake took too long'));
    }, withinMs);
    let isTold = false;
    const tell = (error: Error | null) => {
      if (isTold) return;
      isTold = true;
      clearTimeout(late);
      if (error) callback(error, null);
      else callback(null, tls);
    };
    // To its end: more than one may come, and one that nobody hears ends the process.
    tls.on('error', tell);
    // Not undici's own error for it, after which it would connect again and again.
    tls.once('close', () =>
      tell(Object.assign(new Error('ended before TLS was established'), { code: 'ECONNRESET' })),
    );
    tls.on('keylog', (line: Buffer) => metered.learn(line));
    let handshakes = 0;
    tls.on('secure', () => {
      handshakes += 1;
      if (handshakes > MAX_HANDSHAKES) tls.destroy(tooMuch());
    });
    tls.once('secureConnect', () => {
      handshake = { bytes: metered.handedOnBytes, records: records.begun };
      tell(null);
    });
    tls.on('session', (session) => {
      tickets += 1;
      this.keep(server, session);
    });
    keptAliveBy(tls, metered);
  }

  /** For all connections: one for each would take half a millisecond to make. */
  private sharedContext(): SecureContext {
    this.context ??= createSecureContext({ ca: this.ca, ...TLS_LIMITS });
    return this.context;
  }

  private keep(server: string, session: Buffer): void {
    this.sessions.delete(server);
    this.sessions.set(server, session);
    const [oldest] = this.sessions.keys();
    if (this.sessions.size > MAX_SESSIONS && oldest !== undefined) this.sessions.delete(oldest);
  }
}

/** An idle connection keeps no process alive, where what lies beneath it does not. */
function keptAliveBy(tls: TLSSocket, beneath: MeteredConnection): void {
  tls.ref = () => {
    beneath.ref();
    return tls;
  };
  tls.unref = () => {
    beneath.unref();
    return tls;
  };
}
