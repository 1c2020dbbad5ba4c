import { DataSource } from 'typeorm';
import {
  type Address,
  encodeFunctionData,
  type Hex,
  parseEther,
  parseGwei,
  RpcRequestError,
  zeroAddress,
} from 'viem';
import { ANYBODYS } from '../../../src/database/by.js';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import type { AlertKind } from '../../../src/modules/alerts/alerts.types.js';
import { FactsRepository } from '../../../src/modules/chains/data/facts.repository.js';
import { RpcNode } from '../../../src/modules/chains/evm/node/rpc-node.js';
import { forwarderFactory } from '../../../src/modules/chains/forwarders.types.js';
import { CollectingService } from '../../../src/modules/chains/forwarders/collecting.service.js';
import { OutgoingService } from '../../../src/modules/chains/outgoing/outgoing.service.js';
import { OwnAddressesRepository } from '../../../src/modules/chains/wallets/data/own-addresses.repository.js';
import { DestinationsService } from '../../../src/modules/chains/wallets/destinations.service.js';
import { OwnAddressesService } from '../../../src/modules/chains/wallets/own-addresses.service.js';
import { CheckoutIntentsService } from '../../../src/modules/intents/checkout/checkout-intents.service.js';
import { RefundRequestsService } from '../../../src/modules/intents/checkout/refund-requests.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import type { RefundState } from '../../../src/modules/intents/refunds.types.js';
import { ExportsService } from '../../../src/modules/intents/reporting/exports.service.js';
import { RefundFollower } from '../../../src/modules/intents/review/refund-follower.service.js';
import { RefundsJobs } from '../../../src/modules/intents/review/refunds.jobs.js';
import { RefundsService } from '../../../src/modules/intents/review/refunds.service.js';
import { ReviewsService } from '../../../src/modules/intents/review/reviews.service.js';
import { RefundFollowingRepository } from '../../../src/modules/intents/unsettled/data/refund-following.repository.js';
import { RefundsRepository } from '../../../src/modules/intents/unsettled/data/refunds.repository.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { BUYER, ERC20 } from '../../chain/chains-fixture.js';
import { deployPayer } from '../../chain/payer.js';
import { amountOf } from '../../support/intents/amount.js';
import { by } from '../../support/intents/by.js';
import { Money } from '../../support/intents/money.js';
import { RefundWorld, WALLET } from '../../support/intents/refund-world.js';
import { reorganise, startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { rpc } from '../../support/nodes/node-rpc.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

/** Of somebody who has nothing to do with the merchant's wallet. */
const STRANGER = anvilAccount(7).address;
const HOME = anvilAccount(8).address;
const DEPTH = 3;
/** Far more blocks than a few payments fill. */
const FAR = 12;

let anvil: TestAnvil;
let world: RefundWorld;
let service: Service;
let merchantId: string;
let refunds: RefundsService;
let follower: RefundFollower;
let money: Money;
/** An intent of which nothing has been asked. */
let refused: string | undefined;

beforeAll(async () => {
  anvil = await startTestAnvil();
  world = await RefundWorld.start(anvil, DEPTH);
  ({ service, merchantId, refunds } = world);
  follower = service.app.get(RefundFollower);
  money = new Money(service);
});
afterAll(async () => {
  await world?.stop();
  await anvil?.stop();
});

/** As `ChainTest` does, which has a chain without a service. */
async function deployed({ bytecode }: { bytecode: Hex }): Promise<Address> {
  const hash = await anvil.testClient.deployContract({ account: BUYER, abi: [], bytecode });
  await mine();
  const { contractAddress } = await anvil.testClient.getTransactionReceipt({ hash });
  return contractAddress!;
}
const mine = (blocks = 1) => world.mine(blocks);
const token = (asset: 'USDC' | 'USDT') => anvil.tokens[asset].address;
const sendTokenUnmined = (...sent: Parameters<RefundWorld['sendTokenUnmined']>) =>
  world.sendTokenUnmined(...sent);
const sendToken = (...sent: Parameters<RefundWorld['sendToken']>) => world.sendToken(...sent);
const sendCoin = (from: Address, to: Address, value: bigint) => world.sendCoin(from, to, value);
/** With too little money. */
const late = (asset: 'USDC' | 'ETH', atoms: bigint, of = merchantId) => world.late([atoms], { asset, of });
const ask = (intentId: string, amount: string, address: string = HOME, of = merchantId) =>
  world.ask(intentId, amount, address, of);
const until = (id: string, ...states: RefundState[]) => world.until(id, ...states);
/** Whether it stays as it is although the watcher has passed every block, and every refund was looked for since. */
async function stays(id: string, state: RefundState): Promise<void> {
  await mine();
  const height = Number(await anvil.testClient.getBlockNumber());
  const searched = async () => {
    const [row] = await service.app
      .get(DataSource)
      .query<[{ searched: string; tip: string }]>(
        `SELECT f.searched_height AS searched, c.height AS tip FROM refund f JOIN chain_cursor c USING (network) WHERE f.id = $1`,
        [id],
      );
    return row;
  };
  await eventually(searched, ({ tip }) => Number(tip) >= height);
  await follower.follow('ethereum', 50);
  await follower.follow('ethereum', 50);
  expect(await refunds.get(ANYBODYS, id)).toMatchObject({ state });
}
async function accountingRefunds(id: string) {
  const rows = [];
  const [from, to] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)];
  for await (const row of service.app.get(ExportsService).rows(merchantId, { from, to })) rows.push(row);
  return rows.filter(({ intentId, type }) => intentId === id && type === 'refund');
}
const onPage = async (id: string) =>
  (await service.app.get(CheckoutIntentsService).find(id))!.refunds!.refunds;

