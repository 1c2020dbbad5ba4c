// Receivers and nodes that try to keep the service busy, in a process of their own so that what they cost is not the service's.
// Each listens on a port; until told to attack they answer 204 like any other.
import { createServer } from 'node:net';
import { Duplex } from 'node:stream';
import tls, { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { answerCalls } from '../../bench/processes/calls.mjs';
import { withCostlyOnes } from './costly-certificates.mjs';
import { ServerRecords, ServerRecordsOf12 } from './tls-records.mjs';

const block = (text, bytes = 64 * 1024) => Buffer.from(text.repeat(Math.ceil(bytes / text.length)));
const OK = 'HTTP/1.1 200 OK\r\n';

/** As fast as the other side reads. */
function floodWith(socket, next) {
  const more = () => {
    while (!socket.destroyed && socket.write(next()));
  };
  socket.on('drain', more);
  more();
}

/** Writes a block again and again. */
const flood = (start, again) => (socket) => {
  socket.write(start);
  floodWith(socket, () => again);
};

const drip =
  (start, again, everyMs = 20) =>
  (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(again), everyMs);
    socket.on('close', () => clearInterval(timer));
  };

/** By name: what a receiver does on a connection once a request has come. */
const ATTACKS = {
  'endless 103': flood('', block('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')),
  'endless 102': flood('', block('HTTP/1.1 102 P\r\n\r\n')),
  'endless chunk extension': flood(`${OK}transfer-encoding: chunked\r\n\r\n1;`, block('a=b;')),
  'chunks of one byte': flood(`${OK}transfer-encoding: chunked\r\n\r\n`, block('1\r\na\r\n')),
  'endless trailers': flood(`${OK}transfer-encoding: chunked\r\n\r\n0\r\n`, block('x-t: a\r\n')),
  'endless headers': flood(OK, block('x-a: b\r\n')),
  'one endless header': flood(`${OK}x-a: `, block('a')),
  'endless status text': flood('HTTP/1.1 200 ', block('a')),
  'endless body': flood(`${OK}\r\n`, block('x')),
  // A gigabyte of blanks in each megabyte.
  'gzip bomb': flood(`${OK}content-encoding: gzip\r\n\r\n`, gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))),
  'dripped headers': drip(OK, 'x-a: b\r\n'),
  'dripped body': drip(`${OK}\r\n`, '.'),
  'endless blank lines': flood('', block('\r\n')),
  'silence, half open': () => undefined,
  reset: (_socket, { tcp }) => tcp.resetAndDestroy(),
  garbage: (socket) => socket.end(block('\0\xff')),
};
/** By name: what is done under TLS once a request has come, or the handshake is done, that says nothing of an answer. */
const TLS_ATTACKS = {
  'endless tickets': (_socket, { tcp, secret }) => {
    const records = new ServerRecords(secret);
    floodWith(tcp, () => records.tickets());
  },
  'endless key updates': (_socket, { tcp, secret }) => {
    const records = new ServerRecords(secret);
    floodWith(tcp, () => records.keyUpdate());
  },
  'endless requests for a handshake': (_socket, { tcp, secret, clientRandom, first }) => {
    const records = new ServerRecordsOf12(secret, clientRandom, first);
    floodWith(tcp, () => records.requests());
  },
  'endless renegotiation': (socket) => {
    const again = () => {
      if (socket.destroyed) return;
      socket.renegotiate({}, (error) => {
        if (error) return;
        renegotiated += 1;
        again();
      });
    };
    again();
  },
};
/** By name: under TLS, before a handshake is done, by what is shown as certificates; no answer comes after it. */
const CERTIFICATES = {
  'costly certificates': () => undefined,
  'costly certificates in TLS 1.2': () => undefined,
};
/** Node's own defence, of the server. */
Object.assign(tls, { CLIENT_RENEG_LIMIT: Infinity });
let renegotiated = 0;

/** On a connection from its first byte: for https, whose handshake never ends. */
const HANDSHAKES = {
  // It reads, or it would not hear of the other side's end.
  'handshake in silence': (socket) => socket.resume(),
  'endless handshake': flood('', block('\x16\x03\x03\x40\x00', 16 * 1024)),
};

/** On a connection from its first byte, as a mail server begins: one that has come to send its mail is never let. */
const GREETINGS = {
  'endless greeting': flood('', block('220-again\r\n')),
  'one endless line': flood('220 ', block('a')),
  'endless answers': flood('', block('220 ready\r\n')),
  'endless extensions': (socket) => {
    socket.write('220 ready\r\n');
    socket.once('data', () => flood('250-here\r\n', block('250-SIZE 1\r\n'))(socket));
  },
  'endless blank lines': flood('', block('\r\n')),
  reset: (_socket, { tcp }) => tcp.resetAndDestroy(),
  garbage: flood('', block('\0\xff')),
};

const BY_TLS = { ...TLS_ATTACKS, ...CERTIFICATES };

