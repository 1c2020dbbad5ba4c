import type { Address } from 'viem';
import { OutgoingService } from '../../../src/modules/chains/outgoing/outgoing.service.js';
import { DestinationsService } from '../../../src/modules/chains/wallets/destinations.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import type { RefundOnChain } from '../../../src/modules/intents/refunds.types.js';
import { RefundFollower } from '../../../src/modules/intents/review/refund-follower.service.js';
import { RefundsService } from '../../../src/modules/intents/review/refunds.service.js';
import { ReviewsService } from '../../../src/modules/intents/review/reviews.service.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { Jobs } from '../../../src/platform/jobs/jobs.js';
import { BUYER, ERC20 } from '../../chain/chains-fixture.js';
import { CONSISTENT_LIES } from '../../chain/evm-faults.js';
import { DOWN, forgetting } from '../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import { by } from '../../support/intents/by.js';
import { Money } from '../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

jest.setTimeout(120_000);

const WALLET = anvilAccount(6).address;
const HOME = anvilAccount(8).address;
const DEPTH = 2;

let anvil: TestAnvil;
let nodes: readonly [first: HostileNode, second: HostileNode];
let service: Service;
let merchantId: string;
let refunds: RefundsService;
let refund: RefundOnChain;

beforeAll(async () => {
  anvil = await startTestAnvil();
  nodes = [await HostileNode.start(anvil.rpcUrl), await HostileNode.start(anvil.rpcUrl)];
  service = await Service.start({
    chain: { ...anvil, rpcUrl: nodes[0].url },
    network: {
      secondRpcUrl: nodes[1].url,
      settlementDepths: [DEPTH, DEPTH, DEPTH, DEPTH],
      confirmationDepth: 1,
      pollIntervalMs: 50,
    },
  });
  refunds = service.app.get(RefundsService);
  ({ merchantId } = await service.shop());
  const wallet = { merchantId, network: 'ethereum', address: WALLET };
  await service.app.get(DestinationsService).set(wallet, by('test'));
});
afterEach(() => nodes.forEach((node) => node.honest()));
afterAll(async () => {
  await service?.stop();
  await Promise.all((nodes ?? []).map((node) => node.stop()));
  await anvil?.stop();
});

const mine = (blocks = 1) => anvil.testClient.mine({ blocks });
async function sendToken(from: Address, to: Address, atoms: bigint) {
  const call = { address: anvil.tokens.USDC.address, abi: ERC20, functionName: 'transfer' } as const;
  const hash = await anvil.testClient.writeContract({
    account: from,
    ...call,
    args: [to, atoms],
    gas: 200_000n,
  });
  await mine();
  return hash;
}
/** Every block of the chain has been passed, and every refund looked for there since. */
async function passed(): Promise<void> {
  const height = Number(await anvil.testClient.getBlockNumber());
  await eventually(
    () => service.app.get(OutgoingService).height('ethereum'),
    (seen) => (seen ?? 0) >= height,
    30_000,
  );
}
/** The job has its turn with every look: what it does is tried here, not how often. */
const until = (state: RefundOnChain['state']) =>
  eventually(
    () => {
      service.app.get(Jobs).wake('follow-refunds');
      return refunds.get(merchantId, refund.id);
    },
    (now) => now.state === state,
    30_000,
  );

beforeEach(async () => {
  const money = new Money(service);
  await mine();
  const id = await money.picked(merchantId, 'ethereum', 'USDC');
  const { depositAddress } = await service.app.get(IntentsService).get(merchantId, id);
  await money.endWindowIn(id, -1);
  expect(await money.status(id)).toBe('expired');
  await sendToken(BUYER, depositAddress as Address, 5_000_000n);
  await mine(DEPTH);
  await eventually(
    () =>
      service.app
        .get(ReviewsService)
        .show(merchantId, id)
        .catch(() => null),
    (entry) => (entry?.refundable.length ?? 0) > 0,
  );
  const wanted = { network: null, asset: null, amount: '5', address: HOME, note: 'came late' };
  refund = await refunds.ask(merchantId, id, wanted, by('ann'));
});

describe.each([
  ['first', 0],
  ['second', 1],
] as const)('with two nodes, of which the %s one lies', (_which, liar) => {
  it('a payment of less that it calls enough is no refund', async () => {
    // The lie adds a thousand atoms to each movement of a token.
    await sendToken(WALLET, HOME, 4_999_000n);
    await passed();
    nodes[liar].plan(CONSISTENT_LIES['that a token payment was of more']!);
    const follower = service.app.get(RefundFollower);
    for (let looks = 0; looks < 3; looks += 1) await follower.follow('ethereum', 50).catch(() => false);
    expect(await refunds.get(merchantId, refund.id)).toMatchObject({ state: 'asked', txid: null });
    nodes[liar].honest();
    const txid = await sendToken(WALLET, HOME, 5_000_000n);
    await mine(DEPTH);
    expect(await until('final')).toMatchObject({ txid });
  });

  it('a log that it leaves out is found by the other', async () => {
    nodes[liar].plan([forgetting('eth_getLogs')]);
    const txid = await sendToken(WALLET, HOME, 5_000_000n);
    await mine(DEPTH);
    expect(await until('final')).toMatchObject({ txid });
  });

  it('nothing becomes final, and nothing is undone, while it is down', async () => {
    const txid = await sendToken(WALLET, HOME, 5_000_000n);
    await until('seen');
    nodes[liar].plan([DOWN]);
    await mine(DEPTH);
    const follower = service.app.get(RefundFollower);
    for (let looks = 0; looks < 3; looks += 1) await follower.follow('ethereum', 50).catch(() => false);
    expect(await refunds.get(merchantId, refund.id)).toMatchObject({ state: 'seen', txid });
    nodes[liar].honest();
    await until('final');
  });
});
