import { DataSource } from 'typeorm';
import { ANYBODYS } from '../../../src/database/by.js';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import { ChainRepairService } from '../../../src/modules/chains/repair/chain-repair.service.js';
import { RefundFollowingRepository } from '../../../src/modules/intents/unsettled/data/refund-following.repository.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { Jobs } from '../../../src/platform/jobs/jobs.js';
import { by } from '../../support/intents/by.js';
import { RefundWorld, WALLET } from '../../support/intents/refund-world.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { eventually } from '../../support/servers/receiver.js';
import type { Service } from '../../support/service/service.js';

const HOMES = [
  anvilAccount(4).address,
  anvilAccount(7).address,
  anvilAccount(8).address,
  anvilAccount(9).address,
] as const;
const DEPTH = 3;
const ATOMS = 5_000_000n;
/** Of the chain that was given up, and of the one that took its place. */
const BLOCKS = { before: 40, after: 20 } as const;

let anvil: TestAnvil;
let world: RefundWorld;
let service: Service;
beforeAll(async () => {
  anvil = await startTestAnvil();
  world = await RefundWorld.start(anvil, DEPTH);
  ({ service } = world);
});
afterAll(async () => {
  await world?.stop();
  await anvil?.stop();
});

const late = () => world.late([ATOMS]);
const sendToWallet = (home: (typeof HOMES)[number]) => world.sendToken(WALLET, home, ATOMS);

it('what refunds rested on has to be on the chain that goes on, and all of them are looked for there', async () => {
  const dataSource = service.app.get(DataSource);
  const intents = [await late(), await late(), await late(), await late()] as const;
  const [finalHome, seenHome, openHome, aboveHome] = HOMES;
  const [final, seen, open] = [
    await world.ask(intents[0], '5', finalHome),
    await world.ask(intents[1], '5', seenHome),
    await world.ask(intents[2], '5', openHome),
  ];
  await world.mine();
  const snapshot = await anvil.testClient.snapshot();
  const start = await world.tip();
  await sendToWallet(finalHome);
  await world.mine(BLOCKS.before - 2);
  await world.until(final.id, 'final');
  await sendToWallet(seenHome);
  await world.until(seen.id, 'seen');
  const searched = async () => {
    const [row] = await dataSource.query<{ height: number }[]>(
      'SELECT searched_height::int AS height FROM refund WHERE id = $1',
      [open.id],
    );
    return row!.height;
  };
  await eventually(
    () => {
      service.app.get(Jobs).wake('follow-refunds');
      return searched();
    },
    (height) => height === start + BLOCKS.before,
  );
  // A rewind holds no intent's lock: what is not seen any more does not become final.
  const isFinal = await dataSource.transaction((tx) =>
    service.app.get(RefundFollowingRepository).final(tx, open.id, 'rev_1'),
  );
  expect([isFinal, (await world.refunds.get(ANYBODYS, open.id)).state]).toEqual([false, 'asked']);
  // At a block that is far above where the other chain will pay it.
  const above = await world.ask(intents[3], '5', aboveHome);

  await dataSource.query('DELETE FROM chain_block WHERE height <= $1', [start]);
  await anvil.testClient.revert({ id: snapshot });
  await anvil.testClient.increaseTime({ seconds: 77 });
  await world.mine(BLOCKS.after);
  const repair = service.app.get(ChainRepairService);
  await eventually(
    () => repair.show('ethereum'),
    ({ reason }) => reason?.includes('shares none of the') ?? false,
    60_000,
  );
  const rewind = (to: number) => repair.rewind('ethereum', to, by('the operator'));
  await expect(rewind(start + BLOCKS.after)).rejects.toThrow(`Go back to ${start} or below`);

  await rewind(start);
  expect(await world.refunds.get(ANYBODYS, final.id)).toMatchObject({
    state: 'final',
    undoneAt: expect.any(Date),
  });
  expect(await world.refunds.get(ANYBODYS, seen.id)).toMatchObject({ state: 'sent' });
  expect(await service.app.get(AlertsService).standing('refund-undone', final.id)).not.toBeNull();

  // Each is paid below where it had been searched on the other chain.
  for (const home of HOMES) await sendToWallet(home);
  expect(await world.tip()).toBeLessThan(start + BLOCKS.before);
  await world.untilIt(final.id, ({ undoneAt }) => undoneAt === null);
  for (const { id } of [seen, open, above]) await world.until(id, 'seen', 'final');
  expect(await service.app.get(AlertsService).standing('refund-undone', final.id)).toBeNull();
  expect(await world.tip()).toBeLessThan(start + BLOCKS.before);
});