let attacking = false;
const listening = [];
const open = new Set();
/** Written to connections that are closed, as far as the other side let us. */
let closedBytes = 0;
const takenBy = (socket) => socket.bytesWritten - socket.writableLength;

/** Those of TLS 1.2: no later version has another handshake, and shows certificates in the clear. */
const OF_12 = ['endless requests for a handshake', 'endless renegotiation', 'costly certificates in TLS 1.2'];

/** A stream whose first bytes are kept, as TLS speaks on it. */
function keepingFirst(tcp, beneath) {
  const stream = new Duplex({
    read: () => void tcp.resume(),
    write(bytes, _encoding, done) {
      beneath.first ??= bytes;
      tcp.write(bytes, done);
    },
    final: (done) => void tcp.end(done),
  });
  tcp.on('data', (bytes) => stream.push(bytes) || tcp.pause());
  tcp.on('end', () => stream.push(null));
  tcp.on('close', () => stream.destroy());
  return stream;
}

/** By name; read once, so that they cost this process nothing. */
const costlyContexts = new Map();
function costlyContext(name, options) {
  const context =
    costlyContexts.get(name) ?? tls.createSecureContext({ ...options, cert: withCostlyOnes(options.cert) });
  costlyContexts.set(name, context);
  return context;
}

/** @returns the connection as it is spoken on, and what only attacks ask for: what lies beneath, and what its keys are made of */
function spokenOn(tcp, { name, secure }) {
  /** @type {Record<string, any>} */
  const beneath = { tcp };
  if (secure === null) return { socket: tcp, beneath };
  const is12 = OF_12.includes(name);
  const options = {
    ...(is12 ? { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' } : {}),
    ...secure,
  };
  const socket = new TLSSocket(is12 ? keepingFirst(tcp, beneath) : tcp, {
    isServer: true,
    ...(attacking && name in CERTIFICATES ? { secureContext: costlyContext(name, options) } : options),
  });
  socket.on('keylog', (line) => {
    const [label, random, secret] = line.toString().trim().split(' ');
    if (label !== 'SERVER_TRAFFIC_SECRET_0' && label !== 'CLIENT_RANDOM') return;
    beneath.clientRandom = Buffer.from(random, 'hex');
    beneath.secret = Buffer.from(secret, 'hex');
  });
  return { socket, beneath };
}

/**
 * @param isFirst it speaks before it is spoken to: a handshake, or a greeting
 * @param isHandshake what it speaks stands in the place of TLS; while it does not attack it speaks that
 * @param secure key and certificate of a server that speaks TLS; null for one in the clear
 */
function listen(name, attack, { isFirst, isHandshake = false, secure = null }) {
  const server = createServer((tcp) => {
    const isClear = secure === null || (isHandshake && attacking);
    const { socket, beneath } = spokenOn(tcp, { name, secure: isClear ? null : secure });
    for (const stream of new Set([tcp, socket])) {
      stream.on('error', () => undefined);
      open.add(stream);
      stream.on('close', () => {
        open.delete(stream);
        closedBytes += takenBy(stream);
      });
    }
    // Under TLS not before its own tickets are sent.
    const begin = () => (isClear ? attack(socket, beneath) : setImmediate(attack, socket, beneath));
    if (attacking && isFirst) {
      if (isClear) return begin();
      return socket.on('data', () => undefined).once('secure', begin);
    }
    socket.on('data', (data) => {
      if (!data.includes('\r\n\r\n')) return;
      if (attacking) begin();
      else socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
  });
  listening.push(server);
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({
        name: secure === null || isHandshake || name in BY_TLS ? name : `${name} over TLS`,
        isSecure: isHandshake || secure !== null,
        port: /** @type {import('node:net').AddressInfo} */ (server.address()).port,
      }),
    ),
  );
}

const all = (attacks, how) => Object.entries(attacks).map(([name, attack]) => listen(name, attack, how));

let toldBytes = 0;

answerCalls({
  /** @returns how many bytes the other side has let us write since the last time */
  taken: () => {
    let taken = closedBytes;
    for (const socket of open) taken += takenBy(socket);
    const more = taken - toldBytes;
    toldBytes = taken;
    return more;
  },
  /**
   * @param secure key and certificate, for one of each under TLS too
   * @returns name, port, and whether it is to be spoken to by TLS
   */
  listen: (secure) =>
    Promise.all([
      ...all(ATTACKS, { isFirst: false }),
      ...all(HANDSHAKES, { isFirst: true, isHandshake: true, secure }),
      ...(secure === null ? [] : all({ ...ATTACKS, ...BY_TLS }, { isFirst: false, secure })),
    ]),
  /** @returns mail servers, likewise */
  listenForMail: (secure) =>
    Promise.all([
      ...all(GREETINGS, { isFirst: true }),
      ...all({ ...GREETINGS, ...TLS_ATTACKS }, { isFirst: true, secure }),
    ]),
  connections: () => open.size,
  /** @returns how often the other side has begun another handshake because it was asked to */
  renegotiated: () => renegotiated,
  attack: (wanted) => {
    attacking = wanted;
  },
});
