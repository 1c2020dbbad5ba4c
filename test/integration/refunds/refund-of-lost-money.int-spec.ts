import type { Address, Hex } from 'viem';
import { ANYBODYS } from '../../../src/database/by.js';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import type { RefundState } from '../../../src/modules/intents/refunds.types.js';
import { ExportsService } from '../../../src/modules/intents/reporting/exports.service.js';
import { InvariantsService } from '../../../src/modules/intents/reporting/invariants.service.js';
import { PaymentDetailsService } from '../../../src/modules/intents/reporting/payment-details.service.js';
import type { RefundsService } from '../../../src/modules/intents/review/refunds.service.js';
import { ReviewsService } from '../../../src/modules/intents/review/reviews.service.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { Jobs } from '../../../src/platform/jobs/jobs.js';
import { BUYER } from '../../chain/chains-fixture.js';
import { by } from '../../support/intents/by.js';
import { Money } from '../../support/intents/money.js';
import { RefundWorld, WALLET } from '../../support/intents/refund-world.js';
import { reorganise, startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { rpc } from '../../support/nodes/node-rpc.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

const HOMES = [anvilAccount(8).address, anvilAccount(9).address] as const;
const DEPTH = 3;
const REWRITTEN_BLOCKS = 6;
/** Of `Money.picked`, in USDC. */
const PRICE = 12_500_000n;
let anvil: TestAnvil;
let world: RefundWorld;
let service: Service;
let merchantId: string;
let refunds: RefundsService;

beforeAll(async () => {
  anvil = await startTestAnvil();
  world = await RefundWorld.start(anvil, DEPTH);
  ({ service, merchantId, refunds } = world);
});

afterAll(async () => {
  await world?.stop();
  await anvil?.stop();
});

const mine = (blocks = 1) => world.mine(blocks);
const sendToken = (from: Address, to: Address, atoms: bigint) => world.sendToken(from, to, atoms);
const ask = (id: string, amount: string, address: Address) => world.ask(id, amount, address);
const until = (refundId: string, wanted: RefundState) => world.until(refundId, wanted);

/** As `RefundWorld.late`; the last of it in the latest blocks. */
async function late(...payments: readonly bigint[]): Promise<string> {
  await mine(20);
  return world.late(payments, { apart: REWRITTEN_BLOCKS + 2 });
}

/** A settled intent that was paid too much by so many atoms, in one transaction of the latest blocks: its raw bytes. */
async function settledBeyond(excess: bigint): Promise<{ id: string; payment: Hex }> {
  const money = new Money(service);
  await mine(20);
  const id = await money.picked(merchantId, 'ethereum', 'USDC');
  const { depositAddress } = await service.app.get(IntentsService).get(merchantId, id);
  await mine(REWRITTEN_BLOCKS + 2);
  const txid = await sendToken(BUYER, depositAddress as Address, PRICE + excess);
  await mine(DEPTH);
  await eventually(
    () => refunds.proposal(merchantId, id),
    ({ refundable }) => refundable[0]?.atoms === excess,
  );
  expect(await money.status(id)).toBe('settled');
  return { id, payment: await rawOf(txid) };
}

/** The buyer's latest payment is double-spent; of what the merchant sent, each is mined again. */
async function rewriteAll(raws: readonly Hex[], blocks = REWRITTEN_BLOCKS): Promise<void> {
  await reorganise(anvil.testClient, blocks);
  for (const raw of raws) await rpc(anvil.rpcUrl, 'eth_sendRawTransaction', [raw]);
  await mine(2);
}

const rawOf = (txid: Hex) => rpc<Hex>(anvil.rpcUrl, 'eth_getRawTransactionByHash', [txid]);

async function outOfBooks(intentId: string) {
  const [from, to] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)];
  const outs: { out: string | null; txids: readonly string[] }[] = [];
  for await (const row of service.app.get(ExportsService).rows(merchantId, { from, to }))
    if (row.intentId === intentId && row.type === 'refund') outs.push({ out: row.out, txids: row.txids });
  return outs;
}

const told = (intentId: string) => service.app.get(AlertsService).standing('refund-beyond-money', intentId);

async function violated(): Promise<string[]> {
  const checked = await service.app.get(InvariantsService).check();
  return checked.filter(({ violations }) => violations > 0).map(({ invariant }) => invariant);
}

it('a refund that is final is in the books, and its merchant told, though the chain has lost what it returned', async () => {
  const id = await late(5_000_000n);
  const refund = await ask(id, '5', HOMES[0]);
  const txid = await sendToken(WALLET, HOMES[0], 5_000_000n);
  const raw = await rawOf(txid);
  await until(refund.id, 'seen');
  await rewriteAll([raw]);
  await mine(DEPTH);
  await until(refund.id, 'final');
  expect(await outOfBooks(id)).toEqual([{ out: '5.000000', txids: [txid] }]);
  expect(await told(id)).toMatchObject({
    merchantId,
    data: { beyond: [{ network: 'ethereum', asset: 'USDC', amount: '5.000000' }] },
  });
  // What somebody says is bound by what is there, as ever.
  const again = { amount: '1', txid: null };
  const byHand = service.app
    .get(ReviewsService)
    .refund({ whose: merchantId, id, by: by('ann') }, { note: 'by hand', refund: again });
  await expect(byHand).rejects.toThrow();
  await expect(ask(id, '1', HOMES[0])).rejects.toThrow('no final money');
  expect(await violated()).toEqual([]);
});

