// Receivers and nodes that try to keep the service busy, in a process of their own so that what they cost is not the service's.
// Each listens on a port; until told to attack they answer 204 like any other.
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { answerCalls } from '../../bench/processes/calls.mjs';

const block = (text, bytes = 64 * 1024) => Buffer.from(text.repeat(Math.ceil(bytes / text.length)));
const OK = 'HTTP/1.1 200 OK\r\n';

/** Writes a block again and again, as fast as the other side reads. */
const flood = (start, again) => (socket) => {
  socket.write(start);
  const more = () => {
    while (!socket.destroyed && socket.write(again));
  };
  socket.on('drain', more);
  more();
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
  reset: (socket) => socket.resetAndDestroy(),
  garbage: (socket) => socket.end(block('\0\xff')),
};
/** On a connection from its first byte: for https, whose handshake never ends. */
const HANDSHAKES = {
  'handshake in silence': () => undefined,
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
  reset: (socket) => socket.resetAndDestroy(),
  garbage: flood('', block('\0\xff')),
};

let attacking = false;
const listening = [];
const open = new Set();
/** Written to connections that are closed, as far as the other side let us. */
let closedBytes = 0;
const takenBy = (socket) => socket.bytesWritten - socket.writableLength;

/** @param isFirst it speaks before it is spoken to: a handshake, or a greeting */
function listen(name, attack, isFirst) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    open.add(socket);
    socket.on('close', () => {
      open.delete(socket);
      closedBytes += takenBy(socket);
    });
    if (attacking && isFirst) return attack(socket);
    socket.on('data', (data) => {
      if (!data.includes('\r\n\r\n')) return;
      if (attacking) attack(socket);
      else socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
  });
  listening.push(server);
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({
        name,
        isHandshake: isFirst,
        port: /** @type {import('node:net').AddressInfo} */ (server.address()).port,
      }),
    ),
  );
}

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
  /** @returns one of each: name, port, and whether it attacks the handshake */
  listen: () =>
    Promise.all([
      ...Object.entries(ATTACKS).map(([name, attack]) => listen(name, attack, false)),
      ...Object.entries(HANDSHAKES).map(([name, attack]) => listen(name, attack, true)),
    ]),
  /** @returns one mail server of each: name and port */
  listenForMail: () =>
    Promise.all(Object.entries(GREETINGS).map(([name, attack]) => listen(name, attack, true))),
  attack: (wanted) => {
    attacking = wanted;
  },
});