it('is found by where it goes, how much, and from the merchant’s own address; and is in the books once it is final', async () => {
  const id = await late('USDC', 5_000_000n);
  const refund = await ask(id, '5');
  expect(refund).toMatchObject({ state: 'asked', asset: 'USDC', address: HOME, txid: null });
  expect(refund.id).toMatch(/^rf_/);

  // Somebody else pays the same to the same address: that is no refund of this merchant.
  await sendToken(STRANGER, HOME, 5_000_000n);
  await stays(refund.id, 'asked');
  // The merchant pays another amount, and the same to somebody else.
  await sendToken(WALLET, HOME, 4_999_999n);
  await sendToken(WALLET, STRANGER, 5_000_000n);
  await sendToken(WALLET, HOME, 5_000_000n, 'USDT');
  await stays(refund.id, 'asked');
  expect(await onPage(id)).toMatchObject([{ state: 'asked', amount: amountOf('5', 6), txid: null }]);

  const txid = await sendToken(WALLET, HOME, 5_000_000n);
  expect(await until(refund.id, 'seen')).toMatchObject({ txid });
  expect(await accountingRefunds(id)).toEqual([]);
  expect(await onPage(id)).toMatchObject([{ state: 'seen', txid }]);
  await mine(DEPTH);
  expect(await until(refund.id, 'final')).toMatchObject({ txid });
  expect(await accountingRefunds(id)).toMatchObject([
    { asset: 'USDC', refunded: '5', out: '5.000000', txids: [txid], decidedBy: 'ann', reason: 'came late' },
  ]);
  expect(await onPage(id)).toMatchObject([{ state: 'final', amount: amountOf('5', 6), asset: 'USDC', txid }]);
  await expect(service.app.get(ReviewsService).show(merchantId, id)).rejects.toThrow(
    'not in the review queue',
  );
});

it('that is decided goes where the buyer asked by then: another address is kept only once it is withdrawn', async () => {
  const id = await late('USDC', 5_000_000n);
  const wish = { network: 'ethereum', address: HOME, note: '' };
  const wishes = service.app.get(RefundRequestsService);
  const offered = async () => (await service.app.get(CheckoutIntentsService).find(id))!.refunds;
  expect(await wishes.ask(id, wish)).toBe('stored');
  expect(await offered()).toMatchObject({ open: true, networks: [{ network: 'ethereum' }] });
  const refund = await ask(id, '5');
  expect(await wishes.ask(id, { ...wish, address: STRANGER })).toBe('decided');
  expect(await offered()).toMatchObject({
    open: false,
    networks: [],
    closedAt: null,
    requests: [{ address: HOME }],
    sums: [{ underWay: { atoms: 5_000_000n } }],
  });
  await refunds.withdraw({ whose: merchantId, id: refund.id, by: by('ann') }, true);
  expect(await offered()).toMatchObject({ open: true, networks: [{ network: 'ethereum' }] });
  expect(await wishes.ask(id, { ...wish, address: STRANGER })).toBe('stored');
});

it('of coin that a contract paid inside a transaction is found by the transaction’s id, which anybody’s wallet may have sent', async () => {
  const id = await late('ETH', parseEther('0.003'));
  const refund = await ask(id, '0.003');
  const payer = await deployPayer({ anvil, deploy: deployed } as never);
  const txid = await payer(HOME, parseEther('0.003'));
  await mine();
  await stays(refund.id, 'asked');
  const change = { whose: merchantId, id: refund.id, by: by('ann') };
  // One that pays something else is not taken, whoever names it.
  const other = await sendCoin(WALLET, HOME, parseEther('0.002'));
  expect(await refunds.send(change, other)).toMatchObject({ state: 'sent', txid: other });
  await stays(refund.id, 'sent');
  await refunds.send(change, txid);
  // It is deep by now.
  expect(await until(refund.id, 'final')).toMatchObject({ txid });
});

it('that a reorganisation undoes is sent again, and final only when another block has held it long enough', async () => {
  const id = await late('USDC', 5_000_000n);
  const refund = await ask(id, '5');
  const txid = await sendToken(WALLET, HOME, 5_000_000n);
  const raw = await rpc<Hex>(anvil.rpcUrl, 'eth_getRawTransactionByHash', [txid]);
  const seen = await until(refund.id, 'seen');
  await reorganise(anvil.testClient, 1);
  await mine();
  await until(refund.id, 'sent');
  expect(await accountingRefunds(id)).toEqual([]);
  // What is on its way can be withdrawn, and its money is there again.
  await rpc(anvil.rpcUrl, 'eth_sendRawTransaction', [raw]).catch(() => undefined);
  await mine();
  const again = await until(refund.id, 'seen');
  expect([again.txid, again.blockHeight]).not.toEqual([txid, seen.blockHeight]);
  await mine(DEPTH);
  await until(refund.id, 'final');
  expect(await accountingRefunds(id)).toHaveLength(1);
});

it('is found in blocks that take the place of those at which it was asked, by its transaction and by what pays it', async () => {
  const [named, unnamed] = [await late('USDC', 5_000_000n), await late('USDC', 6_000_000n)];
  await mine();
  const snapshot = await anvil.testClient.snapshot();
  await mine(FAR);
  const tip = await anvil.testClient.getBlockNumber();
  await world.passed();
  const asked = [await ask(named, '5'), await ask(unnamed, '6')] as const;
  for (const { id } of asked) await stays(id, 'asked');
  await anvil.testClient.revert({ id: snapshot });
  await anvil.testClient.increaseTime({ seconds: 77 });
  const txid = await sendToken(WALLET, HOME, 5_000_000n);
  await sendToken(WALLET, HOME, 6_000_000n);
  expect(await anvil.testClient.getBlockNumber()).toBeLessThan(tip);
  await mine(FAR + DEPTH);
  await refunds.send({ whose: merchantId, id: asked[0].id, by: by('ann') }, txid);
  for (const { id } of asked) await until(id, 'final');
});

it('that is asked while the cursor goes back starts where it then stands', async () => {
  const id = await late('USDC', 4_700_000n);
  await mine(2);
  const tip = Number(await anvil.testClient.getBlockNumber());
  await world.passed();
  const dataSource = service.app.get(DataSource);
  const watcher = dataSource.createQueryRunner();
  await watcher.startTransaction();
  await watcher.query(
    `UPDATE chain_cursor c SET height = b.height, hash = b.hash, safe_height = least(safe_height, b.height),
            finalized_height = least(finalized_height, b.height)
       FROM chain_block b WHERE b.network = c.network AND b.height = $1`,
    [tip - 2],
  );
  await watcher.query('DELETE FROM chain_block WHERE height > $1', [tip - 2]);
  const asking = ask(id, '4.7');
  const waiting = `
    SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INSERT INTO refund%'
       AND datname = current_database()`;
  await eventually(
    () => dataSource.query<unknown[]>(waiting),
    ({ length }) => length === 1,
  );
  await watcher.commitTransaction();
  await watcher.release();
  await asking;
  expect(await dataSource.query('SELECT asked_height::int FROM refund WHERE intent_id = $1', [id])).toEqual([
    { asked_height: tip - 2 },
  ]);
});

