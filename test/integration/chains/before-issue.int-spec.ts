import { DataSource } from 'typeorm';
import { type Address, erc20Abi, formatUnits, parseEther, parseUnits } from 'viem';
import { ANYBODYS } from '../../../src/database/by.js';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import { deriveAddress } from '../../../src/modules/chains/domain/addresses/derive-address.js';
import { ReconciliationService } from '../../../src/modules/chains/reconciliation/reconciliation.service.js';
import { CheckoutIntentsService } from '../../../src/modules/intents/checkout/checkout-intents.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { ReviewsService } from '../../../src/modules/intents/review/reviews.service.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { presentTerm } from '../../chain/term.js';
import { choose } from '../../support/checkout/choose.js';
import { Money } from '../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { expectChainClean } from '../../support/nodes/chain-check.js';
import { xpubOf } from '../../support/nodes/wallet.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

const BUYER = anvilAccount(5).address;

let anvil: TestAnvil;
let service: Service;
let money: Money;
let merchantId: string;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  // What a round asks is compared here, and not how slowly.
  service = await Service.start({ chain: anvil, env: { RECONCILE_REQUESTS_PER_SECOND: '1000' } });
  money = new Money(service);
  ({ merchantId } = await service.shop());
});
afterAll(async () => {
  await service?.stop();
  await anvil?.stop();
});

const query = <T>(sql: string, values: unknown[] = []) => service.app.get(DataSource).query<T[]>(sql, values);

/** The address that the next buyer gets, before anybody has it. */
async function nextAddress(): Promise<Address> {
  const [key] = await query<{ next: number }>('SELECT next_index AS next FROM extended_key');
  return deriveAddress({ family: 'evm' }, xpubOf(merchantId), key!.next).address as Address;
}

const sendCoin = (to: Address, ether: string) =>
  anvil.testClient.sendTransaction({ account: BUYER, to, value: parseEther(ether) });

function sendToken(to: Address, amount: string) {
  const args = [to, parseUnits(amount, 6)] as const;
  return anvil.testClient.writeContract({
    account: BUYER,
    address: anvil.tokens.USDC.address,
    abi: erc20Abi,
    functionName: 'transfer',
    args,
  });
}

/** Mines, and waits until the watcher has passed it. */
async function pass(blocks = 1): Promise<void> {
  await anvil.testClient.mine({ blocks });
  const tip = Number(await anvil.testClient.getBlockNumber());
  await eventually(
    () => query<{ height: string }>('SELECT height FROM chain_cursor'),
    ([cursor]) => Number(cursor?.height) >= tip,
  );
}

async function picked(asset: string): Promise<{ id: string; address: Address; atoms: bigint }> {
  const wanted = { amountMinor: 1000n, currency: 'CHF', title: null } as const;
  const { intent } = await service.app
    .get(IntentsService)
    .create(merchantId, { ...wanted, idempotencyKey: null, returnUrl: null });
  await choose(service, intent.id, 'ethereum', asset);
  const [quote] = await query<{ address: Address; atoms: string }>(
    'SELECT watched_address AS address, amount_atoms AS atoms FROM quote WHERE intent_id = $1',
    [intent.id],
  );
  return { id: intent.id, address: quote!.address, atoms: BigInt(quote!.atoms) };
}

/** A whole round of the comparison with the chain, when all is final and decided. */
async function compared(): Promise<void> {
  await pass(8);
  await query(
    'UPDATE reconciliation SET recent_at = NULL, position = NULL, round_started_at = NULL, whole_at = NULL',
  );
  const reconciliation = service.app.get(ReconciliationService, { strict: false });
  const term = await presentTerm(service.app.get(DataSource), 'ethereum');
  while (await reconciliation.step(term));
  await pass(1);
  await eventually(
    () => query<{ waiting: number }>('SELECT count(*)::int AS waiting FROM fact_change'),
    ([row]) => row!.waiting === 0,
  );
}

const transfersOf = (id: string) =>
  query<{ asset: string; atoms: string; before: boolean }>(
    `SELECT asset, amount_atoms AS atoms, before_issue AS before FROM transfer
      WHERE subject = $1 AND state = 'included' ORDER BY block_height`,
    [id],
  );

interface Case {
  readonly asset: 'ETH' | 'USDC';
  readonly id: string;
  readonly address: Address;
  readonly atoms: bigint;
}

/** Two that somebody pays besides, and one that nobody does. */
const cases: Case[] = [];

beforeAll(async () => {
  const held = { ETH: '1', USDC: '50' };
  for (const asset of ['ETH', 'USDC', 'USDC'] as const) {
    const next = await nextAddress();
    await (asset === 'ETH' ? sendCoin(next, held.ETH) : sendToken(next, held.USDC));
    await pass(2);
    const one = await picked(asset);
    expect(one.address).toBe(next.toLowerCase());
    cases.push({ asset, ...one });
  }
  await compared();
});

describe('money that lay at an address before it was issued', () => {
  it('is recorded as such, pays nothing, and is shown to no buyer', async () => {
    for (const { asset, id } of cases) {
      const atoms = String(asset === 'ETH' ? parseEther('1') : parseUnits('50', 6));
      expect(await transfersOf(id)).toEqual([{ asset, atoms, before: true }]);
      expect(await money.status(id)).toBe('initiated');
      const shown = await service.app.get(CheckoutIntentsService).find(id);
      expect(shown).toMatchObject({ mayCancel: true, maySwitch: true, otherTransfers: [] });
      expect(shown?.quote).toMatchObject({ received: { atoms: 0n }, transfers: [] });
    }
  });

  it('is accepted by no rule and by nobody: it waits in the queue beside what was paid, and is announced', async () => {
    const [coin, token, unpaid] = cases as [Case, Case, Case];
    await anvil.testClient.sendTransaction({ account: BUYER, to: coin.address, value: coin.atoms });
    await sendToken(token.address, formatUnits(token.atoms, 6));
    await money.endWindowIn(unpaid.id, -1);
    expect(await money.status(unpaid.id)).toBe('expired');
    await compared();
    for (const { id, asset } of cases) {
      expect(await money.status(id)).toBe(id === unpaid.id ? 'expired' : 'settled');
      const entry = await service.app.get(ReviewsService).show(ANYBODYS, id);
      expect(entry).toMatchObject({
        reason: 'before-issue',
        final: false,
        quoted: null,
        transfers: [{ asset }],
      });
      expect((await service.app.get(CheckoutIntentsService).find(id))?.refunds).toBeNull();
      const { items } = await service.app.get(AlertsService).list({ merchantId });
      expect(items.filter(({ subject }) => subject === id)).toHaveLength(1);
      const [event] = await query<{ body: string }>(
        `SELECT body FROM event WHERE subject = $1 AND type = 'payment.money'`,
        [id],
      );
      const { data } = JSON.parse(event!.body) as { data: { money: { reason: string } } };
      expect(data.money.reason).toBe('before-issue');
    }
    await expectChainClean(service.app);
  });
});
