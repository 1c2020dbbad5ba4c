import { DataSource } from 'typeorm';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import { CoreRpc } from '../../../src/modules/chains/bitcoin/core-rpc.js';
import { OutgoingService } from '../../../src/modules/chains/outgoing/outgoing.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import type { RefundState } from '../../../src/modules/intents/refunds.types.js';
import { ExportsService } from '../../../src/modules/intents/reporting/exports.service.js';
import { InvariantsService } from '../../../src/modules/intents/reporting/invariants.service.js';
import { RefundFollower } from '../../../src/modules/intents/review/refund-follower.service.js';
import { RefundsService } from '../../../src/modules/intents/review/refunds.service.js';
import { ReviewsService } from '../../../src/modules/intents/review/reviews.service.js';
import { RefundFollowingRepository } from '../../../src/modules/intents/unsettled/data/refund-following.repository.js';
import { RefundsRepository } from '../../../src/modules/intents/unsettled/data/refunds.repository.js';
import { Jobs } from '../../../src/platform/jobs/jobs.js';
import { testNetwork } from '../../chain/bitcoin-fixture.js';
import { by } from '../../support/intents/by.js';
import { Money } from '../../support/intents/money.js';
import { describeOnNode, TestNode } from '../../support/nodes/litecoind.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

/** Where there is money of one kind, neither has to be said. */
const PLACE = { network: null, asset: null };

