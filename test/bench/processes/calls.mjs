// A process of the benchmark answers one call after the other: `Helper` in helper.ts is the other end.
/** @param handlers by name: what to do with a call's input; may return a promise */
export function answerCalls(handlers) {
  process.on('message', ({ call, input }) => {
    Promise.resolve(handlers[call](input)).then(
      (result) => process.send?.({ result }),
      (error) => process.send?.({ failed: error.stack }),
    );
  });
  // Nobody is left to ask.
  process.on('disconnect', () => process.exit(0));
}

/** @param sorted the least first @param share 0.99: all but one of a hundred are no more */
export const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
