import { DataSource } from 'typeorm';
import type { Address, Hex } from 'viem';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import { ChainRepairService } from '../../../src/modules/chains/repair/chain-repair.service.js';
import { DestinationsService } from '../../../src/modules/chains/wallets/destinations.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import type { RefundOnChain } from '../../../src/modules/intents/refunds.types.js';
import { RefundsService } from '../../../src/modules/intents/review/refunds.service.js';
import { ReviewsService } from '../../../src/modules/intents/review/reviews.service.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { Jobs } from '../../../src/platform/jobs/jobs.js';
import { BUYER, ERC20 } from '../../chain/chains-fixture.js';
import { by } from '../../support/intents/by.js';
import { Money } from '../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

jest.setTimeout(180_000);

const WALLET = anvilAccount(6).address;
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
let service: Service;
let merchantId: string;
let refunds: RefundsService;
beforeAll(async () => {
  anvil = await startTestAnvil();
  service = await Service.start({
    chain: anvil,
    network: { settlementDepths: [DEPTH, DEPTH, DEPTH, DEPTH], confirmationDepth: 1, pollIntervalMs: 50 },
  });
  ({ merchantId } = await service.shop());
  refunds = service.app.get(RefundsService);
  await service.app
    .get(DestinationsService)
    .set({ merchantId, network: 'ethereum', address: WALLET }, by('test'));
});
afterAll(async () => {
  await service?.stop();
  await anvil?.stop();
});

const mine = (blocks = 1) => anvil.testClient.mine({ blocks });
const tip = async () => Number(await anvil.testClient.getBlockNumber());

async function sendToken(from: Address, to: Address): Promise<Hex> {
  const call = { address: anvil.tokens.USDC.address, abi: ERC20, functionName: 'transfer' } as const;
  const hash = await anvil.testClient.writeContract({
    account: from,
    ...call,
    args: [to, ATOMS],
    gas: 200_000n,
  });
  await mine();
  return hash;
}

/** An intent that waits with late money, final. */
async function late(): Promise<string> {
  const money = new Money(service);
  await mine();
  const id = await money.picked(merchantId, 'ethereum', 'USDC');
  const { depositAddress } = await service.app.get(IntentsService).get(merchantId, id);
  await money.endWindowIn(id, -1);
  expect(await money.status(id)).toBe('expired');
  await sendToken(BUYER, depositAddress as Address);
  await mine(DEPTH);
  await eventually(
    () =>
      service.app
        .get(ReviewsService)
        .show(merchantId, id)
        .catch(() => null),
    (entry) => (entry?.refundable.length ?? 0) > 0,
  );
  return id;
}

const ask = (id: string, home: Address): Promise<RefundOnChain> => {
  const wish = { network: null, asset: null, amount: '5', address: home, note: 'late' };
  return refunds.ask(merchantId, id, wish, by('ann'));
};

const until = (id: string, is: (refund: RefundOnChain) => boolean) =>
  eventually(
    () => {
      service.app.get(Jobs).wake('follow-refunds');
      return refunds.get(null, id);
    },
    is,
    30_000,
  );

it('what refunds rested on has to be on the chain that goes on, and all of them are looked for there', async () => {
  const dataSource = service.app.get(DataSource);
  const intents = [await late(), await late(), await late(), await late()] as const;
  const [finalHome, seenHome, openHome, aboveHome] = HOMES;
  const [final, seen, open] = [
    await ask(intents[0], finalHome),
    await ask(intents[1], seenHome),
    await ask(intents[2], openHome),
  ];
  await mine();
  const snapshot = await anvil.testClient.snapshot();
  const start = await tip();
  await sendToken(WALLET, finalHome);
  await mine(BLOCKS.before - 2);
  await until(final.id, ({ state }) => state === 'final');
  await sendToken(WALLET, seenHome);
  await until(seen.id, ({ state }) => state === 'seen');
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
  // At a block that is far above where the other chain will pay it.
  const above = await ask(intents[3], aboveHome);

  await dataSource.query('DELETE FROM chain_block WHERE height <= $1', [start]);
  await anvil.testClient.revert({ id: snapshot });
  await anvil.testClient.increaseTime({ seconds: 77 });
  await mine(BLOCKS.after);
  const repair = service.app.get(ChainRepairService);
  await eventually(
    () => repair.show('ethereum'),
    ({ reason }) => reason?.includes('shares none of the') ?? false,
    30_000,
  );
  const rewind = (to: number) => repair.rewind('ethereum', to, by('the operator'));
  await expect(rewind(start + BLOCKS.after)).rejects.toThrow(`Go back to ${start} or below`);

  await rewind(start);
  expect(await refunds.get(null, final.id)).toMatchObject({ state: 'final', undoneAt: expect.any(Date) });
  expect(await refunds.get(null, seen.id)).toMatchObject({ state: 'sent' });
  expect(await service.app.get(AlertsService).standing('refund-undone', final.id)).not.toBeNull();

  // Each is paid below where it had been searched on the other chain.
  for (const home of HOMES) await sendToken(WALLET, home);
  expect(await tip()).toBeLessThan(start + BLOCKS.before);
  await until(final.id, ({ undoneAt }) => undoneAt === null);
  for (const { id } of [seen, open, above])
    await until(id, ({ state }) => state === 'seen' || state === 'final');
  expect(await service.app.get(AlertsService).standing('refund-undone', final.id)).toBeNull();
  expect(await tip()).toBeLessThan(start + BLOCKS.before);
});