describeOnNode()('a refund on a Bitcoin-like network', () => {
  let node: TestNode;
  let service: Service;
  let merchantId: string;
  let refunds: RefundsService;
  let follower: RefundFollower;

  beforeAll(async () => {
    node = await TestNode.start();
    service = await Service.start({ networks: [testNetwork(node.rpcUrl, { pollIntervalMs: 100 })] });
    refunds = service.app.get(RefundsService);
    follower = service.app.get(RefundFollower);
    ({ merchantId } = await service.shop());
  });
  afterAll(async () => {
    try {
      await service?.stop();
    } finally {
      await node?.stop();
    }
  });

  /** An expired intent with a tenth of what was asked, final and in the queue. */
  async function underpaid(): Promise<string> {
    const [network] = service.config.networks;
    const money = new Money(service);
    const id = await money.picked(merchantId, network!.id, network!.assets[0]!.symbol);
    const { depositAddress } = await service.app.get(IntentsService).get(merchantId, id);
    await node.send({ [depositAddress!]: '0.00010000' });
    await money.endWindowIn(id, -1);
    expect(await money.status(id)).toBe('expired');
    await node.mine(2);
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
  const ask = (intentId: string, address: string) =>
    refunds.ask(merchantId, intentId, { ...PLACE, amount: '0.0001', address, note: 'too little' }, by('ann'));
  const networkId = () => service.config.networks[0]!.id;
  /** The job has its turn with every look: what it does is tried here, not how often. */
  const until = (id: string, state: RefundState) =>
    eventually(
      () => {
        service.app.get(Jobs).wake('follow-refunds');
        return refunds.get(merchantId, id);
      },
      (refund) => refund.state === state,
      60_000,
    );

  it.each(['bech32', 'p2sh-segwit', 'legacy'])(
    'is found by its %s address and its amount, and is in the books once it is final',
    async (kind) => {
      const id = await underpaid();
      const home = await node.wallet.call<string>('getnewaddress', '', kind);
      const refund = await ask(id, home);
      await node.send({ [home]: '0.00010001' });
      await node.mine();
      const { txid } = await node.send({ [home]: '0.00010000' });
      await node.mine();
      expect(await until(refund.id, 'seen')).toMatchObject({ txid });
      await node.mine(2);
      await until(refund.id, 'final');
      const [from, to] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)];
      const booked = [];
      for await (const row of service.app.get(ExportsService).rows(merchantId, { from, to }))
        if (row.intentId === id && row.type === 'refund') booked.push(row);
      expect(booked).toMatchObject([{ refunded: '0.0001', out: '0.00010000', txids: [txid] }]);
    },
  );

  /** What the buyer reads, as plain text. */
  const pageOf = async (id: string) =>
    (await (await fetch(`${service.config.checkoutUrl}/pay/${id}`)).text())
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ');
  const statusOf = async (id: string) =>
    (await (await fetch(`${service.config.checkoutUrl}/pay/${id}/status`)).json()) as {
      version: string;
      refunds: { state: string; amount: string; txid: string | null }[];
    };

  it('is asked for on the buyer’s page, which tells of it at each step until all is back', async () => {
    const id = await underpaid();
    const asset = service.config.networks[0]!.assets[0]!.symbol;
    const home = await node.newAddress();
    const before = await pageOf(id);
    expect(before).toContain('Leave a refund address');
    const asked = await fetch(`${service.config.checkoutUrl}/pay/${id}/refund-address`, {
      method: 'POST',
      body: new URLSearchParams({ network: networkId(), address: home, note: 'too little, sorry' }),
      headers: { accept: 'text/html' },
      redirect: 'manual',
    });
    expect([asked.status, asked.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('refund-stored'),
    ]);
    expect((await pageOf(id)).replaceAll(' ', '')).toContain(home);
    expect(await statusOf(id)).toMatchObject({ refunds: [] });

    const { request } = await refunds.proposal(merchantId, id);
    expect(request).toMatchObject({ address: home, note: 'too little, sorry' });
    const of = (amount: string) =>
      refunds.ask(
        merchantId,
        id,
        { ...PLACE, amount, address: request!.address, note: 'too little' },
        by('ann'),
      );
    const first = await of('0.00004');
    expect(await pageOf(id)).toContain(`has decided to send 0.00004 of 0.0001 ${asset} back to you`);
    expect(await pageOf(id)).toContain('not sent yet');

    const { txid } = await node.send({ [home]: '0.00004000' });
    await node.mine();
    await until(first.id, 'seen');
    expect(await pageOf(id)).toContain('in a block, not final yet');
    await node.mine(2);
    await until(first.id, 'final');
    expect(await pageOf(id)).toContain(`has sent 0.00004 of 0.0001 ${asset} back to you`);
    expect(await pageOf(id)).toContain(txid);

    const mistaken = await of('0.00005');
    expect((await statusOf(id)).refunds.map(({ state }) => state)).toEqual(['final', 'asked']);
    await refunds.withdraw({ whose: merchantId, id: mistaken.id, by: by('ann') }, false);
    expect((await statusOf(id)).refunds.map(({ state }) => state)).toEqual(['final']);

    const second = await of('0.00006');
    const { version } = await statusOf(id);
    const rest = await node.send({ [home]: '0.00006000' });
    await node.mine(3);
    await until(second.id, 'final');
    const status = await statusOf(id);
    expect(status.version).not.toBe(version);
    expect(status.refunds).toMatchObject([
      { state: 'final', amount: '0.00004000', txid },
      { state: 'final', amount: '0.00006000', txid: rest.txid },
    ]);
    const after = await pageOf(id);
    expect(after).toContain('Sent back to you');
    expect(after).toContain(`has sent 0.0001 ${asset} back to you`);
    expect(after).toContain(rest.txid);
    expect(after).not.toContain('Leave a refund address');
  });

  it('that a reorganisation undoes is sent again, and found in another transaction with the same money', async () => {
    const id = await underpaid();
    const home = await node.newAddress();
    const refund = await ask(id, home);
    const sent = await node.send({ [home]: '0.00010000' });
    const [block] = await node.mine();
    await until(refund.id, 'seen');
    await node.rpc.call('invalidateblock', block);
    // What pays more in fees takes its place, as a wallet does that is told to hurry.
    const faster = await node.spend(sent, { [home]: '0.00010000' }, '0.01');
    await node.mine(2);
    await eventually(
      () => refunds.get(merchantId, refund.id).then(({ txid, state }) => ({ txid, state })),
      ({ txid, state }) => txid === faster && state !== 'sent',
      60_000,
    );
    await node.mine(2);
    expect(await until(refund.id, 'final')).toMatchObject({ txid: faster });
  });

  it('that cannot be looked after, or is far behind, holds up no other', async () => {
    const [failing, behind, refund] = [
      await ask(await underpaid(), await node.newAddress()),
      await ask(await underpaid(), await node.newAddress()),
      await ask(await underpaid(), await node.newAddress()),
    ];
    const { seen } = RefundFollowingRepository.prototype;
    const broken = jest.spyOn(RefundFollowingRepository.prototype, 'seen').mockImplementation(function (
      this: never,
      ...call
    ) {
      if (call[1] === failing.id) throw new Error('it cannot be written');
      return seen.apply(this, call);
    });
    try {
      // As after a month without a search.
      await service.app
        .get(DataSource)
        .query(`UPDATE refund SET searched_height = 0, searched_hash = NULL WHERE id = $1`, [behind.id]);
      await node.send({ [failing.address]: '0.00010000' });
      await node.send({ [refund.address]: '0.00010000' });
      await node.mine();
      // Two looks, each of a few blocks: of a hundred that one of them lacks.
      await follower.follow(networkId(), 50);
      await follower.follow(networkId(), 50);
      const { blockHeight } = await until(refund.id, 'seen');
      const { searchedHeight } = (await service.app.get(RefundsRepository).find(behind.id))!;
      expect(searchedHeight).toBeLessThan(blockHeight!);
      await node.mine(2);
      await until(refund.id, 'final');
      expect(broken.mock.results.some(({ type }) => type === 'throw')).toBe(true);
      expect(await refunds.get(merchantId, failing.id)).toMatchObject({ state: 'asked' });
    } finally {
      broken.mockRestore();
    }
    await until(failing.id, 'final');
  });

  it('of a batch is in the books, and its merchant told, though the chain loses what it returned afterwards', async () => {
    const [network] = service.config.networks;
    const money = new Money(service);
    // Of coins that nothing here made: what takes a payment's place takes the place of nothing else.
    const spend = async (payments: Readonly<Record<string, string>>) => {
      const old = { minimumAmount: 2, maximumCount: 1 };
      const [coin] = await node.wallet.call<{ txid: string; vout: number; amount: number }[]>(
        'listunspent',
        12,
        9_999_999,
        [],
        true,
        old,
      );
      const { txid, vout, amount } = coin!;
      const from = { input: { txid, vout }, inputValue: amount.toFixed(8) };
      return { ...from, txid: await node.spend(from, payments, '0.001') };
    };
    const late = async (amount: string) => {
      const id = await money.picked(merchantId, network!.id, network!.assets[0]!.symbol);
      const { depositAddress } = await service.app.get(IntentsService).get(merchantId, id);
      await money.endWindowIn(id, -1);
      expect(await money.status(id)).toBe('expired');
      return { id, address: depositAddress!, amount };
    };
    const [lost, kept] = [await late('0.00010000'), await late('0.00020000')];
    const payment = await spend({ [lost.address]: lost.amount });
    const [block] = await node.mine();
    await spend({ [kept.address]: kept.amount });
    await node.mine(3);
    const asked = [];
    for (const { id, amount } of [lost, kept]) {
      const home = await node.newAddress();
      const of = { ...PLACE, amount: String(Number(amount)), address: home, note: 'late' };
      await eventually(
        () =>
          service.app
            .get(ReviewsService)
            .show(merchantId, id)
            .catch(() => null),
        (entry) => (entry?.refundable.length ?? 0) > 0,
      );
      asked.push({ ...(await refunds.ask(merchantId, id, of, by('ann'))), amount, home });
    }
    const batch = await spend(Object.fromEntries(asked.map(({ home, amount }) => [home, amount])));
    await node.mine(3);
    for (const { id } of asked) expect(await until(id, 'final')).toMatchObject({ txid: batch.txid });
    const told = (id: string) => service.app.get(AlertsService).standing('refund-beyond-money', id);
    expect([await told(lost.id), await told(kept.id)]).toEqual([null, null]);

    await node.rpc.call('invalidateblock', block);
    await node.spend(payment, { [await node.newAddress()]: lost.amount }, '0.01');
    await node.mine(9);
    const alert = await eventually(
      () => told(lost.id),
      (standing) => standing !== null,
      60_000,
    );
    const { id: where, assets } = network!;
    const beyond = [{ network: where, asset: assets[0]!.symbol, amount: lost.amount }];
    expect(alert).toMatchObject({ merchantId, data: { beyond } });
    // Its own payment was away for a moment, and is mined anew.
    await eventually(
      () => told(kept.id),
      (standing) => standing === null,
      60_000,
    );
    const [from, to] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)];
    const booked = [];
    for await (const row of service.app.get(ExportsService).rows(merchantId, { from, to }))
      if (row.type === 'refund' && [lost.id, kept.id].includes(row.intentId)) booked.push(row);
    expect(booked.map(({ intentId, out, txids }) => [intentId, out, txids])).toEqual(
      expect.arrayContaining([
        [lost.id, lost.amount, [batch.txid]],
        [kept.id, kept.amount, [batch.txid]],
      ]),
    );
    expect(booked).toHaveLength(2);
    // The batch was mined anew, in another block: the follower looks where it is now.
    await eventually(
      async () => {
        service.app.get(Jobs).wake('follow-refunds');
        return (await service.app.get(InvariantsService).check()).filter(({ violations }) => violations > 0);
      },
      (violated) => violated.length === 0,
    );
    for (const { id } of asked)
      expect(await refunds.get(merchantId, id)).toMatchObject({ state: 'final', txid: batch.txid });
  });

  it('is not looked for in blocks of two branches at once', async () => {
    const home = await node.newAddress();
    const at = await node.rpc.call<number>('getblockcount');
    const searchedHash = await node.rpc.call<string>('getblockhash', at);
    await node.mine();
    const { txid } = await node.send({ [home]: '0.00010000' });
    await node.mine();
    const outgoing = service.app.get(OutgoingService);
    await eventually(
      () => outgoing.height(networkId()),
      (height) => (height ?? 0) >= at + 2,
    );
    const asset = service.config.networks[0]!.assets[0]!.symbol;
    const what = { network: networkId(), asset, to: home, atoms: 10_000n, merchantId, txid: null };
    const place = { askedHeight: at, searchedHeight: at, searchedHash, upTo: at + 2, account: null };
    const look = () => outgoing.search(networkId(), [{ ...what, ...place }]);
    const { call } = CoreRpc.prototype;
    for (const wrong of [at + 1, at + 2]) {
      const mixed = jest.spyOn(CoreRpc.prototype, 'call').mockImplementation(async function (
        this: never,
        ...asked
      ) {
        const answer = await call.apply(this, asked);
        const { height } = (answer ?? {}) as { height?: number };
        return asked[0] === 'getblock' && height === wrong
          ? { ...(answer as object), previousblockhash: 'ee'.repeat(32) }
          : answer;
      });
      try {
        const [one] = await look();
        expect(one).toMatchObject({ found: [], searchedHeight: at });
        expect(String(one!.failure)).toContain('does not follow');
      } finally {
        mixed.mockRestore();
      }
    }
    expect(await look()).toMatchObject([{ found: [{ txid }], searchedHeight: at + 2 }]);
  });
});
