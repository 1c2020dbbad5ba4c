// Which folders `npm run mutate` changes: `src/kernel`, and every `domain/` of these modules, however deep.
export const AREAS = [
  'kernel',
  'merchants',
  'rates',
  'chains',
  'auth',
  'webhooks',
  'accounts',
  'treasury',
  'intents',
  'checkout',
];

/** Modules that have a `domain/` and are no area. `src/folders.spec.ts` misses any other. */
export const UNCHANGED = {
  alerts: 'sentences alone: a change of one decides nothing',
  dashboard: 'what pages say and forms take: money, delivery and sign-in are decided in the modules below',
};
