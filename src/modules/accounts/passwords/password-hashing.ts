import { hash, verify } from '@node-rs/argon2';
import { FairQueue } from '../../../platform/fair-queue.js';
import { NoPlace } from '../accounts.errors.js';
import { isPossiblePassword, normalPassword } from './domain/password-policy.js';

/** OWASP's smaller set for argon2id: 46 MiB, one pass, one lane. */
const COST = { memoryCost: 47_104, timeCost: 1, parallelism: 1 } as const;

/** Two at once keep a small machine's other cores for payments; each takes 46 MiB and some 50 ms. */
const AT_ONCE = 2;
/** All strangers together. Who comes later than this many would wait for seconds: they are asked to come again. */
const STRANGERS_WAITING = 100;
/** Of one account: some sessions and browsers at once, and a tenth of a second for whoever waits behind them. */
const WAITING_PER_ACCOUNT = 4;

/** Of a password that nobody knows: unknown people are given the same work as known ones. */
let nobodysHash: Promise<string> | null = null;

/** The account whose person is known, by a session, a browser or a link; `null` for a stranger, whoever they say they are. */
type Account = string | null;

const queue = new FairQueue(AT_ONCE);

/** Who is known goes first, and each account has its turn; after each of them a stranger. */
async function inTurn<Result>(account: Account, work: () => Promise<Result>): Promise<Result> {
  const place = { line: account === null ? 'second' : 'first', of: account ?? '' } as const;
  const places = account === null ? STRANGERS_WAITING : WAITING_PER_ACCOUNT;
  if (queue.waiting(place) >= places) throw new NoPlace();
  return queue.run(place, work);
}

/**
 * argon2id, with its parameters and salt in the text.
 * @param account of whoever chooses the password
 * @throws NoPlace while its places are taken
 */
export function hashPassword(password: string, account: string): Promise<string> {
  return inTurn(account, () => hash(normalPassword(password), COST));
}

/**
 * @param stored `null` for a person that does not exist or has no password: `false`, after the same work
 * @param account in whose places this waits; `null` in those of strangers
 * @throws NoPlace while these are taken
 */
export async function isPassword(
  password: string,
  stored: string | null,
  account: Account,
): Promise<boolean> {
  if (!isPossiblePassword(password)) return false;
  nobodysHash ??= hash(crypto.randomUUID(), COST);
  const against = stored ?? (await nobodysHash);
  const matches = await inTurn(account, () => verify(against, normalPassword(password)));
  return matches && stored !== null;
}
