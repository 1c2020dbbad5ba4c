import { DataSource } from 'typeorm';
import { type Address, erc20Abi } from 'viem';
import { IntentsService } from '../../../../src/modules/intents/lifecycle/intents.service.js';
import { anvilAccount } from '../../../../src/modules/sandbox/local/evm/tokens.js';
import { testNetwork } from '../../../chain/bitcoin-fixture.js';
import { choose } from '../../../support/checkout/choose.js';
import { Money } from '../../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../../support/nodes/anvil.js';
import { describeOnNode, TestNode } from '../../../support/nodes/litecoind.js';
import { eventually } from '../../../support/servers/receiver.js';
import { Service } from '../../../support/service/service.js';

interface Quoted {
  readonly network: string;
  readonly address: string;
  readonly atoms: bigint;
}

describeOnNode('own-nodes')('an unconfirmed payment on a Bitcoin-like network', () => {
  let node: TestNode;
  let anvil: TestAnvil;
  let service: Service;
  let money: Money;
  let merchantId: string;

  beforeAll(async () => {
    [node, anvil] = await Promise.all([TestNode.start({ own: true }), startTestAnvil({ blockTimeS: 1 })]);
    const networks = [testNetwork(node.rpcUrl, { pollIntervalMs: 100 })];
    service = await Service.start({ chain: anvil, networks });
    money = new Money(service);
    ({ merchantId } = await service.shop());
  });
  afterAll(async () => {
    try {
      await service?.stop();
    } finally {
      await Promise.all([node?.stop(), anvil?.stop()]);
    }
  });

  const query = <T>(sql: string, values: unknown[]) => service.app.get(DataSource).query<T[]>(sql, values);
  const reaches = (id: string, status: string) =>
    eventually(
      () => money.status(id),
      (seen) => seen === status,
    );

  /** An intent for which these have been picked, in this order. */
  async function picked(...choices: readonly (readonly [network: string, asset: string])[]): Promise<string> {
    const wanted = { amountMinor: 1_000n, currency: 'CHF', title: null } as const;
    const { intent } = await service.app
      .get(IntentsService)
      .create(merchantId, { ...wanted, idempotencyKey: null, returnUrl: null });
    for (const [network, asset] of choices) await choose(service, intent.id, network, asset);
    return intent.id;
  }

  async function quoteOf(id: string, asset: string): Promise<Quoted> {
    const [row] = await query<{ network: string; address: string; atoms: string }>(
      'SELECT network, address, amount_atoms AS atoms FROM quote WHERE intent_id = $1 AND asset = $2',
      [id, asset],
    );
    return { ...row!, atoms: BigInt(row!.atoms) };
  }

  const coin = () => {
    const { id, assets } = service.config.networks.find(({ family }) => family !== 'evm')!;
    return [id, assets[0]!.symbol] as const;
  };
  const inCoins = (atoms: bigint) =>
    `${atoms / 100_000_000n}.${String(atoms % 100_000_000n).padStart(8, '0')}`;
  const waiting = (id: string) =>
    query<{ txid: string; superseded: boolean }>(
      `SELECT txid, superseded FROM transfer WHERE subject = $1 ORDER BY first_seen_at`,
      [id],
    );

  it('that is replaced by half fails nothing while the half waits too, and settles when it is mined after all', async () => {
    const id = await picked(coin());
    const { address, atoms } = await quoteOf(id, coin()[1]);
    const whole = await node.send({ [address]: inCoins(atoms) });
    const raw = await node.rpc.call<string>('getrawtransaction', whole.txid);
    await reaches(id, 'pending');
    await money.endWindowIn(id, -1);
    const half = await node.spend(whole, { [address]: inCoins(atoms / 2n) }, '0.01');
    await eventually(
      () => waiting(id),
      (seen) => seen.length === 2 && seen.some(({ txid, superseded }) => txid === whole.txid && superseded),
    );
    await eventually(
      () => query('SELECT 1 FROM fact_change WHERE subject = $1', [id]),
      (changes) => changes.length === 0,
    );
    expect(await money.status(id)).toBe('pending');
    await node.rpc.call('generateblock', await node.newAddress(), [raw]);
    await node.mine(2);
    await reaches(id, 'settled');
    expect(await money.walkOf(id)).toEqual(['initiated', 'pending', 'confirmed', 'settled']);
    expect((await waiting(id)).find(({ txid }) => txid === half)).toBeDefined();
  });

  it('neither holds up nor fails a complete and deep quote of another network', async () => {
    const id = await picked(coin(), ['ethereum', 'USDC']);
    const { address, atoms } = await quoteOf(id, coin()[1]);
    await node.send({ [address]: inCoins(atoms) });
    await reaches(id, 'pending');
    const token = await quoteOf(id, 'USDC');
    const args = [token.address as Address, token.atoms] as const;
    await anvil.testClient.writeContract({
      account: anvilAccount(5).address,
      address: anvil.tokens.USDC.address,
      abi: erc20Abi,
      functionName: 'transfer',
      args,
    });
    await reaches(id, 'settled');
    const [settlement] = await query<{ asset: string }>('SELECT asset FROM settlement WHERE intent_id = $1', [
      id,
    ]);
    expect(settlement).toEqual({ asset: 'USDC' });
    await node.mine(2);
  });
});
