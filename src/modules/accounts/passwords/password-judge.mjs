// A worker thread: says of each message's passwords how many guesses they take (as powers of ten). On a thread of its own
// because the dictionaries take 80 MB and half a second to load, and a password made to be hard to judge a second more;
// nobody's payment waits for that. Plain JavaScript, because Node loads it without a compiler, from `src` and from `dist`.
import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as german } from '@zxcvbn-ts/language-de';
import { dictionary as english } from '@zxcvbn-ts/language-en';

/** What no dictionary has, and comes to mind before a page of ours. */
const OURS = [
  'rappen',
  'satoshi',
  'nakamoto',
  'bitcoin',
  'litecoin',
  'ethereum',
  'crypto',
  'blockchain',
  'stablecoin',
  'dashboard',
  'merchant',
  'payment',
  'checkout',
  'franken',
  'schweiz',
  'zuerich',
  'correcthorsebatterystaple',
];

// Two packages use the same names for their lists.
const ofGerman = Object.fromEntries(Object.entries(german).map(([name, words]) => [`${name}-de`, words]));
const judge = new ZxcvbnFactory({
  dictionary: { ...common, ...english, ...ofGerman, ours: OURS },
  graphs: adjacencyGraphs,
});
parentPort?.on('message', ({ passwords, about }) =>
  parentPort?.postMessage(passwords.map((password) => judge.check(password, about).guessesLog10)),
);