it('pays one refund and no other: two of the same amount to the same address take two transactions', async () => {
  const id = await late('USDC', 5_000_000n);
  const first = await ask(id, '2');
  const second = await ask(id, '2');
  await expect(ask(id, '2')).rejects.toThrow('No more than 1 USDC');
  const one = await sendToken(WALLET, HOME, 2_000_000n);
  const states = async () => (await refunds.ofIntent(ANYBODYS, id)).map(({ state }) => state).sort();
  await eventually(states, (all) => all.includes('seen'));
  await mine(DEPTH);
  await eventually(states, (all) => all.includes('final'));
  expect(await states()).toEqual(['asked', 'final']);
  // Nor by its name, whatever its spelling.
  const open = (await refunds.ofIntent(ANYBODYS, id)).find(({ state }) => state === 'asked')!;
  await refunds.send({ whose: merchantId, id: open.id, by: by('ann') }, one.toUpperCase().replace('0X', ''));
  await stays(open.id, 'sent');
  const two = await sendToken(WALLET, HOME, 2_000_000n);
  await refunds.send({ whose: merchantId, id: open.id, by: by('ann') }, two);
  await until(open.id, 'seen');
  await mine(DEPTH);
  await until(open.id, 'final');
  expect((await accountingRefunds(id)).map(({ txids }) => txids[0]).sort()).toEqual([one, two].sort());
  expect([first.id, second.id]).toContain(open.id);
});

describe('another merchant', () => {
  let other: string;
  const operators = (id: string) => service.app.get(AlertsService).standing('refund-shared', id);
  beforeAll(async () => {
    other = (await service.shop()).merchantId;
  });
  const both = async () => {
    const [ours, theirs] = [await late('USDC', 2_000_000n), await late('USDC', 2_000_000n, other)];
    return [await ask(ours, '2'), await ask(theirs, '2', HOME, other)] as const;
  };

  it.each([
    ['a payment from the merchant’s own wallet', WALLET],
    ['a payment that the merchant named, from a wallet that it calls its own', STRANGER],
  ])('that records, names or claims %s first does not keep it', async (_what, from) => {
    const [ours, theirs] = await both();
    const third = (await service.shop()).merchantId;
    const byHand = await late('USDC', 2_000_000n, third);
    const claimed = { merchantId: other, network: 'ethereum', address: from };
    await service.app.get(OwnAddressesService).add(claimed, by('eve'));
    const txid = await sendTokenUnmined(from, HOME, 2_000_000n);
    const recorded = { amount: '2', txid: txid.slice(2) };
    await service.app
      .get(ReviewsService)
      .refund({ whose: third, id: byHand, by: by('eve') }, { note: 'by hand', refund: recorded });
    await refunds.send({ whose: other, id: theirs.id, by: by('eve') }, txid);
    await mine();
    await until(theirs.id, 'seen');
    if (from === STRANGER) await refunds.send({ whose: merchantId, id: ours.id, by: by('ann') }, txid);
    await mine(DEPTH);
    for (const { id } of [ours, theirs])
      expect(await until(id, 'final')).toMatchObject({ txid, elsewhereTxid: null });
    await service.app.get(OwnAddressesService).remove(claimed, by('eve'));
  });

  it('that takes the same payment for its own is said to the operator', async () => {
    const address = { merchantId: other, network: 'ethereum', address: WALLET };
    await service.app.get(DestinationsService).set(address, by('test'));
    const pair = await both();
    const txid = await sendToken(WALLET, HOME, 2_000_000n);
    await mine(DEPTH);
    for (const { id } of pair) expect(await until(id, 'final')).toMatchObject({ txid });
    const told = await Promise.all(pair.map(({ id }) => operators(id)));
    const [one] = told.filter((alert) => alert !== null);
    expect(one).toMatchObject({ merchantId: null, data: { txid } });
    expect(await accountingRefunds(pair[0].intentId)).toHaveLength(1);
  });
});

describe.each([
  ['the merchant’s own wallet', WALLET],
  ['a wallet that nobody has named', STRANGER],
])('sent by %s and sped up there', (_whose, from) => {
  const FEES = [parseGwei('2'), parseGwei('40')] as const;
  const send = async (to: Address, atoms: bigint, nonce: number, fee: bigint) => {
    const data = encodeFunctionData({ abi: ERC20, functionName: 'transfer', args: [to, atoms] });
    const fees = { maxFeePerGas: fee, maxPriorityFeePerGas: fee };
    return anvil.testClient.sendTransaction({
      account: from,
      to: token('USDC'),
      data,
      nonce,
      gas: 200_000n,
      ...fees,
    });
  };

  it('is found in what replaces the named transaction', async () => {
    const refund = await ask(await late('USDC', 5_000_000n), '5');
    const nonce = await anvil.testClient.getTransactionCount({ address: from });
    const slow = await send(HOME, 5_000_000n, nonce, FEES[0]);
    await refunds.send({ whose: merchantId, id: refund.id, by: by('ann') }, slow);
    await eventually(
      () => service.app.get(RefundsRepository).find(refund.id),
      (row) => row?.account?.nonce === nonce,
    );
    const fast = await send(HOME, 5_000_000n, nonce, FEES[1]);
    await mine();
    expect(await until(refund.id, 'seen')).toMatchObject({ txid: fast });
    await mine(DEPTH);
    expect(await until(refund.id, 'final')).toMatchObject({ txid: fast });
  });

  it('is not found where what replaces it pays something else', async () => {
    const refund = await ask(await late('USDC', 5_000_000n), '5');
    const nonce = await anvil.testClient.getTransactionCount({ address: from });
    const slow = await send(HOME, 5_000_000n, nonce, FEES[0]);
    await refunds.send({ whose: merchantId, id: refund.id, by: by('ann') }, slow);
    await eventually(
      () => service.app.get(RefundsRepository).find(refund.id),
      (row) => row?.account !== null,
    );
    await send(from, 0n, nonce, FEES[1]);
    await mine();
    await stays(refund.id, 'sent');
    // From the next nonce it is another payment: the merchant's own is taken, a stranger's has to be named.
    const again = await sendToken(from, HOME, 5_000_000n);
    if (from === STRANGER) {
      await stays(refund.id, 'sent');
      await refunds.send({ whose: merchantId, id: refund.id, by: by('ann') }, again);
    }
    expect(await until(refund.id, 'seen', 'final')).toMatchObject({ txid: again });
  });
});

it('that names another wallet’s transaction leaves what that wallet pays to the refund that names nothing', async () => {
  const id = await late('USDC', 5_000_000n);
  const [named, unnamed] = [await ask(id, '2'), await ask(id, '2')];
  const waiting = await sendTokenUnmined(STRANGER, HOME, 1n);
  await refunds.send({ whose: merchantId, id: named.id, by: by('ann') }, waiting);
  const txid = await sendToken(WALLET, HOME, 2_000_000n);
  expect(await until(unnamed.id, 'seen', 'final')).toMatchObject({ txid });
  await stays(named.id, 'sent');
  await refunds.withdraw({ whose: merchantId, id: named.id, by: by('ann') }, true);
});

