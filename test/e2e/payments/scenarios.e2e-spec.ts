import type { Browser } from 'playwright-core';
import { SCENARIO_NAMES } from '../../../src/modules/sandbox/scenarios.pure.js';
import { NETWORK_KINDS } from '../../../src/modules/sandbox/scenarios.types.js';
import { launchChromium } from '../../support/browser/chromium.js';
import { AXE_FILE, axeFindings, htmlFindings } from '../../support/browser/inspection.js';
import { complaintsOf, overflow, smallTargets } from '../../support/browser/reading.js';
import { SCREENS } from '../../support/browser/screens.js';
import { chosen } from '../../support/checkout/choose.js';
import { casesOn, CHOICES, type Seen, Stand } from '../../support/checkout/scenarios.js';
import { nodeTool } from '../../support/nodes/litecoind.js';
import { hasTool } from '../../support/run/tools.js';
import { eventually, Receiver } from '../../support/servers/receiver.js';
import { SandboxProcess } from '../../support/service/sandbox.js';

/** A start of the sandbox, and some forty payments on its chains. */
jest.setTimeout(900_000);
/** All at once are more than a chain is kept up with on a machine that does something else as well. */
const AT_ONCE = 10;

const kinds = NETWORK_KINDS.filter((kind) => kind !== 'bitcoin-like' || hasTool(nodeTool('own-nodes')));
const cases = casesOn(kinds);
const titled = cases.map((each) => [each.scenario, each.kind, each] as const);

let process: SandboxProcess;
let receiver: Receiver;
let stand: Stand;
/** What came of each case, or why it could not be played to its end. */
const seen = new Map<(typeof cases)[number], Seen | Error>();

beforeAll(async () => {
  process = await SandboxProcess.create();
  const sandbox = await process.start();
  receiver = await Receiver.start();
  const hook = ['webhook', 'create', '--merchant', sandbox.merchantId, '--url', receiver.url, '--json'];
  const { stdout } = await process.run('dist/cli/main.js', ...hook);
  receiver.secret = (JSON.parse(stdout) as { secret: string }).secret;
  stand = new Stand(sandbox, receiver);
  const failed = (error: unknown) => error as Error;
  const waiting = cases.values();
  const play = async () => {
    for (const each of waiting) seen.set(each, await stand.play(each).catch(failed));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, play));
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

describe('npm run pay -- --scenario', () => {
  const pay = (...args: string[]) => process.run('dist/cli/pay.js', ...args);

  it('plays in the running sandbox and says what it does', async () => {
    const id = await stand.create();
    const { code, stdout } = await pay(id, '--scenario', 'split');
    expect(code).toBe(0);
    expect(stdout.match(/^Sent 31\.1875 USDC on ethereum: 0x\w+$/gm)).toHaveLength(2);
  });

  it('pays what has been picked, without being told again', async () => {
    const id = await stand.create();
    await chosen(stand.checkout(id), { network: 'polygon', asset: 'POL' });
    expect((await pay(id, '--scenario', 'short')).stdout).toContain('Sent 62.375 POL on polygon');
    expect((await pay(id, '--end-window')).stdout).toMatch(/^The payment window ended at 20/);
    const status = () => stand.checkout(id).status();
    await eventually(status, (seen) => seen.status === 'expired');
  });

  it('lists all of them with their sentences', async () => {
    const { stdout } = await pay('--help');
    for (const name of SCENARIO_NAMES) expect(stdout).toMatch(new RegExp(`^  ${name} +[A-Z].+\\.$`, 'm'));
  });

  it('says why one cannot be played, on standard error with exit status 1, and sends nothing', async () => {
    const id = await stand.create();
    const refused = await pay(id, '--asset', 'USDC', '--scenario', 'internal');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^"internal" is not possible with USDC on Ethereum: .+\.$/m);
    const unknown = await pay(id, '--scenario', 'nonsense');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toMatch(/Allowed choices are exact, short,/);
    const nowhere = await pay(id, '--asset', 'DOGE');
    expect(nowhere).toMatchObject({ code: 1, stdout: '' });
    expect(nowhere.stderr).toMatch(/^The sandbox has no DOGE\. It offers: ETH, USDC, USDT on ethereum;/);
  });
});

describe('the page "Test payment"', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  it('takes a buyer without JavaScript from the checkout through a scenario and back', async () => {
    const id = await stand.create();
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(stand.checkout(id).page);
    await page.getByRole('link', { name: 'Test payment' }).click();
    expect(await page.locator('main').textContent()).toContain('Pick an asset at the checkout first.');
    expect(await page.getByRole('button', { name: 'exact' }).count()).toBe(0);

    await chosen(stand.checkout(id), CHOICES['evm-coin']);
    await page.reload();
    expect(await page.locator('main').textContent()).toContain('0.01782143\u00a0ETH on Ethereum is missing');
    await page.getByRole('button', { name: /^short/ }).click();
    expect(new URL(page.url()).pathname).toBe(`/pay/${id}`);
    await eventually(
      () => stand.checkout(id).run(),
      (run) => run?.state === 'done',
    );
    await page.getByRole('link', { name: 'Test payment' }).click();
    expect(await page.locator('.run').textContent()).toContain('Sent 0.008910715 ETH on ethereum: 0x');
    await page.getByRole('button', { name: 'End the payment window now' }).click();
    expect(new URL(page.url()).pathname).toBe(`/pay/${id}`);
    await context.close();
  });

  it('is accessible, valid, and fits every screen', async () => {
    const [fresh, paid] = [await stand.create(), await stand.create()];
    await chosen(stand.checkout(paid), CHOICES['evm-token']);
    await stand.checkout(paid).begin('exact');
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    await context.addInitScript({ path: AXE_FILE });
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    const findings: string[] = [];
    for (const id of [fresh, paid]) {
      const response = await page.goto(stand.checkout(id).page.replace('/pay/', '/sandbox/pay/'));
      findings.push(...(await htmlFindings((await response?.text()) ?? '')));
      for (const [width, colorScheme] of SCREENS) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        findings.push(...(await axeFindings(page)));
        if ((await overflow(page)) > 0) findings.push(`too wide for ${width}`);
        if (width === 320) findings.push(...(await smallTargets(page)));
      }
    }
    expect([...findings, ...complaints]).toEqual([]);
    await context.close();
  });

  it('refuses a form of another site, and knows no other scenario and no other payment', async () => {
    const id = await stand.create();
    await chosen(stand.checkout(id), CHOICES['evm-token']);
    const post = async (path: string, origin?: string) => {
      const url = new URL(`/sandbox/pay/${path}`, stand.checkout(id).page);
      const headers: Record<string, string> = origin === undefined ? {} : { origin };
      return (await fetch(url, { method: 'POST', headers, redirect: 'manual' })).status;
    };
    expect(await post(`${id}/exact`, 'https://evil.example')).toBe(403);
    expect(await post(`${id}/end-window`, 'https://evil.example')).toBe(403);
    expect(await post(`${id}/nonsense`)).toBe(404);
    expect(await post('pi_nothing/exact')).toBe(404);
    expect(await post('pi_nothing/end-window')).toBe(404);
    expect(await post(`${id}/internal`)).toBe(409);
    expect(await stand.checkout(id).status()).toMatchObject({ status: 'initiated' });
  });
});
