/** What is guessed. */
export type Guessed = 'password' | 'code';

/** Slips of the finger that cost nothing. */
export const FREE_TRIES = 3;
/** Then 1 s, 2 s, 4 s … up to a quarter of an hour: about a hundred tries a day from one place. */
export const MAX_DELAY_S = 900;

/**
 * Tries of all strangers together at one account: so many a day, the first so many at once. What a botnet of any size
 * gets; ADR 23 has the arithmetic. Fewer, and ten addresses keep the account's person from signing in with a new device.
 */
export const STRANGERS: Readonly<Record<Guessed, { readonly perDay: number; readonly atOnce: number }>> = {
  password: { perDay: 1_000, atOnce: 300 },
  code: { perDay: 48, atOnce: 12 },
};

/** Who guesses: in a session of the account, in a browser where its person has signed in, or a stranger at an address. */
export type Guesser =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'device'; readonly id: string }
  | { readonly kind: 'stranger'; readonly id: string };

/** As the audit log names who is not known to be the person. */
export const GUESSER_NAMES: Readonly<Record<Guesser['kind'], string>> = {
  stranger: 'a stranger',
  device: 'a known browser',
  session: 'a session',
};

/** What its person was told that day. */
export const TOLD = {
  guessed: (guessed: Guessed, by: Guesser['kind']) => `told:${guessed}:${by}`,
  unfinished: 'told:second-factor',
} as const;

/**
 * From so many wrong tries on, the person is told. A stranger is asked for a code only with the right password; in their own
 * browser a person types more than a few wrong ones themselves.
 */
export const TOLD_FROM: Readonly<Record<Guesser['kind'], Readonly<Record<Guessed, number>>>> = {
  stranger: { password: 10, code: 3 },
  device: { password: 10, code: 10 },
  session: { password: 10, code: 10 },
};
