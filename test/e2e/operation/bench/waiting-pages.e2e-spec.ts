import { createdIntent, pageShape, pickedIntent, withPicked } from '../../../bench/rows/checkout-rows.js';
import { Stage } from '../../../bench/stage.js';
import { subjects } from '../../../bench/turns.js';
import { compressedPage, goingChain, mustWait } from '../../../bench/waiting-pages.js';
import { eventually } from '../../../support/servers/receiver.js';

// That the rows of pages measure pages with a code to pay, and say so where they do not. Needs a build.

const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: Error) => error.message,
  );

let stage: Stage;
beforeEach(() => (stage = new Stage(1, true)));
afterEach(() => stage.clear());

it('measures pages that wait with their code, and none of a network that stands still', async () => {
  const chain = await goingChain(stage);
  const [subject] = await subjects(stage, { chain }, (each) => withPicked(stage, each));
  const { service, key, pool, waiting } = subject;
  const load = stage.helper('load-process.mjs');
  expect((await stage.load(load, pageShape(subject, 10))).perSecond).toBeGreaterThan(0);
  expect((await compressedPage(`${service.checkoutUrl}/pay/${waiting[0]}`)).length).toBeGreaterThan(1_000);
  const unpicked = await createdIntent(subject);
  await expect(mustWait(service, unpicked)).rejects.toThrow('200, choose, without a code');

  await chain.stop();
  // What a look that began before would still write has the term of before.
  await pool.query(`
    SELECT FROM watch_lease FOR UPDATE;
    UPDATE watch_lease SET term = term + 1;
    UPDATE chain_cursor SET synced_at = now() - interval '1 hour'`);
  await eventually(
    () => messageOf(mustWait(service, waiting[0]!)),
    (message) => message?.includes('200, blind, without a code') ?? false,
  );
  // As before: the page is answered, and its payment is `initiated`.
  const status = await fetch(`${service.checkoutUrl}/pay/${waiting[0]}/status`);
  expect(await status.json()).toMatchObject({ status: 'initiated', state: 'blind' });
  await expect(stage.run(load, pageShape(subject, 10))).rejects.toThrow('blind');
  await expect(pickedIntent(service, key, 0, 1)).rejects.toThrow('A choice was refused: option-closed.');
});
