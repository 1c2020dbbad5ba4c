import { DataSource } from 'typeorm';
import { type Address, parseEther } from 'viem';
import { addWalletCommands } from '../../../src/cli/commands/merchants/wallets.commands.js';
import { sandboxPolygon } from '../../../src/config/networks.js';
import { AuditLog } from '../../../src/modules/accounts/audit/audit-log.service.js';
import { deriveAddress } from '../../../src/modules/chains/domain/addresses/derive-address.js';
import { OwnAddressesService } from '../../../src/modules/chains/wallets/own-addresses.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { testNetwork } from '../../chain/bitcoin-fixture.js';
import { choose } from '../../support/checkout/choose.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { by } from '../../support/intents/by.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { forgetAddresses } from '../../support/nodes/forgotten-addresses.js';
import { describeOnNode, TestNode } from '../../support/nodes/litecoind.js';
import { xpubOf } from '../../support/nodes/wallet.js';
import { commandLine, printed } from '../../support/service/command-line.js';
import { Service } from '../../support/service/service.js';

interface Recovered {
  readonly merchantId: string;
  readonly family: string;
  readonly before: number;
  readonly after: number;
  readonly scan: { readonly used: readonly object[]; readonly isAnswered: boolean };
}

describeOnNode('own-nodes')('after a failover to a database that lost its last commits', () => {
  let database: TestDatabase;
  let anvil: TestAnvil;
  let polygon: TestAnvil;
  let node: TestNode;
  let service: Service;
  let merchantId: string;

  beforeAll(async () => {
    [database, anvil, polygon, node] = await Promise.all([
      createTestDatabase(),
      startTestAnvil({ blockTimeS: 1 }),
      startTestAnvil({ blockTimeS: 2, chainId: 31_338 }),
      TestNode.start({ own: true }),
    ]);
    const tokens = { USDC: polygon.tokens.USDC.address };
    const networks = [sandboxPolygon(polygon.rpcUrl, tokens), testNetwork(node.rpcUrl)];
    service = await Service.start({ databaseUrl: database.url, chain: anvil, networks });
    service.leaveUncompared('money at an index that a failover forgot stays a difference');
    ({ merchantId } = await service.shop());
  });
  afterAll(async () => {
    await service?.stop();
    await Promise.all([anvil?.stop(), polygon?.stop(), node?.stop()]);
    await database?.drop();
  });

  const query = <T>(sql: string, values?: unknown[]) => service.app.get(DataSource).query<T[]>(sql, values);

  /** The address that a buyer is shown. */
  async function quoted(network: string, asset: string): Promise<string> {
    const wanted = { amountMinor: 1000n, currency: 'CHF', title: null } as const;
    const { intent } = await service.app
      .get(IntentsService)
      .create(merchantId, { ...wanted, idempotencyKey: null, returnUrl: null });
    await choose(service, intent.id, network, asset);
    const [quote] = await query<{ address: string }>('SELECT address FROM quote WHERE intent_id = $1', [
      intent.id,
    ]);
    return quote!.address;
  }

  const recover = async (...words: string[]) =>
    (await commandLine(
      { databaseUrl: database.url, ...anvil, polygon, litecoin: { rpcUrl: node.rpcUrl } },
      addWalletCommands,
      'wallet',
      'recover',
      ...words,
    )) as unknown as readonly Recovered[];

  it('finds what was paid to forgotten addresses, and gives the next buyers addresses that nobody was given', async () => {
    const kept = [await quoted('ethereum', 'ETH'), await quoted('litecoin', 'LTC')];
    const ether = [await quoted('ethereum', 'ETH'), await quoted('ethereum', 'ETH')];
    const coins = [await quoted('litecoin', 'LTC'), await quoted('litecoin', 'LTC')];
    await forgetAddresses(service.app.get(DataSource), [...ether, ...coins]);
    // The later of the two is paid, the earlier is shown to a buyer who has yet to pay.
    const to = ether[1] as Address;
    const hash = await anvil.testClient.sendTransaction({
      account: anvilAccount(5).address,
      to,
      value: parseEther('1'),
    });
    await anvil.testClient.waitForTransactionReceipt({ hash });
    await node.send({ [coins[1]!]: '0.5' });
    await node.mine();

    const recovered = await recover('--beyond', '10');
    const of = (family: string) => recovered.find((one) => one.family === family);
    expect(of('evm')).toMatchObject({
      merchantId,
      before: 1,
      after: 13,
      scan: {
        isAnswered: true,
        used: [
          {
            index: 2,
            network: 'ethereum',
            address: to,
            holdings: [{ asset: 'ETH', atoms: parseEther('1').toString() }],
          },
        ],
      },
    });
    expect(of('litecoin')).toMatchObject({
      before: 1,
      after: 13,
      scan: { used: [{ index: 2, address: coins[1], holdings: [{ asset: 'LTC', atoms: '50000000' }] }] },
    });
    const given = [...kept, ...ether, ...coins];
    for (const [network, asset] of [
      ['ethereum', 'ETH'],
      ['litecoin', 'LTC'],
    ] as const)
      // prettier-ignore
      expect(given).not.toContain(await quoted(network, asset));
    const indexes = await query('SELECT derivation_index AS index FROM address ORDER BY 1');
    expect(indexes).toEqual([{ index: 0 }, { index: 0 }, { index: 13 }, { index: 13 }]);
  });

  it('writes down who moved what, and what was found', async () => {
    const entries = (await service.app.get(AuditLog).list(merchantId, 10)).filter(
      ({ action }) => action === 'wallet.recovered',
    );
    expect(entries).toHaveLength(2);
    expect(entries.find(({ subject }) => subject === 'ethereum')!.detail).toMatchObject({
      before: 1,
      after: 13,
      searched: expect.stringContaining('The last used index is 2 (on Ethereum)') as string,
    });
  });

  it('moves a key that was lost before it had issued anything, and only the one that is meant', async () => {
    const { merchantId: other } = await service.shop();
    const recovered = await recover('--merchant', other, '--network', 'ethereum');
    expect(recovered).toMatchObject([{ merchantId: other, family: 'evm', before: 0, after: 50 }]);
    expect(await recover('--merchant', other, '--network', 'ethereum')).toMatchObject([
      { before: 50, after: 50 },
    ]);
    await expect(recover('--merchant', 'mer_nobody')).rejects.toMatchObject({ code: 'no-wallet' });
  });

  it('says of an address that somebody here has named that it is theirs, and of no other', async () => {
    const { merchantId: other } = await service.shop();
    const at = (index: number) => deriveAddress({ family: 'evm' }, xpubOf(other), index).address as Address;
    const wallet = { merchantId: other, network: 'ethereum', address: at(1) };
    await service.app.get(OwnAddressesService).add(wallet, by('test'));
    for (const index of [1, 3]) {
      const hash = await anvil.testClient.sendTransaction({
        account: anvilAccount(5).address,
        to: at(index),
        value: parseEther('2'),
      });
      await anvil.testClient.waitForTransactionReceipt({ hash });
    }
    const words = ['wallet', 'recover', '--merchant', other, '--network', 'ethereum'];
    const [one] = await recover(...words.slice(2));
    expect(one!.scan.used).toMatchObject([
      { index: 1, address: at(1), isNamed: true },
      { index: 3, address: at(3), isNamed: false },
    ]);
    const place = { databaseUrl: database.url, ...anvil, polygon, litecoin: { rpcUrl: node.rpcUrl } };
    const text = await printed(place, addWalletCommands, ...words);
    const held = 'holds 2000000000000000000 atoms of ETH';
    expect(text).toContain(
      `index 1, ${at(1)} on ethereum, named here as a payout or own address, so never issued: ${held}`,
    );
    expect(text).toContain(`index 3, ${at(3)} on ethereum, known to no quote: ${held}`);
  });
});
