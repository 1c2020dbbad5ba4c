import { LiveClient } from './live-client.js';

// The seconds of ADR 30, by a clock that moves only when it is told to: how busy the machine is does not matter.
const ASKED_AFTER_MS = 4_000;
const CUT_WITHIN_MS = 6_000;
/** Of this clock; statements begin anywhere between two looks. */
const STEP_MS = 50;

/** What a client keeps to itself. */
interface Inside {
  readonly connection: { readonly stream: { destroy(): void } };
  _getActiveQuery(): unknown;
  isForgotten(): Promise<boolean>;
}

let client: LiveClient;
let inside: Inside;
/** When the database was asked, and when the connection was cut, since the statement began. */
let asked: number[];
let cut: number[];
let now: number;
let isForgotten: boolean;

beforeEach(() => {
  jest.useFakeTimers();
  [asked, cut, now, isForgotten] = [[], [], 0, true];
  client = new LiveClient({});
  inside = client as unknown as Inside;
  jest.spyOn(inside, 'isForgotten').mockImplementation(() => {
    asked.push(now);
    return Promise.resolve(isForgotten);
  });
  jest.spyOn(inside.connection.stream, 'destroy').mockImplementation(() => {
    cut.push(now);
    client.emit('end');
  });
});
afterEach(async () => {
  client.emit('end');
  // The look that finds no client any more is the last.
  await jest.advanceTimersByTimeAsync(2_000);
  jest.useRealTimers();
});

/** A statement without an answer, begun so long after a look. */
async function unanswered(beginsMs: number, forMs: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(beginsMs);
  const query = {};
  jest.spyOn(inside, '_getActiveQuery').mockReturnValue(query);
  while (now < forMs) {
    now += STEP_MS;
    await jest.advanceTimersByTimeAsync(STEP_MS);
  }
}

it.each([0, 50, 500, 950])(
  'cuts what the database has forgotten within six seconds, of a statement begun %d ms after a look',
  async (beginsMs) => {
    await unanswered(beginsMs, CUT_WITHIN_MS);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toBeGreaterThanOrEqual(ASKED_AFTER_MS);
    expect(cut).toHaveLength(1);
  },
);

it('leaves a statement alone that the database works on, and asks again', async () => {
  isForgotten = false;
  await unanswered(0, 3 * CUT_WITHIN_MS);
  expect(asked.length).toBeGreaterThan(1);
  expect(cut).toEqual([]);
});
