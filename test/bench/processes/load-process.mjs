// The load: requests over keep-alive connections on bare sockets, because a full client would cost the machine more
// than the service that it measures.
import { connect } from 'node:net';
import { answerCalls, percentile } from './calls.mjs';

const END_OF_HEADERS = Buffer.from('\r\n\r\n');
const END_OF_CHUNKS = Buffer.from('0\r\n\r\n');

/** The status once the whole answer is there, else `null`. */
function statusOf(buffer) {
  const end = buffer.indexOf(END_OF_HEADERS);
  if (end < 0) return null;
  const head = buffer.latin1Slice(0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head);
  const whole = length
    ? buffer.length >= end + 4 + Number(length[1])
    : /\r\n(HTTP|transfer-encoding: chunked)/i.test(head)
      ? buffer.subarray(-END_OF_CHUNKS.length).equals(END_OF_CHUNKS)
      : true;
  return whole ? Number(head.slice(9, 12)) : null;
}

class Connection {
  constructor(port) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.received = null;
    this.done = null;
    this.socket.on('data', (chunk) => {
      this.received = this.received ? Buffer.concat([this.received, chunk]) : chunk;
      const status = statusOf(this.received);
      if (status === null) return;
      this.received = null;
      this.done?.resolve(status);
    });
    const broken = (error) => this.done?.reject(error ?? new Error('the service hung up'));
    this.socket.on('error', broken).on('close', () => broken());
  }

  exchange(request) {
    return new Promise((resolve, reject) => {
      this.done = { resolve, reject };
      this.socket.write(request);
    });
  }
}

let sent = 0;

/** How many were sent to each list of paths, by its first: the next load goes on there, so nothing is asked for twice before all were once. */
const sentTo = new Map();

function nextOf(paths) {
  const n = sentTo.get(paths[0]) ?? 0;
  sentTo.set(paths[0], n + 1);
  return paths[n % paths.length];
}

/** `{n}` in path, headers and body becomes a number that no other request has. */
function render({ method, paths, headers, body, addresses, contentType = 'application/json' }) {
  const n = (sent += 1);
  const fill = (text) => text.replaceAll('{n}', `${process.pid}-${n}`);
  const content = body ? fill(body) : '';
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${fill(value)}`);
  if (content) lines.push(`content-type: ${contentType}`, `content-length: ${Buffer.byteLength(content)}`);
  // Of many, or the pages' limit by address would be measured.
  const from = addresses ? n % addresses : n;
  lines.push(`x-forwarded-for: 10.${(from >> 16) & 255}.${(from >> 8) & 255}.${from & 255}`);
  return `${method} ${nextOf(paths)} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${content}`;
}

/**
 * @param input `requests` of this shape over `connections`, as fast as answers come, or `perSecond` of them whatever
 *   comes: a request for which no connection is free waits for one
 * @returns answers per second, and how long one took (milliseconds): with `perSecond` since it was due, so that what
 *   waited behind a slow one counts as slow, and by up to a millisecond more than it took, as coarse as timers are; with
 *   `keeps` also `durationsMs`, of each, least first
 */
async function run({ port, connections, requests, perSecond, expected, keeps = false, ...shape }) {
  const lines = Array.from({ length: connections }, () => new Connection(port));
  const durations = [];
  const startedMs = performance.now();
  let left = requests;
  /** @param {Connection} line */
  const work = async (line) => {
    while (left > 0) {
      const mine = requests - left;
      left -= 1;
      const dueMs = perSecond ? startedMs + (mine * 1_000) / perSecond : performance.now();
      await until(dueMs);
      const request = render(/** @type {any} */ (shape));
      const status = await line.exchange(request);
      if (status !== expected) throw new Error(`${request.split(' HTTP', 1)[0]} was answered with ${status}`);
      durations.push(performance.now() - dueMs);
    }
  };
  await Promise.all(lines.map(work));
  const seconds = (performance.now() - startedMs) / 1_000;
  for (const { socket } of lines) socket.removeAllListeners().destroy();
  durations.sort((a, b) => a - b);
  return {
    perSecond: requests / seconds,
    p50Ms: percentile(durations, 0.5),
    p95Ms: percentile(durations, 0.95),
    p99Ms: percentile(durations, 0.99),
    p999Ms: percentile(durations, 0.999),
    ...(keeps && { durationsMs: durations }),
  };
}

async function until(atMs) {
  const leftMs = atMs - performance.now();
  if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.ceil(leftMs)));
}

answerCalls({ run });
