import { DataSource } from 'typeorm';
import { type Address, erc20Abi, type Hex, parseEther } from 'viem';
import { ANYBODYS } from '../../../src/database/by.js';
import { AuditLog } from '../../../src/modules/accounts/audit/audit-log.service.js';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import { OwnAddressesService } from '../../../src/modules/chains/wallets/own-addresses.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { PaymentDetailsService } from '../../../src/modules/intents/reporting/payment-details.service.js';
import { ReviewsService } from '../../../src/modules/intents/review/reviews.service.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { compileContracts } from '../../chain/contracts.js';
import { choose } from '../../support/checkout/choose.js';
import { CLI_ACTOR } from '../../support/intents/by.js';
import { by } from '../../support/intents/by.js';
import { Money } from '../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { SENT_FROM } from '../../support/nodes/chain-check.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

const { payout } = compileContracts();
const BUYER = anvilAccount(5).address;
const TREASURY = anvilAccount(6).address;

let anvil: TestAnvil;
let service: Service;
let money: Money;
let reviews: ReviewsService;
let merchantId: string;
/** Pays coin by calls inside a transaction. */
let contract: Address;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  const { abi, bytecode } = payout;
  const hash = await anvil.testClient.deployContract({ account: BUYER, abi, bytecode, args: [] });
  contract = (await anvil.testClient.waitForTransactionReceipt({ hash })).contractAddress!;
  service = await Service.start({ chain: anvil });
  service.leaveUntold('ethereum', SENT_FROM);
  money = new Money(service);
  reviews = service.app.get(ReviewsService);
  ({ merchantId } = await service.shop());
});
afterAll(async () => {
  await service?.stop();
  await anvil?.stop();
});

interface Paid {
  readonly address: Address;
  readonly atoms: bigint;
}

async function quoteOf(id: string, asset = 'USDC'): Promise<Paid> {
  const [quote] = await service.app
    .get(DataSource)
    .query<[{ address: Address; atoms: string }]>(
      'SELECT watched_address AS address, amount_atoms AS atoms FROM quote WHERE intent_id = $1 AND asset = $2',
      [id, asset],
    );
  return { address: quote.address, atoms: BigInt(quote.atoms) };
}

function sendToken(to: Address, atoms: bigint, account: Address = BUYER, symbol: 'USDC' | 'USDT' = 'USDC') {
  const { address } = anvil.tokens[symbol];
  const args = [to, atoms] as const;
  return anvil.testClient.writeContract({ account, address, abi: erc20Abi, functionName: 'transfer', args });
}

const sendCoin = (to: Address, value: bigint, account: Address = BUYER): Promise<Hex> =>
  anvil.testClient.sendTransaction({ account, to, value });

async function pickedCoin(): Promise<string> {
  const wanted = { amountMinor: 1000n, currency: 'CHF', title: null } as const;
  const { intent } = await service.app
    .get(IntentsService)
    .create(merchantId, { ...wanted, idempotencyKey: null, returnUrl: null });
  await choose(service, intent.id, 'ethereum', 'ETH');
  return intent.id;
}

const reaches = (id: string, status: string) =>
  eventually(
    () => money.status(id),
    (seen) => seen === status,
  );
const entryOf = (id: string) => reviews.show(ANYBODYS, id).catch(() => null);
const transfersOf = async (id: string) =>
  (await service.app.get(PaymentDetailsService).get(merchantId, id)).transfers;

async function settled(): Promise<{ id: string } & Paid> {
  const id = await money.picked(merchantId);
  const quote = await quoteOf(id);
  await sendToken(quote.address, quote.atoms);
  await reaches(id, 'settled');
  return { id, ...quote };
}

