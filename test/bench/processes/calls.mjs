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
