import { deriveAddress } from '../../../src/modules/chains/domain/addresses/derive-address.js';
import { WalletScanner, WHILE_SETTING } from '../../../src/modules/chains/wallets/scan/wallet-scanner.js';
import { WalletSearchService } from '../../../src/modules/chains/wallets/wallet-search.service.js';
import { BitcoinTest } from '../../chain/bitcoin-fixture.js';
import { MERCHANT } from '../../chain/chains-fixture.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import { by } from '../../support/intents/by.js';
import { describeOnNode } from '../../support/nodes/litecoind.js';
import { vpubOf } from '../../support/nodes/wallet.js';
import { HeldTimers } from '../../support/run/held-timers.js';
import { eventually } from '../../support/servers/receiver.js';

/** For which an honest node may take any time: on a busy machine it needs more than somebody would wait. */
const FAR_MS = 4_000_000;

describeOnNode()('a wallet of a Bitcoin-like network', () => {
  let test: BitcoinTest;
  let limit: { restore(): void };

  beforeAll(async () => {
    limit = jest.replaceProperty(WHILE_SETTING, 'timeoutMs', FAR_MS);
    test = await BitcoinTest.start();
  });
  afterAll(async () => {
    limit.restore();
    await test?.stop();
  });

  const addressOf = (xpub: string, index: number) => deriveAddress(test.network, xpub, index).address;
  const set = (xpub: string) =>
    test.chains.extendedKeys.set({ merchantId: MERCHANT, network: test.network.id, xpub }, by('test'));

  it('begins behind what lies on its addresses, and says that what was spent again cannot be seen', async () => {
    const xpub = vpubOf(`${test.database.url} used`);
    await test.node.send({ [addressOf(xpub, 2)]: '0.5', [addressOf(xpub, 90)]: '0.25' });
    await test.node.mine();
    const { nextIndex, scan } = await set(xpub);
    expect(nextIndex).toBe(91);
    expect(scan.used).toMatchObject([
      { index: 2, holdings: [{ atoms: 50_000_000n }] },
      { index: 90, holdings: [{ atoms: 25_000_000n }] },
    ]);
    expect(scan.networks[0]!.untold).toEqual(['addresses that were paid and spent again']);
  });

  it('issues nothing while the node has not looked through its outputs, and goes on by itself when it can', async () => {
    const proxy = await HostileNode.start(test.network.rpcUrl);
    const { rpcUrl, id: network, family } = test.network;
    Object.assign(test.network, { rpcUrl: proxy.url });
    try {
      const xpub = vpubOf(`${test.database.url} unsearched`);
      await test.node.send({ [addressOf(xpub, 3)]: '0.5' });
      await test.node.mine();
      proxy.plan([{ methods: ['scantxoutset'], fault: { kind: 'cut' } }]);
      expect((await set(xpub)).isSearched).toBe(false);
      await expect(test.issue('pi_unsearched')).rejects.toMatchObject({ code: 'wallet-unsearched' });
      expect(await test.chains.wallets.list(MERCHANT)).toMatchObject([{ network, isSearched: false }]);
      proxy.honest();
      const search = test.chains.app.get(WalletSearchService, { strict: false });
      expect(await search.step(family)).toEqual({ hasSilent: false, hasMore: false });
      expect(await test.issue('pi_searched')).toBe(addressOf(xpub, 4));
    } finally {
      Object.assign(test.network, { rpcUrl });
      await proxy.stop();
    }
  });

  it('waits no longer than it may for a node that looks through its outputs, and lets the node end', async () => {
    const proxy = await HostileNode.start(test.network.rpcUrl);
    const { rpcUrl } = test.network;
    Object.assign(test.network, { rpcUrl: proxy.url });
    // By hand: a machine that stands still reaches a real one before it has asked.
    const deadlines = new HeldTimers((ms) => ms > FAR_MS / 2 && ms <= FAR_MS);
    try {
      proxy.plan([{ methods: ['scantxoutset'], holding: 'start', fault: { kind: 'hang', ms: Infinity } }]);
      const scanner = test.chains.app.get(WalletScanner, { strict: false });
      const key = { family: test.network.family, xpub: vpubOf('hanging'), from: 0 };
      const scanning = scanner.scan(key, WHILE_SETTING);
      const asked = (times: number) =>
        eventually(
          () => proxy.timesAsked('scantxoutset'),
          (so) => so === times,
        );
      await asked(1);
      expect(deadlines.come()).toHaveLength(1);
      expect((await scanning).networks).toMatchObject([{ reason: 'no answer in time' }]);
      await asked(2);
    } finally {
      deadlines.restore();
      Object.assign(test.network, { rpcUrl });
      await proxy.stop();
    }
  });
});
