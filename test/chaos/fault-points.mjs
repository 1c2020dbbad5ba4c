// Loaded before the service (`node --import`), so that the service itself knows nothing of it: gives every exchange
// with the outside two instants, `before` (nothing has been sent) and `after` (the other side has done its part, and
// we have not heard of it), and kills the process at the one that it is told to. A read has the first only: it leaves
// nothing behind.
//
// A point is named after what is exchanged and how often it has come up: `webhooks-claim#2 after`. A repetition counts
// only if something was written since: the polls of an idle service are all the same instant.
import { subscribe } from 'node:diagnostics_channel';
import pg from 'pg';

let armed = false;
/** @type {string | null} */
let target = null;
/** @type {number | null} */
let countdown = null;
/** @type {Set<string>} */
let trail = new Set();
/** Counts what moved the payment on. */
let progress = 0;
let occurrences = new Map();

/** Written by the clock or by reads, not by the payment. */
const HOUSEKEEPING = /rate_window|last_used_at|node_height/;
const WRITES = /(?<!FOR (NO KEY )?)\b(INSERT|UPDATE|DELETE)\b/;

function arm(at, after) {
  armed = true;
  target = at;
  countdown = after;
  trail = new Set();
  occurrences = new Map();
  progress = 0;
}

function reach(point, instant) {
  if (!armed || point === null) return;
  const name = `${point} ${instant}`;
  const isNew = !trail.has(name);
  trail.add(name);
  if (countdown !== null && isNew) countdown -= 1;
  if (name === target || countdown === 0) process.kill(process.pid, 'SIGKILL');
}

function before(label) {
  if (!armed) return null;
  const last = occurrences.get(label) ?? { count: 0, progress: -1 };
  if (last.progress !== progress) last.count += 1;
  last.progress = progress;
  occurrences.set(label, last);
  const point = `${label}#${last.count}`;
  reach(point, 'before');
  return point;
}

function after(point, moved) {
  if (moved) progress += 1;
  reach(point, 'after');
}

// PostgreSQL ----------------------------------------------------------------------------------------

const squeeze = (text) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 60);
/** @type {(...given: any[]) => any} */
const query = pg.Client.prototype.query;

pg.Client.prototype.query = function (config, values, callback) {
  const text = typeof config === 'string' ? config : config?.text;
  if (!armed || text === undefined || HOUSEKEEPING.test(text))
    return query.call(this, config, values, callback);
  const point = before(config.name ?? squeeze(text));
  const heard = (result) => {
    if (text === 'COMMIT') after(point, false);
    else if (WRITES.test(text)) after(point, result?.rowCount > 0);
  };
  const [given, done] = typeof values === 'function' ? [undefined, values] : [values, callback];
  if (!done) {
    return query.call(this, config, given).then((result) => {
      heard(result);
      return result;
    });
  }
  return query.call(this, config, given, (error, result) => {
    if (!error) heard(result);
    done(error, result);
  });
};

// HTTP that we send: webhooks and the chain's node ----------------------------------------------------

const points = new WeakMap();
const isWebhook = (request) => request.path.startsWith('/hook');

subscribe('undici:request:create', (/** @type {any} */ { request }) => {
  points.set(request, before(isWebhook(request) ? 'send webhook' : 'ask node'));
});
subscribe('undici:request:headers', (/** @type {any} */ { request }) => {
  if (isWebhook(request)) after(points.get(request) ?? null, true);
});

// HTTP that we answer ---------------------------------------------------------------------------------

const labelOf = ({ method, url }) => `${method} ${url.replace(/pi_\w+/, ':id')}`;
const isAction = ({ method }) => method === 'POST';

subscribe('http.server.request.start', (/** @type {any} */ { request }) => {
  if (isAction(request)) points.set(request, before(labelOf(request)));
});
subscribe('http.server.response.finish', (/** @type {any} */ { request }) => {
  if (isAction(request)) after(points.get(request) ?? null, true);
});

process.on('message', (/** @type {any} */ message) => {
  if ('arm' in message) {
    arm(message.arm, message.countdown ?? null);
    process.send?.({ armed: true });
  }
  if ('trail' in message) {
    armed = false;
    process.send?.({ trail: [...trail] });
  }
});
