import {
  FREE_TRIES,
  type Guessed,
  type Guesser,
  GUESSER_NAMES,
  MAX_DELAY_S,
  STRANGERS,
  TOLD,
  TOLD_FROM,
} from './guess-limits.js';

const DAY_S = 86_400;
const GUESSED: readonly Guessed[] = ['password', 'code'];
const GUESSERS: readonly Guesser['kind'][] = ['stranger', 'device', 'session'];

// As ADR 23 reckons with them.
it.each([
  ['password', 300, 1_000],
  ['code', 12, 48],
] as const)(
  'all strangers together have of a %s %i tries at once, and %i a day',
  (guessed, atOnce, perDay) => {
    expect(STRANGERS[guessed]).toEqual({ atOnce, perDay });
  },
);

it('one place alone has three slips, and then about a hundred tries a day: of passwords no budget of all', () => {
  expect(FREE_TRIES).toBe(3);
  const perDay = DAY_S / MAX_DELAY_S;
  expect(Math.round(perDay)).toBe(96);
  expect(perDay).toBeLessThan(STRANGERS.password.atOnce);
});

it('six digits are guessed in a year by one in twenty at most, three codes counting at a time', () => {
  expect((STRANGERS.code.perDay * 365 * 3) / 1_000_000).toBeLessThan(0.055);
});

it.each([
  ['stranger', 10, 3],
  ['device', 10, 10],
  ['session', 10, 10],
] as const)('of a %s the person is told from %i passwords or %i codes on', (kind, password, code) => {
  expect(TOLD_FROM[kind]).toEqual({ password, code });
});

it.each(GUESSED)(
  'a person hears of a stranger no later than of a known browser, nor of that than of a session: %s',
  (guessed) => {
    const from = GUESSERS.map((kind) => TOLD_FROM[kind][guessed]);
    expect(from).toEqual(from.toSorted((one, other) => one - other));
  },
);

it.each(GUESSED)(
  'of all strangers at once the person is told before their budget is used up: %s',
  (guessed) => {
    expect(TOLD_FROM.stranger[guessed]).toBeLessThan(STRANGERS[guessed].atOnce);
  },
);

it('the log names each of them in its own words', () => {
  expect(GUESSER_NAMES).toEqual({
    stranger: 'a stranger',
    device: 'a known browser',
    session: 'a session',
  });
});

it('what a person was told of one hides nothing of another', () => {
  const told = GUESSED.flatMap((guessed) => GUESSERS.map((kind) => TOLD.guessed(guessed, kind)));
  expect(new Set([...told, TOLD.unfinished]).size).toBe(7);
});
