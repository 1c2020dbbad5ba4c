import { type Address, erc20Abi, parseUnits } from 'viem';
import { Checkout } from '../../../src/cli/pay/checkout-client.js';
import { sandboxBitcoin, sandboxPolygon } from '../../../src/config/networks.js';
import { CoreRpc } from '../../../src/modules/chains/bitcoin/core-rpc.js';
import { ChainsJobs } from '../../../src/modules/chains/chains.jobs.js';
import { RpcNode } from '../../../src/modules/chains/evm/node/rpc-node.js';
import { describeFailure, publicReason } from '../../../src/modules/chains/watching/node-failure.js';
import { Helper } from '../../bench/helper.js';
import { Api } from '../../support/api/api.js';
import { chosen } from '../../support/checkout/choose.js';
import { startTestAnvil } from '../../support/nodes/anvil.js';
import { eventually } from '../../support/servers/receiver.js';
import { CERTIFICATE, KEY } from '../../support/servers/shop-certificate.js';
import { trustShop } from '../../support/servers/trusting.js';
import { Service } from '../../support/service/service.js';

const MAX_BYTES = 1024 * 1024;
/**
 * What a call takes in at most with its retry, and what the system holds of the two connections: Linux lets each grow to
 * 32 MiB where it is received (`tcp_rmem`) and to 4 MiB where it is sent.
 */
const MOST_TAKEN = 2 * (32 + 4 + 1) * 1024 * 1024;
/**
 * Only the deadline ends these; of renegotiation because it is refused, and then nobody says anything. Whatever floods must be
 * cut by its bytes, long before a deadline that is far away.
 */
const SLOW = /drip|silence|renegotiation/;
const limitsFor = (name: string) => ({ timeoutMs: SLOW.test(name) ? 500 : 60_000, maxBytes: MAX_BYTES });

interface HostileNode {
  readonly name: string;
  readonly isSecure: boolean;
  readonly port: number;
}

let helper: Helper;
let nodes: readonly HostileNode[];

beforeAll(async () => {
  helper = Helper.start('../../support/servers/hostile-receivers.mjs');
  nodes = await helper.call('listen', { key: KEY, cert: CERTIFICATE });
  await helper.call('attack', true);
});
afterAll(() => helper.stop());
beforeEach(trustShop);
afterEach(() => jest.restoreAllMocks());

const ASK: Readonly<Record<string, (url: string, name: string) => Promise<unknown>>> = {
  EVM: (url, name) => new RpcNode(url, limitsFor(name)).header(1),
  'Bitcoin-like': (url, name) => new CoreRpc(url, limitsFor(name)).call('getblockcount'),
};

async function failureOf(kind: string, { name, isSecure, port }: HostileNode) {
  const url = `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}/`;
  const error: unknown = await ASK[kind]!(url, name).then(
    () => new Error('it was answered'),
    (error: unknown) => error,
  );
  return { url, error };
}

describe.each(Object.keys(ASK))('a node of a chain that is %s', (kind) => {
  it('fails the call, whatever it sends, after a bounded number of bytes, and is named in one line', async () => {
    const bytes: Record<string, number> = {};
    await helper.call('taken');
    for (const node of nodes) {
      const { url, error } = await failureOf(kind, node);
      bytes[node.name] = await helper.call('taken');
      expect(describeFailure(error, url)).toContain(`(127.0.0.1:${node.port}`);
      expect(String(error)).not.toContain('it was answered');
    }
    expect(Object.keys(bytes)).toHaveLength(40);
    expect(Object.entries(bytes).filter(([, taken]) => taken > MOST_TAKEN)).toEqual([]);
  });

  const tooMuch = 'the node answered more than is read of an answer';
  it.each([
    ['endless 103', tooMuch],
    ['endless 102', tooMuch],
    ['endless headers', tooMuch],
    ['one endless header', tooMuch],
    ['endless chunk extension', tooMuch],
    ['endless trailers', tooMuch],
    ['endless trailers over TLS', tooMuch],
    ['endless tickets', tooMuch],
    ['endless key updates', tooMuch],
    ['endless body', 'the node answered more than'],
    // Packed or unpacked, whichever is counted first.
    ['gzip bomb', 'the node answered more than'],
    ['dripped headers', 'the node did not answer within 0.5 s'],
    ['dripped body', 'the node did not answer within 0.5 s'],
    ['silence, half open', 'the node did not answer within 0.5 s'],
    ['endless renegotiation', 'the node did not answer within 0.5 s'],
  ])('says of %s what it is', async (name, sentence) => {
    const { error } = await failureOf(
      kind,
      nodes.find((node) => node.name === name)!,
    );
    expect(publicReason(error)).toContain(sentence);
  });
});

it('other networks go on while two nodes answer without end', async () => {
  const anvil = await startTestAnvil({ blockTimeS: 1 });
  const urlOf = (name: string) => `http://127.0.0.1:${nodes.find((node) => node.name === name)!.port}/`;
  const service = await Service.start({
    chain: anvil,
    networks: [
      sandboxPolygon(urlOf('gzip bomb'), { USDC: `0x${'1'.repeat(40)}` }),
      sandboxBitcoin(urlOf('endless 103')),
    ],
    catchUpLimitMs: 1_000,
  });
  service.leaveUncompared('their nodes never answer', ['polygon', 'bitcoin']);
  const api = new Api(service, (await service.shop()).key);
  const { id } = (await api.create({ amount: 8, currency: 'CHF' })).body;
  const checkout = new Checkout(service.config.checkoutUrl, id);
  // The start did not wait for its networks: the honest one opens as soon as it has been looked at.
  const { depositAddress } = await chosen(checkout, { asset: 'USDC', network: 'ethereum' });
  const [buyer] = await anvil.testClient.getAddresses();
  await anvil.testClient.writeContract({
    account: buyer!,
    address: anvil.tokens.USDC.address,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [depositAddress as Address, parseUnits('10', 6)],
  });
  await eventually(
    () => checkout.status(),
    ({ status }) => status === 'settled',
    60_000,
  );
  const failing = await eventually(
    () => service.app.get(ChainsJobs, { strict: false }).stats(),
    (stats) => stats.filter(({ lastError }) => lastError !== null).length === 2,
    60_000,
  );
  expect(Object.fromEntries(failing.map(({ network, lastError }) => [network, lastError]))).toEqual({
    ethereum: null,
    // On a busy machine the time may be over before the answer is too long.
    polygon: expect.stringMatching(/the node (answered more than|did not answer within)/) as string,
    bitcoin: expect.stringContaining('the node answered more than is read of an answer') as string,
  });
  await service.stop();
  await anvil.stop();
});