describe('a look at blocks of two branches', () => {
  const OTHER_BRANCH = `0x${'ee'.repeat(32)}`;

  it.each([
    ['that do not follow each other', 1],
    ['of which the first does not follow what was searched', 0],
  ])('%s finds nothing', async (_which, wrong) => {
    const at = Number(await anvil.testClient.getBlockNumber());
    const { hash } = await anvil.testClient.getBlock();
    await mine();
    const txid = await sendToken(WALLET, HOME, 3_210_000n);
    const outgoing = service.app.get(OutgoingService);
    await eventually(
      () => outgoing.height('ethereum'),
      (seen) => (seen ?? 0) >= at + 2,
    );
    const place = { askedHeight: at, searchedHeight: at, searchedHash: hash, upTo: at + 2 };
    const what = { network: 'ethereum', asset: 'USDC', to: HOME, atoms: 3_210_000n, merchantId };
    const look = () => outgoing.search('ethereum', [{ ...what, ...place, txid: null, account: null }]);
    const { blocks } = RpcNode.prototype;
    const mixed = jest.spyOn(RpcNode.prototype, 'blocks').mockImplementation(async function (
      this: never,
      ...call
    ) {
      const all = await blocks.apply(this, call);
      return all.map((block, i) => (i === wrong ? { ...block, parentHash: OTHER_BRANCH } : block));
    });
    try {
      const said = await look().then(
        ([one]) => one!,
        (failure: unknown) => ({ found: [], searchedHeight: at, failure }),
      );
      expect(said).toMatchObject({ found: [], searchedHeight: at });
      expect(String(said.failure)).toContain('does not follow');
    } finally {
      mixed.mockRestore();
    }
    expect(await look()).toMatchObject([{ found: [{ txid }], searchedHeight: at + 2 }]);
  });
});

it('is nothing that a block held before it was asked, not even where it is named', async () => {
  const id = await late('USDC', 5_000_000n);
  const before = await sendToken(WALLET, HOME, 5_000_000n);
  const height = Number(await anvil.testClient.getBlockNumber());
  await eventually(
    () => service.app.get(OutgoingService).height('ethereum'),
    (seen) => seen !== null && seen >= height,
  );
  const refund = await ask(id, '5');
  await refunds.send({ whose: merchantId, id: refund.id, by: by('ann') }, before);
  await stays(refund.id, 'sent');
  const after = await sendToken(WALLET, HOME, 5_000_000n);
  await refunds.send({ whose: merchantId, id: refund.id, by: by('ann') }, after);
  expect(await until(refund.id, 'seen', 'final')).toMatchObject({ txid: after });
});

it('stays seen while the node has no block of its height, or says nothing', async () => {
  const refund = await ask(await late('USDC', 5_000_000n), '5');
  await sendToken(WALLET, HOME, 5_000_000n);
  await until(refund.id, 'seen');
  const header = jest.spyOn(RpcNode.prototype, 'header').mockResolvedValue(null);
  try {
    await follower.follow('ethereum', 50);
    expect(header).toHaveBeenCalled();
    expect(await refunds.get(merchantId, refund.id)).toMatchObject({ state: 'seen' });
  } finally {
    header.mockRestore();
  }
  await mine(DEPTH);
  await until(refund.id, 'final');
});

it('that cannot be looked after holds up no other', async () => {
  const id = await late('USDC', 5_000_000n);
  const [named, unnamed, refund] = [await ask(id, '1'), await ask(id, '1.1'), await ask(id, '1.2')];
  const bogus = `0x${'cd'.repeat(32)}`;
  await refunds.send({ whose: merchantId, id: named.id, by: by('ann') }, bogus);
  const { mined } = CollectingService.prototype;
  const isOwn = OwnAddressesRepository.prototype.isOwn;
  const failing = [
    jest.spyOn(CollectingService.prototype, 'mined').mockImplementation(function (this: never, ...call) {
      if (call[1] === bogus) throw new Error('the node refuses this transaction');
      return mined.apply(this, call);
    }),
    // Of what is sent for the second one, nobody can say from whom it is.
    jest.spyOn(OwnAddressesRepository.prototype, 'isOwn').mockImplementation(function (this: never, ...call) {
      if (call[2] === STRANGER.toLowerCase()) throw new Error('the sender cannot be read');
      return isOwn.apply(this, call);
    }),
  ];
  try {
    await sendToken(STRANGER, HOME, 1_100_000n);
    await mine(25);
    await sendToken(WALLET, HOME, 1_200_000n);
    await mine(DEPTH);
    await until(refund.id, 'final');
    expect(failing.map(({ mock }) => mock.results.some(({ type }) => type === 'throw'))).toEqual([
      true,
      true,
    ]);
    expect((await refunds.ofIntent(ANYBODYS, id)).map(({ state }) => state)).toEqual([
      'sent',
      'asked',
      'final',
    ]);
  } finally {
    for (const spy of failing) spy.mockRestore();
  }
  // As soon as it can be looked after, it is.
  await sendToken(WALLET, HOME, 1_100_000n);
  await until(unnamed.id, 'seen', 'final');
});

it('is searched for though the node tells no longer where another one was searched to', async () => {
  const outgoing = service.app.get(OutgoingService);
  const at = Number(await anvil.testClient.getBlockNumber());
  const { hash: searchedHash } = await anvil.testClient.getBlock();
  await mine(2);
  const txid = await sendToken(WALLET, HOME, 2_340_000n);
  await eventually(
    () => outgoing.height('ethereum'),
    (seen) => (seen ?? 0) >= at + 3,
  );
  const what = { network: 'ethereum', asset: 'USDC', to: HOME, atoms: 2_340_000n, merchantId };
  const from = { ...what, askedHeight: at, upTo: at + 3, txid: null, account: null };
  const { header, blocks } = RpcNode.prototype;
  const pruned = { code: 4444, message: 'pruned history unavailable' };
  const refuse = () => Promise.reject(new RpcRequestError({ body: {}, error: pruned, url: anvil.rpcUrl }));
  const refusing = [
    jest.spyOn(RpcNode.prototype, 'header').mockImplementation(function (this: never, height) {
      return height === at ? refuse() : header.call(this, height);
    }),
    // What a slow node has answered before says nothing of whether this one is refused at once.
    jest.spyOn(RpcNode.prototype, 'blocks').mockImplementation(async function (this: never, first, last) {
      if (first === at + 1) return refuse();
      await new Promise((resolve) => setTimeout(resolve, 3_500));
      return blocks.call(this, first, last);
    }),
  ];
  try {
    const said = await outgoing.search('ethereum', [
      { ...from, searchedHeight: at + 1, searchedHash: null },
      { ...from, searchedHeight: at, searchedHash },
    ]);
    expect(said).toMatchObject([{ found: [{ txid }] }, { found: [], searchedHeight: at }]);
    expect(said[1]?.failure).toMatchObject({ name: 'BlockGone', height: at + 1 });
  } finally {
    for (const spy of refusing) spy.mockRestore();
  }
});

