import { Worker } from 'node:worker_threads';
import { sourceFile } from '../../../config/project-files.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { FairQueue } from '../../../platform/fair-queue.js';

const JUDGE = sourceFile('modules/accounts/passwords/password-judge.mjs');

/** Ten thousand million guesses: zxcvbn's best score, and years at what argon2id lets a thief of the hashes try. */
const MIN_GUESSES_LOG10 = 10;
/** Time grows with the length, faster than it. A password whose beginning is good enough is good enough. */
const MAX_JUDGED_CHARS = 32;
/** For one password: some times what a busy machine takes. */
const TIME_LIMIT_MS = 20_000;
/** Each may take a second. */
const AT_ONCE = 1;
/** Whoever clicks again while they wait; more of one account would only be in its own way. */
const WAITING_PER_ACCOUNT = 2;
/** Who was refused one password types another; 80 MB of dictionaries are kept for nobody else. */
const REST_MS = 10_000;

const queue = new FairQueue(AT_ONCE);

/**
 * Whether somebody who knows leaked passwords, languages, keyboards and this person would soon come to it.
 * @param account of whoever chooses it: each has places of its own, and they take turns
 * @param about what is known of the person: e-mail address, names
 * @throws DomainError `unavailable`
 */
export async function isGuessable(
  password: string,
  account: string,
  about: readonly string[],
): Promise<boolean> {
  const place = { line: 'first', of: account } as const;
  if (queue.waiting(place) >= WAITING_PER_ACCOUNT) throw unavailable();
  const [isSoon] = await queue.run(place, () => areGuessable([password], about));
  return isSoon !== false;
}

/** Several on one thread; `isGuessable` of each. */
export async function areGuessable(
  passwords: readonly string[],
  about: readonly string[],
): Promise<boolean[]> {
  const beginnings = passwords.map((password) => [...password].slice(0, MAX_JUDGED_CHARS).join(''));
  const guessesLog10 = await judged({ passwords: beginnings, about: about.flatMap(partsOf) });
  return guessesLog10.map((power) => power < MIN_GUESSES_LOG10);
}

interface Question {
  readonly passwords: readonly string[];
  readonly about: readonly string[];
}

/** The thread that has answered last, with its dictionaries loaded, until its time is over. */
let resting: { readonly worker: Worker; readonly end: NodeJS.Timeout } | null = null;

function judged(question: Question): Promise<number[]> {
  const worker = awake();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => void worker.terminate(), TIME_LIMIT_MS * question.passwords.length);
    worker.once('message', (guessesLog10: number[]) => {
      clearTimeout(timer);
      rest(worker);
      resolve(guessesLog10);
    });
    worker.once('error', reject);
    // Whatever happened, it exits if it does not answer.
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(unavailable());
    });
    worker.postMessage(question);
  });
}

function awake(): Worker {
  if (!resting) return new Worker(JUDGE);
  const { worker, end } = resting;
  resting = null;
  clearTimeout(end);
  unheard(worker).ref();
  return worker;
}

/** By name: Node's own listeners on a worker open and close the way of its messages. */
function unheard(worker: Worker): Worker {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
  return worker;
}

/** Waits a little for the next question; the process does not stay for that. */
function rest(worker: Worker): void {
  unheard(worker).unref();
  if (resting) return void worker.terminate();
  const forget = (): void => {
    if (resting?.worker === worker) resting = null;
  };
  worker.once('error', forget).once('exit', forget);
  const end = setTimeout(() => (forget(), void worker.terminate()), REST_MS).unref();
  resting = { worker, end };
}

/** "maria.muster@shop.example" and "maria", "muster", "mariamuster", "shop", "example". */
function partsOf(text: string): string[] {
  const plain = text.toLowerCase();
  const [local = ''] = plain.split('@');
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2);
  return [...new Set([plain, local.replaceAll(/[^\p{L}\p{N}]/gu, ''), ...words])].filter(
    (part) => part !== '',
  );
}

function unavailable(): DomainError {
  return new DomainError(
    'unavailable',
    'unavailable',
    'The password could not be judged just now. Try again.',
    {
      headers: { 'Retry-After': '5' },
    },
  );
}
