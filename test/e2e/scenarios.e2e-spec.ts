import { nodeProgram } from '../../src/modules/sandbox/local/litecoind.js';
import { NETWORK_KINDS } from '../../src/modules/sandbox/scenarios.types.js';
import { eventually, Receiver } from '../support/receiver.js';
import { SandboxProcess } from '../support/sandbox.js';
import { casesOn, Stand, type Seen } from '../support/scenarios.js';

/** A start of the sandbox, and some forty payments at once on its chains. */
jest.setTimeout(300_000);

// The skip is announced by `npm test` itself (scripts/ensure.mjs --nodes).
const kinds = NETWORK_KINDS.filter(
  (kind) => kind !== 'bitcoin-like' || nodeProgram('litecoin') !== undefined,
);
// Internal calls are credited by the chains module soon; until then this one comes to nothing.
const cases = casesOn(kinds).filter(({ scenario }) => scenario !== 'internal');
const titled = cases.map((each) => [each.scenario, each.kind, each] as const);

let process: SandboxProcess;
let receiver: Receiver;
let stand: Stand;
/** What came of each case, or why it could not be played to its end. */
let seen: ReadonlyMap<(typeof cases)[number], Seen | Error>;

beforeAll(async () => {
  process = await SandboxProcess.create();
  const sandbox = await process.start();
  receiver = await Receiver.start();
  const hook = ['webhook', 'create', '--merchant', sandbox.merchantId, '--url', receiver.url, '--json'];
  const { stdout } = await process.run('dist/cli/main.js', ...hook);
  receiver.secret = (JSON.parse(stdout) as { secret: string }).secret;
  stand = new Stand(sandbox, receiver);
  const failed = (error: unknown) => error as Error;
  seen = new Map(
    await Promise.all(cases.map(async (each) => [each, await stand.play(each).catch(failed)] as const)),
  );
});

afterAll(async () => {
  await receiver.stop();
  await process.dispose();
});

const seenOf = (each: (typeof cases)[number]): Seen => {
  const found = seen.get(each);
  if (!found || found instanceof Error) throw found ?? new Error('not played');
  return found;
};

describe('what docs/scenarios.md says comes of', () => {
  it.each(titled)('"%s" on %s comes of it: events in sequence, and the settlement record', (_s, _k, each) => {
    const { statuses, settlement } = seenOf(each);
    expect({ statuses, settlement }).toEqual({
      statuses: each.outcome.statuses,
      settlement: each.outcome.settlement,
    });
  });

  it('every one of them: exactly the review entries that it names', async () => {
    const expected = Object.fromEntries(
      cases
        .filter(({ outcome }) => outcome.review !== null)
        .map((each) => [seenOf(each).id, `${each.scenario} on ${each.kind}: ${each.outcome.review}`]),
    );
    const named = new Map(cases.map((each) => [seenOf(each).id, `${each.scenario} on ${each.kind}`]));
    const queue = async () => {
      const { stdout } = await process.run('dist/cli/main.js', 'review', 'list', '--json');
      const entries = JSON.parse(stdout) as { intentId: string; reason: string }[];
      return Object.fromEntries(
        entries.map(({ intentId, reason }) => [intentId, `${named.get(intentId)}: ${reason}`]),
      );
    };
    const length = Object.keys(expected).length;
    expect(await eventually(queue, (entries) => Object.keys(entries).length >= length)).toEqual(expected);
  });
});

it('leaves no invariant broken, and every delivery verified', async () => {
  const { code, stdout } = await process.run('dist/cli/main.js', 'check', '--json');
  const broken = (JSON.parse(stdout) as { violations: number }[]).filter(({ violations }) => violations > 0);
  expect({ code, broken, refused: receiver.refused }).toEqual({ code: 0, broken: [], refused: 0 });
});