it('is found by what it does where the transaction that is named for it pays another', async () => {
  const id = await late('USDC', 5_000_000n);
  const [one, other] = [await ask(id, '2.2'), await ask(id, '2.2')];
  const txid = await sendToken(WALLET, HOME, 2_200_000n);
  for (const refund of [one, other])
    await refunds.send({ whose: merchantId, id: refund.id, by: by('ann') }, txid);
  await mine(DEPTH);
  await eventually(
    () => refunds.ofIntent(ANYBODYS, id),
    (all) => all.some(({ state }) => state === 'final'),
  );
  const again = await sendToken(WALLET, HOME, 2_200_000n);
  await mine(DEPTH);
  const found = [await until(one.id, 'final'), await until(other.id, 'final')];
  expect(new Set(found.map((refund) => refund.txid))).toEqual(new Set([txid, again]));
});

it('is searched for on one network while the node of another says nothing', async () => {
  const { follow } = RefundFollower.prototype;
  const refund = await ask(await late('USDC', 5_000_000n), '2.5');
  let answer: (value: boolean) => void = () => undefined;
  const answered = new Promise<boolean>((resolve) => (answer = resolve));
  const hanging = jest.spyOn(RefundFollower.prototype, 'follow').mockImplementation(function (
    this: never,
    ...call
  ) {
    return call[0] === 'silent' ? answered : follow.apply(this, call);
  });
  const networks = jest
    .spyOn(RefundFollowingRepository.prototype, 'networks')
    .mockResolvedValue(['silent', 'ethereum']);
  try {
    await sendToken(WALLET, HOME, 2_500_000n);
    await world.passed();
    void service.app.get(RefundsJobs).follow();
    await until(refund.id, 'seen', 'final');
  } finally {
    answer(false);
    hanging.mockRestore();
    networks.mockRestore();
  }
});

it('whose search a node refuses for two days, and nothing else, is looked for no more: that is said', async () => {
  const refund = await ask(await late('USDC', 5_000_000n), '2.6');
  const { search } = OutgoingService.prototype;
  const refusing = jest.spyOn(OutgoingService.prototype, 'search').mockImplementation(async function (
    this: never,
    network,
    sought,
  ) {
    const searched = await search.call(this, network, sought);
    const failed = { found: [], searchedHash: null, failure: new Error('refused') };
    return searched.map((one, i) => {
      const { atoms, searchedHeight } = sought[i]!;
      return atoms === refund.atoms ? { ...failed, searchedHeight } : one;
    });
  });
  const since = (interval: string) =>
    service.app
      .get(DataSource)
      .query(`UPDATE refund SET refused_since = now() - $2::interval WHERE id = $1`, [refund.id, interval]);
  try {
    await mine(2);
    await eventually(
      () =>
        service.app
          .get(DataSource)
          .query<[{ since: Date | null }]>(`SELECT refused_since AS since FROM refund WHERE id = $1`, [
            refund.id,
          ]),
      ([row]) => row.since !== null,
    );
    await since('47 hours');
    await follower.follow('ethereum', 50);
    expect((await refunds.get(merchantId, refund.id)).searchEndedAt).toBeNull();
    await since('49 hours');
    await eventually(
      () => refunds.get(merchantId, refund.id),
      (now) => now.searchEndedAt !== null,
    );
    expect((await alertOf('refund-unfound', refund.id))?.detail).toContain('For two days the node');
  } finally {
    refusing.mockRestore();
  }
  await refunds.resume({ whose: merchantId, id: refund.id, by: by('ann') });
  const txid = await sendToken(WALLET, HOME, 2_600_000n);
  await mine(DEPTH);
  expect(await until(refund.id, 'final')).toMatchObject({ txid });
});

it('has its turn however many another merchant has', async () => {
  const eve = (await service.shop()).merchantId;
  const theirs = await late('USDC', 5_000_000n, eve);
  for (let i = 0; i < 60; i += 1) {
    const { id } = await ask(theirs, '0.01', HOME, eve);
    const change = { whose: eve, id, by: by('eve') };
    await refunds.send(change, `0x${i.toString(16).padStart(64, 'e')}`);
  }
  const refund = await ask(await late('USDC', 5_000_000n), '1.3');
  await sendToken(WALLET, HOME, 1_300_000n);
  await mine(DEPTH);
  await until(refund.id, 'final');
});

it('is refused to an address of the merchant’s own, or where it is lost', async () => {
  const id = (refused ??= await late('USDC', 5_000_000n));
  const another = await money.picked(merchantId, 'ethereum', 'USDC');
  const { depositAddress } = await service.app.get(IntentsService).get(merchantId, another);
  const own = [WALLET, depositAddress!];
  const lost = [zeroAddress, `0x${'0'.repeat(36)}dEaD`, forwarderFactory.address];
  for (const address of own) await expect(ask(id, '5', address)).rejects.toThrow('your own');
  for (const address of lost)
    await expect(ask(id, '5', address)).rejects.toThrow(/Nothing can be sent back there|no address of/);
  expect(await refunds.ofIntent(ANYBODYS, id)).toEqual([]);
});

it('is about the money that the person saw, and refused where that is decided already', async () => {
  const id = await late('USDC', 5_000_000n);
  const reviews = service.app.get(ReviewsService);
  const { seen } = await refunds.proposal(merchantId, id);
  expect(seen).toHaveLength(1);
  const { depositAddress } = await service.app.get(IntentsService).get(merchantId, id);
  await sendToken(BUYER, depositAddress as Address, 2_000_000n);
  await mine(DEPTH);
  await eventually(
    () => refunds.proposal(merchantId, id),
    (now) => now.seen.length === 2 && now.refundable[0]?.atoms === 7_000_000n,
  );
  const wanted = { network: null, asset: null, address: HOME, note: 'came late', seen };
  await expect(refunds.ask(merchantId, id, { ...wanted, amount: '5.1' }, by('ann'))).rejects.toThrow(
    'No more than 5 USDC',
  );
  await refunds.ask(merchantId, id, { ...wanted, amount: '5' }, by('ann'));
  await reviews.dismiss({ whose: merchantId, id, by: by('ann') }, { note: 'kept', seen });
  await expect(refunds.ask(merchantId, id, { ...wanted, amount: '1' }, by('ann'))).rejects.toThrow(
    'has changed since you looked',
  );
});

