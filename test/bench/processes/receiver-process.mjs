// The merchants' receiver of the benchmark: reads and verifies every delivery (Node's HMAC, because the public
// library's one in JavaScript would be what is measured) and notes when it came.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { answerCalls } from './calls.mjs';

let keys = {};
let arrivals = new Map();
let refused = 0;
let waiting = null;

function verifies(path, headers, raw) {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`;
  const expected = createHmac('sha256', keys[path]).update(signed).digest();
  return headers['webhook-signature'].split(' ').some((signature) => {
    const given = Buffer.from(signature.slice(3), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const at = performance.timeOrigin + performance.now();
    const raw = Buffer.concat(chunks).toString();
    if (keys[request.url] && verifies(request.url, request.headers, raw)) {
      const delivery = `${request.headers['webhook-id']} ${request.url}`;
      if (!arrivals.has(delivery)) arrivals.set(delivery, at);
    } else refused += 1;
    response.writeHead(204).end();
    if (waiting && arrivals.size >= waiting.count) waiting.done();
  });
});

/** How many came, and when (milliseconds since the epoch) the first, the one after a tenth of all, and the last. */
function summary() {
  const times = [...arrivals.values()].sort((a, b) => a - b);
  const tenth = Math.floor(times.length / 10);
  return { count: times.length, refused, tenth, tenthMs: times[tenth], lastMs: times.at(-1) };
}

answerCalls({
  /** @returns its port */
  listen: () =>
    new Promise((resolve) =>
      server.listen(0, '127.0.0.1', () =>
        resolve(/** @type {import('node:net').AddressInfo} */ (server.address()).port),
      ),
    ),
  /** Forgets what came; `secrets` are by path. */
  expect(secrets) {
    keys = Object.fromEntries(
      Object.entries(secrets).map(([path, secret]) => [path, Buffer.from(secret.slice(6), 'base64')]),
    );
    arrivals = new Map();
    refused = 0;
  },
  whenArrived: (count) =>
    new Promise((resolve) => {
      const done = () => {
        waiting = null;
        resolve(summary());
      };
      if (arrivals.size >= count) done();
      else waiting = { count, done };
    }),
  /** When each event came, by its id: for one endpoint. */
  times: () => Object.fromEntries([...arrivals].map(([delivery, at]) => [delivery.split(' ')[0], at])),
});
