// Production lets nobody wait in line for a connection for longer than five seconds. Suites ask at once for more of them than a
// pool has, and on a busy machine the last in line waits longer than that. How long is their subject nowhere but where they give
// a longer limit themselves; so in these suites whoever waits behind others waits for as long as those may take.
const { Pool } = require('pg');

/** Far more than a line takes, and less than a test may: what waits for itself is still told as that. */
const LEAST_MS = 120_000;

const { connect } = Pool.prototype;
Pool.prototype.connect = function (connected) {
  const { options } = this;
  const { connectionTimeoutMillis: given } = options;
  const isInLine = this.totalCount >= options.max || this.idleCount > 0;
  if (!isInLine || !given || given >= LEAST_MS) return connect.call(this, connected);
  options.connectionTimeoutMillis = LEAST_MS;
  try {
    return connect.call(this, connected);
  } finally {
    // Opening a connection keeps its own limit: who is in line reads it now, who opens one later.
    options.connectionTimeoutMillis = given;
  }
};
