// A transaction that waits for a second connection waits for transactions that do the same: with as many of them as the
// pool has connections, none goes on. In these suites asking a pool inside a transaction fails at once, not under load alone.
const { AsyncLocalStorage } = require('node:async_hooks');
const { Pool } = require('pg');
const { EntityManager } = require('typeorm');

/** Whatever a transaction starts and does not wait for may outlive it. */
const transactions = new AsyncLocalStorage();

const { transaction } = EntityManager.prototype;
EntityManager.prototype.transaction = function (isolationOrWork, perhapsWork) {
  if (this.queryRunner) return transaction.call(this, isolationOrWork, perhapsWork);
  const work = perhapsWork ?? isolationOrWork;
  const mark = { isOpen: true };
  const marked = (tx) =>
    transactions.run(mark, async () => {
      try {
        return await work(tx);
      } finally {
        mark.isOpen = false;
      }
    });
  return transaction.call(this, ...(perhapsWork ? [isolationOrWork, marked] : [marked]));
};

const { connect } = Pool.prototype;
Pool.prototype.connect = function (connected) {
  if (!transactions.getStore()?.isOpen) return connect.call(this, connected);
  const error = new Error(
    'a second connection was asked for inside a transaction: hand its EntityManager on',
  );
  if (connected) connected(error);
  else return Promise.reject(error);
};