it('and one that is recorded by hand never count the same transaction, however its id is typed', async () => {
  const reviews = service.app.get(ReviewsService);
  const [one, two] = [await late('USDC', 1_500_000n), await late('USDC', 1_500_000n)];
  const refund = await ask(one, '1.5');
  const txid = await sendToken(WALLET, HOME, 1_500_000n);
  await until(refund.id, 'seen', 'final');
  const byHand = (typed: string) =>
    reviews.refund(
      { whose: merchantId, id: two, by: by('ann') },
      { note: 'by hand', refund: { amount: '1.5', txid: typed } },
    );
  for (const typed of [txid, txid.slice(2).toUpperCase()])
    await expect(byHand(typed)).rejects.toThrow('pays a refund already');
  await byHand('AB'.repeat(32));
  expect(await accountingRefunds(two)).toMatchObject([{ txids: [`0x${'ab'.repeat(32)}`] }]);
});

it('nor where the chain shows the transaction in the moment in which somebody records it', async () => {
  const [one, two] = [await late('USDC', 1_600_000n), await late('USDC', 1_600_000n)];
  const refund = await ask(one, '1.6');
  const txid = await sendTokenUnmined(WALLET, HOME, 1_600_000n);
  const isTaken = RefundsRepository.prototype.isTaken;
  let [looked, go] = [() => {}, () => {}];
  const hasLooked = new Promise<void>((resolve) => (looked = resolve));
  const mayGo = new Promise<void>((resolve) => (go = resolve));
  const held = jest.spyOn(RefundsRepository.prototype, 'isTaken').mockImplementation(async function (
    this: RefundsRepository,
    ...asked
  ) {
    const answer = await isTaken.apply(this, asked);
    looked();
    await mayGo;
    return answer;
  });
  try {
    const recorded = service.app
      .get(ReviewsService)
      .refund(
        { whose: merchantId, id: two, by: by('ann') },
        { note: 'by hand', refund: { amount: '1.6', txid } },
      );
    await hasLooked;
    await mine();
    // Until the follower has found it, and waits or does not.
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event = 'advisory' AND query LIKE '%refunds:%'`;
    const isFound = async () =>
      (await refunds.get(ANYBODYS, refund.id)).state !== 'asked' ||
      (await service.app.get(DataSource).query<unknown[]>(waiting)).length > 0;
    await eventually(isFound, (found) => found);
    go();
    await recorded;
  } finally {
    go();
    held.mockRestore();
  }
  await stays(refund.id, 'asked');
  expect(await accountingRefunds(two)).toMatchObject([{ txids: [txid] }]);
});

it('holds its money: it cannot be accepted or refunded meanwhile, and can again once it is withdrawn', async () => {
  const id = await late('USDC', 5_000_000n);
  const reviews = service.app.get(ReviewsService);
  const refund = await ask(id, '5');
  await expect(
    reviews.accept({ whose: merchantId, id, by: by('ann') }, { reason: 'good enough' }),
  ).rejects.toThrow();
  await expect(
    reviews.refund(
      { whose: merchantId, id, by: by('ann') },
      { note: 'twice', refund: { amount: '1', txid: null } },
    ),
  ).rejects.toThrow('no final money');
  await expect(ask(id, '1')).rejects.toThrow('no final money');
  const change = { whose: merchantId, id: refund.id, by: by('ann') };
  expect(await refunds.withdraw(change, false)).toMatchObject({ state: 'withdrawn' });
  await expect(refunds.withdraw(change, true)).rejects.toThrow('withdrawn');
  await expect(refunds.send(change, `0x${'ab'.repeat(32)}`)).rejects.toThrow('withdrawn');
  // Whatever is sent afterwards is nobody's refund.
  await sendToken(WALLET, HOME, 5_000_000n);
  await mine(DEPTH);
  await stays(refund.id, 'withdrawn');
  await reviews.accept({ whose: merchantId, id, by: by('ann') }, { reason: 'good enough' });
  expect(await money.status(id)).toBe('settled');
});

/** What its chain has entered in the log: what people do here is done by nobody of the accounts. */
const actionsOf = async (refund: { id: string; intentId: string }) => {
  const rows = await service.app
    .get(DataSource)
    .query<{ action: string }[]>(
      `SELECT action FROM audit_entry WHERE subject = $1 AND detail->>'refund' = $2 ORDER BY id`,
      [refund.intentId, refund.id],
    );
  return rows.map(({ action }) => action);
};
const alertOf = (kind: AlertKind, id: string) => service.app.get(AlertsService).standing(kind, id);

it('is withdrawn only after a look at the chain: what pays it there is kept', async () => {
  const refund = await ask(await late('USDC', 5_000_000n), '5');
  // As while the job waits for its turn.
  const turns = jest.spyOn(RefundFollowingRepository.prototype, 'takeTurns').mockResolvedValue([]);
  try {
    const txid = await sendToken(WALLET, HOME, 5_000_000n);
    const height = Number(await anvil.testClient.getBlockNumber());
    await eventually(
      () => service.app.get(OutgoingService).height('ethereum'),
      (seen) => (seen ?? 0) >= height,
    );
    for (const isSure of [false, true]) {
      const withdrawing = refunds.withdraw({ whose: merchantId, id: refund.id, by: by('ann') }, isSure);
      await expect(withdrawing).rejects.toThrow('A block holds it already');
    }
    expect(await refunds.get(merchantId, refund.id)).toMatchObject({ state: 'seen', txid });
  } finally {
    turns.mockRestore();
  }
});

it('that may be on its way, or of which no node says anything, is withdrawn only on somebody’s word', async () => {
  const id = await late('USDC', 5_000_000n);
  // A turn of the job would have searched the blocks that are to be searched here.
  const turns = jest.spyOn(RefundFollowingRepository.prototype, 'takeTurns').mockResolvedValue([]);
  const [named, opened, unseen] = [await ask(id, '1'), await ask(id, '1.7'), await ask(id, '1.2')];
  const change = (of: { id: string }) => ({ whose: merchantId, id: of.id, by: by('ann') });
  await refunds.send(change(named), `0x${'ab'.repeat(32)}`);
  await refunds.open(change(opened), null);
  for (const one of [named, opened])
    await expect(refunds.withdraw(change(one), false)).rejects.toThrow('has opened or sent the payment');
  const blocks = jest.spyOn(RpcNode.prototype, 'header').mockRejectedValue(new Error('no answer'));
  const searched = `UPDATE refund SET searched_hash = 'x' WHERE id = $1`;
  try {
    await service.app.get(DataSource).query(searched, [unseen.id]);
    await expect(refunds.withdraw(change(unseen), false)).rejects.toThrow('could not be searched');
  } finally {
    blocks.mockRestore();
    turns.mockRestore();
  }
  for (const one of [named, opened, unseen])
    expect(await refunds.withdraw(change(one), true)).toMatchObject({ state: 'withdrawn' });
  // What is sent for it all the same is said.
  const txid = await sendToken(WALLET, HOME, 1_700_000n);
  await mine(DEPTH);
  expect(
    await eventually(
      () => refunds.get(merchantId, opened.id),
      (now) => now.againTxid !== null,
    ),
  ).toMatchObject({ state: 'withdrawn', againTxid: txid });
  expect(await alertOf('refund-paid-again', opened.id)).toMatchObject({
    merchantId,
    summary: 'A withdrawn refund of 1.7 USDC has been paid',
  });
});

it('is opened by one person at a time, and whoever comes after them has to have seen it', async () => {
  const refund = await ask(await late('USDC', 5_000_000n), '5');
  const change = (who: string) => ({ whose: merchantId, id: refund.id, by: by(who) });
  const both = await Promise.allSettled([
    refunds.open(change('ann'), null),
    refunds.open(change('bob'), null),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const { openedAt, openedBy } = await refunds.get(merchantId, refund.id);
  expect(['ann', 'bob']).toContain(openedBy);
  await expect(refunds.open(change('cyd'), null)).rejects.toThrow(`${openedBy} has opened the payment`);
  expect(await refunds.open(change('cyd'), openedAt)).toMatchObject({ state: 'asked', openedBy: 'cyd' });
  await refunds.send(change('cyd'), `0x${'ab'.repeat(32)}`);
  await expect(refunds.open(change('ann'), openedAt)).rejects.toThrow('is named for it already');
  await refunds.withdraw(change('cyd'), true);
});

it('that two people pay is counted once, and the second payment is said; and each step is in the log', async () => {
  const id = await late('USDC', 5_000_000n);
  const refund = await ask(id, '4.9');
  const [one, two] = [
    await sendTokenUnmined(WALLET, HOME, 4_900_000n),
    await sendTokenUnmined(WALLET, HOME, 4_900_000n),
  ];
  await mine(DEPTH + 1);
  const paid = await until(refund.id, 'final');
  const again = await eventually(
    () => refunds.get(merchantId, refund.id),
    (now) => now.againTxid !== null,
  );
  expect([paid.txid, again.againTxid].sort()).toEqual([one, two].sort());
  expect(await alertOf('refund-paid-again', refund.id)).toMatchObject({ data: { txid: again.againTxid } });
  expect(await accountingRefunds(id)).toHaveLength(1);
  // As deep is the second as the first: whichever is told first.
  expect((await actionsOf(refund)).sort()).toEqual(['refund.paid-again', 'refund.recorded', 'refund.seen']);
});

it('that leaves the chain after it was final is said, stays in the books, and is found where it comes back', async () => {
  const id = await late('USDC', 5_000_000n);
  const refund = await ask(id, '5');
  const txid = await sendToken(WALLET, HOME, 5_000_000n);
  const raw = await rpc<Hex>(anvil.rpcUrl, 'eth_getRawTransactionByHash', [txid]);
  await mine(DEPTH);
  const before = await until(refund.id, 'final');
  const { blockHash } = (await service.app.get(RefundsRepository).find(refund.id))!;
  await reorganise(anvil.testClient, DEPTH + 1);
  await mine();
  await eventually(
    () => refunds.get(merchantId, refund.id),
    (now) => now.undoneAt !== null,
    60_000,
  );
  expect(await refunds.get(merchantId, refund.id)).toMatchObject({ state: 'final', txid });
  expect(await alertOf('refund-undone', refund.id)).toMatchObject({
    merchantId,
    summary: 'A final refund of 5 USDC has left the chain',
  });
  expect(await accountingRefunds(id)).toHaveLength(1);
  await rpc(anvil.rpcUrl, 'eth_sendRawTransaction', [raw]).catch(() => undefined);
  await mine();
  const back = await eventually(
    () => refunds.get(merchantId, refund.id),
    (now) => now.undoneAt === null,
    60_000,
  );
  expect(back).toMatchObject({ state: 'final', txid, changedAt: before.changedAt });
  expect((await service.app.get(RefundsRepository).find(refund.id))!.blockHash).not.toBe(blockHash);
  expect(await alertOf('refund-undone', refund.id)).toBeNull();
  expect(await accountingRefunds(id)).toHaveLength(1);
  expect((await actionsOf(refund)).slice(-2)).toEqual(['refund.undone', 'refund.seen']);
});

it('that leaves the chain after it was final is said too once nothing is kept of the block in its place', async () => {
  const refund = await ask(await late('USDC', 5_000_000n), '5');
  const txid = await sendToken(WALLET, HOME, 5_000_000n);
  const raw = await rpc<Hex>(anvil.rpcUrl, 'eth_getRawTransactionByHash', [txid]);
  await mine(DEPTH);
  await until(refund.id, 'final');
  const { blockHash, blockHeight } = (await service.app.get(RefundsRepository).find(refund.id))!;
  const passedHash = () => service.app.get(FactsRepository).passedHash('ethereum', blockHeight!);
  const turn = jest.spyOn(follower, 'reconsider').mockResolvedValue();
  await reorganise(anvil.testClient, DEPTH + 1);
  await mine(2);
  await eventually(passedHash, (hash) => hash !== null && hash !== blockHash);
  // As the watcher does some thousand blocks later.
  await service.app
    .get(DataSource)
    .query(`DELETE FROM chain_block b USING refund f WHERE f.id = $1 AND b.height <= f.block_height`, [
      refund.id,
    ]);

  turn.mockRestore();
  await world.untilIt(refund.id, (now) => now.undoneAt !== null);
  expect(await alertOf('refund-undone', refund.id)).not.toBeNull();
  await rpc(anvil.rpcUrl, 'eth_sendRawTransaction', [raw]);
  await mine();
  await world.untilIt(refund.id, (now) => now.undoneAt === null);
  expect(await alertOf('refund-undone', refund.id)).toBeNull();
});

it('that is in a block which comes back is as it was', async () => {
  const refund = await ask(await late('USDC', 5_000_000n), '5');
  await sendToken(WALLET, HOME, 5_000_000n);
  await mine(DEPTH);
  await until(refund.id, 'final');
  const dataSource = service.app.get(DataSource);
  const givenUp = async () => {
    const [row] = await dataSource.query<[{ at: Date | null }]>(
      `SELECT given_up_at AS at FROM refund WHERE id = $1`,
      [refund.id],
    );
    return row.at;
  };
  const turn = jest.spyOn(follower, 'reconsider').mockResolvedValue();
  // As where the nodes behind an address answer from two branches one after the other.
  await dataSource.query(
    `WITH gone AS (DELETE FROM chain_block USING refund f WHERE f.id = $1 AND height >= f.block_height)
     UPDATE chain_cursor c SET height = b.height, hash = b.hash, safe_height = least(c.safe_height, b.height),
            finalized_height = least(c.finalized_height, b.height) FROM chain_block b, refund f
      WHERE f.id = $1 AND b.height = f.block_height - 1`,
    [refund.id],
  );
  expect(await givenUp()).not.toBeNull();
  await mine();
  await world.passed();
  turn.mockRestore();
  // Another instance has read at the same moment what is to be done.
  const both = await service.app.get(RefundFollowingRepository).reorganised(50);
  expect(both.map(({ id }) => id)).toEqual([refund.id]);
  await follower.reconsider(50);
  const again = jest.spyOn(RefundFollowingRepository.prototype, 'reorganised').mockResolvedValueOnce(both);
  await follower.reconsider(50);
  again.mockRestore();
  expect(await givenUp()).toBeNull();
  expect(await refunds.get(merchantId, refund.id)).toMatchObject({ state: 'final', undoneAt: null });
  expect(await actionsOf(refund)).toEqual(['refund.seen', 'refund.recorded']);
});

it('is compared with its chain, final or not', async () => {
  const refund = await ask(await late('USDC', 5_000_000n), '5');
  await sendToken(WALLET, HOME, 5_000_000n);
  await mine(DEPTH);
  await until(refund.id, 'final');
  expect(await follower.missing('ethereum')).toMatchObject({ missing: [] });
  const dataSource = service.app.get(DataSource);
  const [row] = await dataSource.query<[{ hash: string; height: string }]>(
    `SELECT block_hash AS hash, block_height AS height FROM refund WHERE id = $1`,
    [refund.id],
  );
  // In a block of which the watcher keeps nothing: else it would find it by itself.
  const moved = `UPDATE refund SET block_hash = $2, block_height = $3 WHERE id = $1`;
  await dataSource.query(moved, [refund.id, `0x${'cd'.repeat(32)}`, 1]);
  expect(await follower.missing('ethereum')).toMatchObject({ missing: [refund.id] });
  await dataSource.query(moved, [refund.id, row.hash, row.height]);
});

it('is not looked for without an end: that is said, its money is kept, and it can be looked for again', async () => {
  const id = await late('USDC', 5_000_000n);
  const refund = await ask(id, '5');
  const change = { whose: merchantId, id: refund.id, by: by('ann') };
  await expect(refunds.resume(change)).rejects.toThrow('It is being looked for');
  await service.app
    .get(DataSource)
    .query(`UPDATE refund SET search_until = now() - interval '1 minute' WHERE id = $1`, [refund.id]);
  const ended = await eventually(
    () => refunds.get(merchantId, refund.id),
    (now) => now.searchEndedAt !== null,
  );
  expect(ended).toMatchObject({ state: 'asked' });
  expect(await alertOf('refund-unfound', refund.id)).toMatchObject({
    merchantId,
    summary: 'A refund of 5 USDC has not been found',
  });
  await expect(ask(id, '1')).rejects.toThrow('no final money');
  const { searchedHeight } = (await service.app.get(RefundsRepository).find(refund.id))!;
  const txid = await sendToken(WALLET, HOME, 5_000_000n);
  await mine(DEPTH);
  await eventually(
    () => service.app.get(OutgoingService).height('ethereum'),
    (height) => (height ?? 0) > searchedHeight + DEPTH,
  );
  await follower.follow('ethereum', 50);
  expect(await refunds.get(merchantId, refund.id)).toMatchObject({ state: 'asked', txid: null });
  await refunds.resume(change);
  expect(await alertOf('refund-unfound', refund.id)).toBeNull();
  expect(await until(refund.id, 'final')).toMatchObject({ txid });
  expect(await actionsOf(refund)).toEqual(['refund.search-ended', 'refund.seen', 'refund.recorded']);
});

it.each([
  ['no amount', { amount: '' }, 'plain decimal'],
  ['more than came', { amount: '5.000001' }, 'No more than 5 USDC'],
  ['no reason', { note: ' ' }, 'Say why'],
  ['no address', { address: 'alice' }, 'no address of'],
  [
    'an address with a mistyped letter',
    { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92267' },
    'no address of',
  ],
  ['a token that never came', { asset: 'USDT' }, 'Say what was sent back'],
])('is refused with %s', async (_name, given, words) => {
  refused ??= await late('USDC', 5_000_000n);
  const wanted = { network: null, asset: null, amount: '5', address: HOME, note: 'came late', ...given };
  await expect(refunds.ask(merchantId, refused, wanted, by('ann'))).rejects.toThrow(words);
  expect(await refunds.ofIntent(ANYBODYS, refused)).toEqual([]);
});

it('is refused to a token’s contract, to the payment’s own address, and to another merchant', async () => {
  const id = (refused ??= await late('USDC', 5_000_000n));
  const { depositAddress } = await service.app.get(IntentsService).get(merchantId, id);
  await expect(ask(id, '5', depositAddress!)).rejects.toThrow('address of the payment itself');
  await expect(ask(id, '5', token('USDC'))).rejects.toThrow('the contract of USDC');
  const other = await service.shop();
  const wanted = { network: null, asset: null, amount: '5', address: HOME, note: 'mine' };
  await expect(refunds.ask(other.merchantId, id, wanted, by('eve'))).rejects.toThrow('There is no');
  const refund = await ask(id, '5');
  const change = { whose: other.merchantId, id: refund.id, by: by('eve') };
  await expect(refunds.get(other.merchantId, refund.id)).rejects.toThrow('There is no');
  await expect(refunds.send(change, `0x${'ab'.repeat(32)}`)).rejects.toThrow('There is no');
  await expect(refunds.withdraw(change, true)).rejects.toThrow('There is no');
});