it('of two refunds of a payment of which the chain has lost a half, both are in the books', async () => {
  const id = await late(2_000_000n, 2_500_000n);
  const asked = [await ask(id, '2', HOMES[0]), await ask(id, '2.5', HOMES[1])];
  const txids = [
    await sendToken(WALLET, HOMES[0], 2_000_000n),
    await sendToken(WALLET, HOMES[1], 2_500_000n),
  ];
  const raws = await Promise.all(txids.map(rawOf));
  for (const { id: refundId } of asked) await until(refundId, 'seen');
  await rewriteAll(raws);
  await mine(DEPTH);
  for (const { id: refundId } of asked) await until(refundId, 'final');
  const outs = (await outOfBooks(id)).map(({ out }) => out).toSorted();
  expect(outs).toEqual(['2.000000', '2.500000']);
  expect(await told(id)).toMatchObject({
    data: { beyond: [{ network: 'ethereum', asset: 'USDC', amount: '2.500000' }] },
  });
  expect(await violated()).toEqual([]);
});

it('a refund that was final before its money left is in the books once, and its merchant told', async () => {
  const id = await late(1_000_000n);
  const refund = await ask(id, '1', HOMES[0]);
  const txid = await sendToken(WALLET, HOMES[0], 1_000_000n);
  const raw = await rawOf(txid);
  await mine(DEPTH);
  await until(refund.id, 'final');
  await rewriteAll([raw], REWRITTEN_BLOCKS + DEPTH);
  await eventually(
    () => told(id),
    (alert) => alert !== null,
  );
  expect(await outOfBooks(id)).toEqual([{ out: '1.000000', txids: [txid] }]);
  // Its own block was mined anew as well: the follower looks where it is now.
  await eventually(
    () => {
      service.app.get(Jobs).wake('follow-refunds');
      return violated();
    },
    (all) => all.length === 0,
  );
});

it('money that comes back ends the alert, and is neither queued nor given back once more', async () => {
  const id = await late(3_000_000n);
  const paid = await anvil.testClient.getBlock({ blockTag: 'latest' });
  const blocks = await Promise.all(
    Array.from({ length: DEPTH + 1 }, (_, i) =>
      anvil.testClient.getBlock({ blockNumber: paid.number - BigInt(i) }),
    ),
  );
  const [payment] = blocks.flatMap(({ transactions }) => transactions);
  const refund = await ask(id, '3', HOMES[0]);
  const raws = [await rawOf(payment!), await rawOf(await sendToken(WALLET, HOMES[0], 3_000_000n))];
  await until(refund.id, 'seen');
  await rewriteAll(raws.slice(1));
  await mine(DEPTH);
  await until(refund.id, 'final');
  expect(await told(id)).not.toBeNull();

  await rpc(anvil.rpcUrl, 'eth_sendRawTransaction', [raws[0]]);
  await mine(DEPTH);
  await eventually(
    () => told(id),
    (alert) => alert === null,
  );
  await expect(service.app.get(ReviewsService).show(merchantId, id)).rejects.toThrow();
  await expect(ask(id, '1', HOMES[0])).rejects.toThrow('no final money');
  expect(await outOfBooks(id)).toHaveLength(1);
  expect(await violated()).toEqual([]);
});

it('what was asked for is not opened for payment once its money has left', async () => {
  const id = await late(4_000_000n);
  const refund = await ask(id, '4', HOMES[0]);
  await rewriteAll([]);
  await mine(DEPTH);
  const change = { whose: merchantId, id: refund.id, by: by('ann') };
  await eventually(
    () => service.app.get(PaymentDetailsService).get(merchantId, id),
    ({ transfers }) => transfers.every(({ missingSince }) => missingSince !== null),
  );
  await expect(refunds.open(change, null)).rejects.toThrow('do not send it');
  expect(await refunds.get(ANYBODYS, refund.id)).toMatchObject({ state: 'asked', openedAt: null });
});

it('an excess that was given back by hand, of a settlement that has left the chain, is told of', async () => {
  const { id } = await settledBeyond(5_000_000n);
  const given = { note: 'by hand', refund: { amount: '5', txid: null } };
  await service.app.get(ReviewsService).refund({ whose: merchantId, id, by: by('ann') }, given);
  expect(await told(id)).toBeNull();
  await rewriteAll([], REWRITTEN_BLOCKS + DEPTH);
  await eventually(
    () => told(id),
    (alert) => alert !== null,
  );
  expect(await violated()).toEqual([]);
});

it('a settlement that comes back ends the alert of the excess that was given back meanwhile', async () => {
  const { id, payment } = await settledBeyond(5_000_000n);
  const refund = await ask(id, '5', HOMES[0]);
  const raw = await rawOf(await sendToken(WALLET, HOMES[0], 5_000_000n));
  await until(refund.id, 'seen');
  await rewriteAll([raw]);
  await mine(DEPTH);
  await until(refund.id, 'final');
  expect(await told(id)).not.toBeNull();

  await rpc(anvil.rpcUrl, 'eth_sendRawTransaction', [payment]);
  await mine(DEPTH);
  await eventually(
    () => told(id),
    (alert) => alert === null,
  );
  expect(await violated()).toEqual([]);
});
