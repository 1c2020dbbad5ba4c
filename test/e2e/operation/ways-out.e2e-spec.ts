import { DataSource } from 'typeorm';
import { type Address, type Hex, parseUnits } from 'viem';
import { sandboxPolygon } from '../../../src/config/networks.js';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import type { AlertKind } from '../../../src/modules/alerts/alerts.types.js';
import { NetworkHealthService } from '../../../src/modules/chains/network-health.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { testNetwork } from '../../chain/bitcoin-fixture.js';
import { BUYER, ERC20 } from '../../chain/chains-fixture.js';
import { choose } from '../../support/checkout/choose.js';
import { Money } from '../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { forgetAddresses } from '../../support/nodes/forgotten-addresses.js';
import { describeOnNode, TestNode } from '../../support/nodes/litecoind.js';
import { eventually } from '../../support/servers/receiver.js';
import { commandLine, commandsOf } from '../../support/service/command-line.js';
import { Service } from '../../support/service/service.js';

/** What the operator's manual says for the day on which nothing else helps, by the command line. */
describeOnNode('own-nodes')('a way out', () => {
  let ethereum: TestAnvil;
  let polygon: TestAnvil;
  let litecoin: TestNode;
  let service: Service;
  let money: Money;
  let merchantId: string;
  let closed: string;

  beforeAll(async () => {
    [ethereum, polygon, litecoin] = await Promise.all([
      startTestAnvil({ blockTimeS: 1 }),
      startTestAnvil({ blockTimeS: 2, chainId: 31_338 }),
      TestNode.start({ own: true }),
    ]);
    const networks = [
      sandboxPolygon(polygon.rpcUrl, { USDC: polygon.tokens.USDC.address }),
      testNetwork(litecoin.rpcUrl),
    ];
    service = await Service.start({ chain: ethereum, networks });
    money = new Money(service);
    ({ merchantId } = await service.shop());
  });
  afterAll(async () => {
    try {
      await service?.stop();
    } finally {
      await Promise.all([ethereum?.stop(), polygon?.stop(), litecoin?.stop()]);
    }
  });

  const dataSource = () => service.app.get(DataSource);

  async function done(noun: string, ...words: string[]): Promise<unknown> {
    const place = { databaseUrl: service.config.databaseUrl, ...ethereum, polygon, litecoin };
    return commandLine(place, await commandsOf(noun), noun, ...words);
  }

  /** These refuse while a network is not watched, and one without blocks is not for long. */
  async function watched(): Promise<void> {
    await litecoin.mine();
    await eventually(
      () => service.app.get(NetworkHealthService).all(),
      (health) => health.every(({ state }) => state === 'open'),
    );
  }

  async function picked(network: string, asset: string) {
    const request = { amountMinor: 1000n, currency: 'CHF', title: null } as const;
    const { intent } = await service.app
      .get(IntentsService)
      .create(merchantId, { ...request, idempotencyKey: null, returnUrl: null });
    await choose(service, intent.id, network, asset);
    const [quote] = await dataSource().query<[{ address: string; atoms: string }]>(
      'SELECT address, amount_atoms AS atoms FROM quote WHERE intent_id = $1',
      [intent.id],
    );
    return { id: intent.id, to: quote.address, atoms: BigInt(quote.atoms) };
  }
  const pay = (to: string, atoms: bigint): Promise<Hex> =>
    ethereum.testClient.writeContract({
      account: BUYER,
      address: ethereum.tokens.USDC.address,
      abi: ERC20,
      functionName: 'transfer',
      args: [to as Address, atoms] as const,
    });
  const becomes = (id: string, ...statuses: string[]) =>
    eventually(
      () => money.status(id),
      (status) => statuses.includes(status),
    );
  const alerted = (kind: AlertKind, subject: string) =>
    eventually(
      () => service.app.get(AlertsService).standing(kind, subject),
      (alert) => alert !== null,
    );
  const halted = (network: string) =>
    eventually(
      async () => (await service.app.get(NetworkHealthService).all()).find((one) => one.network === network)!,
      ({ state }) => state === 'halted',
    );
  const cursorAt = (network: string, height: number) =>
    eventually(
      async () =>
        (await service.app.get(NetworkHealthService).all()).find((one) => one.network === network)!.height,
      (reached) => reached === height,
    );

  it('`chain rewind`: a network whose chain was replaced goes on, and settles what was paid before and after', async () => {
    const { testClient } = ethereum;
    const [before, after] = [await picked('ethereum', 'USDC'), await picked('ethereum', 'USDC')];
    await ethereum.miner!.whilePaused(async () => {
      const start = Number(await testClient.getBlockNumber());
      const snapshot = await testClient.snapshot();
      const txid = await pay(before.to, before.atoms);
      const raw = await testClient.request({
        method: 'eth_getRawTransactionByHash',
        params: [txid],
      } as never);
      await testClient.mine({ blocks: 1 });
      await cursorAt('ethereum', start + 1);
      await becomes(before.id, 'confirmed');

      // A thousand blocks would take longer: those below are forgotten, and the ones above leave the chain.
      await dataSource().query(`DELETE FROM chain_block WHERE network = 'ethereum' AND height <= $1`, [
        start,
      ]);
      await testClient.revert({ id: snapshot });
      await testClient.increaseTime({ seconds: 5 });
      await testClient.mine({ blocks: 3 });
      await halted('ethereum');

      const resumed = await done('chain', 'rewind', '--network', 'ethereum', '--to', String(start), '--yes');
      expect(resumed).toMatchObject({ network: 'ethereum', orphaned: 1, to: { height: start } });

      await testClient.sendRawTransaction({ serializedTransaction: raw });
      await pay(after.to, after.atoms);
    });
    await becomes(before.id, 'settled');
    await becomes(after.id, 'settled');
  });

  it('and on a Bitcoin-like network, where the blocks of another chain hold the same payment', async () => {
    const { id, to, atoms } = await picked('litecoin', 'LTC');
    const digits = atoms.toString().padStart(9, '0');
    const { txid } = await litecoin.send({ [to]: `${digits.slice(0, -8)}.${digits.slice(-8)}` });
    const { hex } = await litecoin.wallet.call<{ hex: string }>('gettransaction', txid);
    const paidAt = await litecoin.rpc.call<number>('getblockcount');
    await litecoin.mine();
    await becomes(id, 'confirmed');
    // Below the block at which the watcher began: of those that it remembers none stays.
    const [{ common }] = await dataSource().query<[{ common: number }]>(
      `SELECT min(height)::int - 1 AS common FROM chain_block WHERE network = 'litecoin'`,
    );
    await litecoin.rpc.call('invalidateblock', await litecoin.rpc.call('getblockhash', common + 1));
    // The node drops the payment where the coin that it spends is not mature yet on the shorter chain.
    await litecoin.mine(paidAt - common);
    await litecoin.rpc.call('sendrawtransaction', hex).catch(() => undefined);
    await litecoin.mine(15);
    await halted('litecoin');
    const resumed = done('chain', 'rewind', '--network', 'litecoin', '--to', String(common), '--yes');
    expect(await resumed).toMatchObject({ network: 'litecoin', orphaned: 1 });
    await becomes(id, 'settled');
  });

  it('`intent close`: what cannot be decided ends, and its money waits in the queue', async () => {
    const { id, to, atoms } = await picked('ethereum', 'USDC');
    const setPrice = (price: string) =>
      dataSource().query('UPDATE quote SET price = $2 WHERE intent_id = $1', [id, price]);
    const [{ price }] = await dataSource().query<[{ price: string }]>(
      'SELECT price FROM quote WHERE intent_id = $1',
      [id],
    );
    await setPrice('no price');
    // Deep enough when it is first seen, so that it is one decision that fails: nothing is complete yet.
    await ethereum.miner!.whilePaused(async () => {
      await pay(to, atoms);
      await ethereum.testClient.mine({ blocks: 4 });
    });
    await alerted('intent-undecidable', id);
    await money.endWindowIn(id, -1);
    await watched();
    const close = ['close', id, '--as', 'expired', '--note', 'its row is broken', '--by', 'anna'];
    expect(await done('intent', ...close)).toMatchObject({ id, status: 'expired' });
    await setPrice(price);
    closed = id;
  });

  it('`review accept` settles it once its row is mended', async () => {
    await watched();
    const list = await done('review', 'list', '--merchant', merchantId);
    expect(list).toMatchObject([{ intentId: closed }]);
    const accept = ['accept', closed, '--reason', 'the row was mended', '--by', 'anna'];
    expect(await done('review', ...accept)).toEqual({
      intentId: closed,
      decision: 'accept',
      by: 'anna',
      accepted: [expect.stringMatching(/^tr_/)],
      leftInQueue: [],
    });
    expect(await money.status(closed)).toBe('settled');
  });

  it('`review refund` records what was sent back of a payment that came too little, and never more', async () => {
    const { id, to } = await picked('ethereum', 'USDC');
    await pay(to, parseUnits('5', 6));
    await becomes(id, 'pending');
    await money.endWindowIn(id, -1);
    await becomes(id, 'expired');
    await alerted('review-entry', id);
    const refund = (amount: string) =>
      done('review', 'refund', id, '--note', 'sent back', '--refund-amount', amount, '--by', 'anna');
    await watched();
    await expect(refund('5.1')).rejects.toThrow('No more than 5 USDC');
    expect(await refund('5')).toEqual({ intentId: id, decision: 'refund', by: 'anna' });
    const decisions = await dataSource().query('SELECT kind FROM review_decision WHERE intent_id = $1', [id]);
    expect(decisions).toEqual([{ kind: 'refund' }]);
  });

  it('`wallet recover` goes on behind addresses that a failover has forgotten', async () => {
    service.leaveUncompared('money at an index that a failover forgot stays a difference', ['ethereum']);
    const shop = await service.shop();
    merchantId = shop.merchantId;
    const [first, lost] = [await picked('ethereum', 'USDC'), await picked('ethereum', 'USDC')];
    await forgetAddresses(dataSource(), [lost.to]);
    await pay(lost.to, lost.atoms);
    await ethereum.testClient.mine({ blocks: 1 });
    const wanted = ['--merchant', merchantId, '--network', 'ethereum', '--beyond', '10'];
    expect(await done('wallet', 'recover', ...wanted)).toMatchObject([
      {
        merchantId,
        before: 1,
        after: 12,
        scan: { isAnswered: true, used: [{ index: 1, network: 'ethereum' }] },
      },
    ]);
    const { to } = await picked('ethereum', 'USDC');
    expect([first.to, lost.to]).not.toContain(to);
  });
});
