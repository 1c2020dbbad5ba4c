import { hash, verify } from '@node-rs/argon2';
import { DomainError } from '../../../kernel/domain-error.js';
import { isPossiblePassword, normalPassword } from './domain/password-policy.js';

/** OWASP's smaller set for argon2id: 46 MiB, one pass, one lane. */
const COST = { memoryCost: 47_104, timeCost: 1, parallelism: 1 } as const;

/** Two at once keep a small machine's other cores for payments; each takes 46 MiB and some 50 ms. */
const AT_ONCE = 2;
/** Who comes later than this many would wait for seconds: they are asked to come again. */
const MAX_WAITING = 100;

/** Of a password that nobody knows: unknown people are given the same work as known ones. */
let nobodysHash: Promise<string> | null = null;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting.length >= MAX_WAITING) {
    throw new DomainError('unavailable', 'unavailable', 'Too many sign-ins at once.', {
      headers: { 'Retry-After': '5' },
    });
  }
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    // Whoever waits takes over the place; it is never free in between.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** argon2id, with its parameters and salt in the text. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalPassword(password), COST));
}

/** @param stored `null` for a person that does not exist or has no password: `false`, after the same work */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  if (!isPossiblePassword(password)) return false;
  nobodysHash ??= hash(crypto.randomUUID(), COST);
  const against = stored ?? (await nobodysHash);
  const matches = await inTurn(() => verify(against, normalPassword(password)));
  return matches && stored !== null;
}
