import { checkoutStates } from '../../../../test/support/checkout/checkout-states.js';
import type { CheckoutIntent } from '../../intents/checkout.types.js';
import { pageVersion } from './page-version.js';

const { choose, waiting, seen, settled } = checkoutStates;
const { 'settled-part-refunded': refunded, 'waiting-face': faced } = checkoutStates;

type Path = readonly string[];
type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !(value instanceof Date);

/** The paths of all that holds nothing else; an empty list, and what is missing, are such too. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  const entries = isNode(value) ? Object.entries(value) : [];
  return entries.length === 0 ? [path] : entries.flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

/** Another value of the same kind; something where nothing was. */
function another(value: unknown): unknown {
  if (typeof value === 'bigint') return value + 1n;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (value instanceof Date) return new Date(value.getTime() + 1_000);
  return typeof value === 'string' ? `${value}x` : 'something';
}

function withAnother(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return another(value);
  const changed = withAnother((value as Node)[key], rest);
  if (Array.isArray(value)) return value.map((each: unknown, i) => (String(i) === key ? changed : each));
  return { ...(value as Node), [key]: changed };
}

/** Which of these may change without the page being loaded again. */
function unnoticed(intent: CheckoutIntent, paths: readonly Path[]): string[] {
  const version = pageVersion(intent);
  return paths
    .filter((path) => pageVersion(withAnother(intent, path) as CheckoutIntent) === version)
    .map((path) => path.join('.'));
}

const [transfer] = settled!.quote!.transfers;
const moving = seen!.quote!.transfers[0]!;

it('is the same of the same, and short', () => {
  expect(pageVersion(structuredClone(settled!))).toBe(pageVersion(settled!));
  expect(pageVersion(settled!)).toMatch(/^[\w-]{12}$/);
});

it('changes with everything that the page of an ended payment shows, but for blocks on top of what is final', () => {
  const whole: CheckoutIntent = {
    ...refunded!,
    quote: { ...refunded!.quote!, transfers: [transfer!, moving] },
    merchant: faced!.merchant,
    forwarded: faced!.forwarded,
    otherTransfers: [transfer!, moving],
    dropped: [moving],
  };
  // Each status has a test of its own, and so have options.
  const paths = leavesOf(whole).filter(([field]) => field !== 'status' && field !== 'options');
  expect(unnoticed(whole, paths).sort()).toEqual([
    'now',
    'otherTransfers.0.confirmations',
    'quote.transfers.0.confirmations',
    'unseen',
  ]);
});

it('changes with the status', () => {
  const { status: _, ...as } = settled!;
  const statuses = [
    'initiated',
    'pending',
    'confirmed',
    'settled',
    'expired',
    'failed',
    'cancelled',
  ] as const;
  const versions = statuses.map((status) => pageVersion({ ...as, status }));
  expect(new Set(versions).size).toBe(statuses.length);
});

it('changes with each option while they are the question, and not once one was picked', () => {
  const one = { ...choose!, options: choose!.options.slice(0, 1) };
  const paths = leavesOf(one.options, ['options']);
  expect(paths.length).toBeGreaterThan(5);
  expect(unnoticed(one, paths)).toEqual([]);
  expect(pageVersion({ ...waiting!, options: one.options })).toBe(pageVersion(waiting!));
});

it('changes with the clock, and with a network that is not watched, only where the page says something else', () => {
  const at = (now: Date) => pageVersion({ ...waiting!, now });
  const { sendBefore } = waiting!.quote!;
  expect(at(new Date(sendBefore.getTime() - 1))).toBe(pageVersion(waiting!));
  expect(at(sendBefore)).not.toBe(pageVersion(waiting!));
  expect(pageVersion({ ...waiting!, unseen: true })).not.toBe(pageVersion(waiting!));
});

it('changes with each block on top of what is not final yet, and when it becomes final', () => {
  const after = (confirmations: number, final: boolean) =>
    pageVersion({ ...seen!, quote: { ...seen!.quote!, transfers: [{ ...moving, confirmations, final }] } });
  const versions = [after(1, false), after(2, false), after(2, true)];
  expect(new Set(versions).size).toBe(3);
  expect(after(400, true)).toBe(after(2, true));
});