/** Of the merchant's own movement nobody is told, and it changes nothing but the payment's history. */
async function expectOwn(id: string, status: string, txid: Hex): Promise<void> {
  await eventually(
    () => transfersOf(id),
    (seen) => seen.some((transfer) => transfer.txid === txid && transfer.own && transfer.confirmations > 3),
  );
  expect(await money.status(id)).toBe(status);
  expect(await entryOf(id)).toBeNull();
  const { items } = await service.app.get(AlertsService).list({ merchantId });
  expect(items.filter(({ subject }) => subject === id)).toEqual([]);
  expect(
    await service.app
      .get(DataSource)
      .query(`SELECT 1 FROM event WHERE subject = $1 AND type = 'payment.money'`, [id]),
  ).toEqual([]);
}

describe('what the merchant moves itself', () => {
  const wanted = () => ({ merchantId, network: 'ethereum', address: TREASURY });
  const wallets = () => service.app.get(OwnAddressesService);
  const cli = () => service.app.get(AuditLog).by(CLI_ACTOR);

  it('as gas to a paid address, from an address that it named, raises nothing and counts nothing', async () => {
    const { id, address } = await settled();
    const own = await wallets().add(wanted(), cli());
    expect(own).toMatchObject({ family: 'evm', address: TREASURY.toLowerCase() });
    expect(await wallets().add(wanted(), cli())).toEqual(own);
    expect(await service.app.get(OwnAddressesService).list(merchantId)).toEqual([own]);
    await expectOwn(id, 'settled', await sendCoin(address, parseEther('0.01'), TREASURY));
    await wallets().remove(wanted(), cli());
    await sendCoin(address, parseEther('0.01'), TREASURY);
    const entry = await eventually(
      () => entryOf(id),
      (seen) => seen !== null,
    );
    expect(entry?.transfers).toHaveLength(1);
    await expect(wallets().remove(wanted(), cli())).rejects.toThrow('has not named');
    const audit = await service.app
      .get(DataSource)
      .query<unknown[]>(
        `SELECT actor, action, subject, detail->>'address' AS address FROM audit_entry WHERE action LIKE 'wallet.own%' ORDER BY at`,
      );
    const entryFor = (action: string) => ({
      actor: 'cli',
      action,
      subject: 'ethereum',
      address: own.address,
    });
    expect(audit).toEqual([entryFor('wallet.own-added'), entryFor('wallet.own-removed')]);
  });

  it('is not named by an address of another network, or by one that was issued', async () => {
    const add = (change: object) => wallets().add({ ...wanted(), ...change }, cli());
    await expect(add({ address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' })).rejects.toThrow(
      'no address',
    );
    await expect(add({ network: 'nowhere' })).rejects.toThrow('nowhere');
    const other = await service.shop();
    const { address } = await quoteOf(await money.picked(other.merchantId));
    await expect(add({ address })).rejects.toThrow('was issued to a buyer');
    expect(await service.app.get(OwnAddressesService).list(merchantId)).toEqual([]);
  });

  it('from one issued address to another, or to the same, completes nothing', async () => {
    const { id, address, atoms } = await settled();
    const open = await money.picked(merchantId);
    await wallets().add(wanted(), cli());
    const gas = await sendCoin(address, parseEther('0.1'), TREASURY);
    await anvil.testClient.waitForTransactionReceipt({ hash: gas });
    await anvil.testClient.impersonateAccount({ address });
    const toItself = await sendToken(address, atoms, address);
    const toAnother = await sendToken((await quoteOf(open)).address, atoms, address);
    await expectOwn(id, 'settled', toItself);
    await expectOwn(open, 'initiated', toAnother);
    await wallets().remove(wanted(), cli());
  });

  /** A transaction of the merchant's own address to a contract that pays coin out, with so much coin of its own. */
  async function payThroughContract(to: Address, atoms: bigint, value: bigint): Promise<Hex> {
    const hash = await anvil.testClient.writeContract({
      account: TREASURY,
      address: contract,
      abi: payout.abi,
      functionName: 'pay',
      gas: 1_000_000n,
      args: [[to], [atoms]],
      value,
    });
    await anvil.testClient.waitForTransactionReceipt({ hash });
    return hash;
  }

  it('as gas to a paid address by way of a contract raises nothing and counts nothing', async () => {
    const { id, address } = await settled();
    await wallets().add(wanted(), cli());
    await expectOwn(id, 'settled', await payThroughContract(address, 10n ** 16n, 2n * 10n ** 16n));
    await wallets().remove(wanted(), cli());
  });

  it('is not what a contract holds of a buyer and pays because the merchant tells it to', async () => {
    const id = await pickedCoin();
    const { address, atoms } = await quoteOf(id, 'ETH');
    await anvil.testClient.setBalance({ address: contract, value: atoms });
    await wallets().add(wanted(), cli());
    await payThroughContract(address, atoms, 0n);
    await reaches(id, 'settled');
    await wallets().remove(wanted(), cli());
  });
});

it('an extra atom in every block does not stand in the way of an accept', async () => {
  const id = await money.picked(merchantId);
  const { address, atoms } = await quoteOf(id);
  await money.endWindowIn(id, -5_000); // a block's time is of whole seconds
  await reaches(id, 'expired');
  const whole = await sendToken(address, atoms);
  const dust = setInterval(() => void sendToken(address, 1n).catch(() => undefined), 500);
  try {
    // With an atom that is not: a watcher that is late sees some blocks at once, and the next atom a moment later.
    await eventually(
      () => transfersOf(id),
      (seen) =>
        seen.some(({ txid, final }) => txid === whole && final) &&
        seen.some(({ confirmations }) => confirmations < 3),
    );
    const { acceptable } = await reviews.show(ANYBODYS, id);
    await reviews.accept(
      { whose: ANYBODYS, id, by: by('ann') },
      { reason: 'late, but all of it', seen: acceptable?.transferIds },
    );
    expect(await money.status(id)).toBe('settled');
  } finally {
    clearInterval(dust);
  }
});

it('money for another choice of the buyer before the settlement did not come after it', async () => {
  const id = await money.picked(merchantId);
  await choose(service, id, 'ethereum', 'USDT');
  const [usdc, usdt] = [await quoteOf(id), await quoteOf(id, 'USDT')];
  await sendToken(usdc.address, usdc.atoms / 10n);
  await eventually(
    () => transfersOf(id),
    (seen) => seen.length === 1,
  );
  await sendToken(usdt.address, usdt.atoms, BUYER, 'USDT');
  await reaches(id, 'settled');
  expect(await entryOf(id)).toMatchObject({ reason: 'other-quote' });
});

it('any amount that a chain can hold settles', async () => {
  const id = await pickedCoin();
  const { address } = await quoteOf(id, 'ETH');
  const value = 10n ** 36n;
  await anvil.testClient.setBalance({ address: BUYER, value: 2n * value });
  await sendCoin(address, value);
  await reaches(id, 'settled');
});

it('a payment that cannot be decided is told of, holds up no other, and goes on once it can be', async () => {
  const { app } = service;
  const dataSource = app.get(DataSource);
  const id = await money.picked(merchantId);
  await dataSource.query(
    `CREATE FUNCTION break_one() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN IF NEW.intent_id = '${id}' THEN RAISE 'out of order'; END IF; RETURN NEW; END $$;
     CREATE TRIGGER break_one BEFORE INSERT ON settlement FOR EACH ROW EXECUTE FUNCTION break_one()`,
  );
  const { address, atoms } = await quoteOf(id);
  await sendToken(address, atoms);
  const alertOf = async () =>
    (await app.get(AlertsService).list({ merchantId: null })).items.find(
      ({ kind, subject }) => kind === 'intent-undecidable' && subject === id,
    );
  await eventually(alertOf, (alert) => alert !== undefined);
  await settled();
  expect(await money.status(id).catch(() => 'undecided')).not.toBe('settled');
  await dataSource.query('DROP TRIGGER break_one ON settlement; DROP FUNCTION break_one()');
  await reaches(id, 'settled');
  await eventually(alertOf, (alert) => alert?.resolvedAt != null);
});
