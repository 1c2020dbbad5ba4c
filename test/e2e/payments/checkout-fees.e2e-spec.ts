import { sandboxLitecoin } from '../../../src/config/networks.js';
import { ExtendedKeysService } from '../../../src/modules/chains/wallets/extended-keys.service.js';
import { lie } from '../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import { Api } from '../../support/api/api.js';
import { by } from '../../support/intents/by.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { describeOnNode, TestNode } from '../../support/nodes/litecoind.js';
import { vpubOf } from '../../support/nodes/wallet.js';
import { Service } from '../../support/service/service.js';

describeOnNode('own-nodes')('what the network takes for sending', () => {
  let anvil: TestAnvil;
  let node: TestNode;
  let proxy: HostileNode;
  let service: Service;

  beforeEach(async () => {
    [anvil, node] = await Promise.all([startTestAnvil({ blockTimeS: 1 }), TestNode.start({ own: true })]);
    proxy = await HostileNode.start(node.rpcUrl);
    service = await Service.start({ chain: anvil, networks: [sandboxLitecoin(proxy.url)] });
  });
  afterEach(async () => {
    try {
      await service?.stop();
    } finally {
      await proxy?.stop();
      await Promise.all([anvil?.stop(), node?.stop()]);
    }
  });

  /** By asset and network, what the page says of it; `null` where it says nothing. */
  async function fees(): Promise<Record<string, string | null>> {
    const { merchantId, key } = await service.shop();
    await service.app
      .get(ExtendedKeysService)
      .set({ merchantId, network: 'litecoin', xpub: vpubOf(merchantId) }, by('test'));
    const { body } = await new Api(service, key).create({ amount: 49.9, currency: 'CHF' });
    const page = await fetch(body.checkoutUrl, { headers: { accept: 'text/html' } });
    const options = (await page.text()).split('name="asset" value="').slice(1);
    return Object.fromEntries(
      options.map((html) => [
        html.slice(0, html.indexOf('"')),
        /fee about [^<]*/.exec(html)?.[0].trim() ?? null,
      ]),
    );
  }

  it('is not shown where the node has not seen enough to say', async () => {
    const said = await fees();
    expect(said.ETH).toMatch(/^fee about CHF/);
    expect(said.LTC).toBeNull();
  });

  it('is shown as the node estimates it, for what a usual transaction weighs', async () => {
    // 0.1 LTC for 1,000 bytes: 0.0141 LTC for 141.
    proxy.plan([
      { methods: ['estimatesmartfee'], fault: lie('an estimate', () => ({ feerate: 0.1, blocks: 3 })) },
    ]);
    const { LTC } = await fees();
    expect(LTC).toBe('fee about CHF\u00a01.13');
  });
});
