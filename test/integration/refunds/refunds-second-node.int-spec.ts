import type { Address } from 'viem';
import type { RefundOnChain } from '../../../src/modules/intents/refunds.types.js';
import { RefundFollower } from '../../../src/modules/intents/review/refund-follower.service.js';
import { RefundsService } from '../../../src/modules/intents/review/refunds.service.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { CONSISTENT_LIES } from '../../chain/evm-faults.js';
import { DOWN, forgetting } from '../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import { RefundWorld, WALLET } from '../../support/intents/refund-world.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { Service } from '../../support/service/service.js';

const HOME = anvilAccount(8).address;
const DEPTH = 2;

let anvil: TestAnvil;
let nodes: readonly [first: HostileNode, second: HostileNode];
let world: RefundWorld;
let service: Service;
let merchantId: string;
let refunds: RefundsService;
let refund: RefundOnChain;

beforeAll(async () => {
  anvil = await startTestAnvil();
  nodes = [await HostileNode.start(anvil.rpcUrl), await HostileNode.start(anvil.rpcUrl)];
  world = await RefundWorld.start(anvil, DEPTH, { rpcUrl: nodes[0].url, secondRpcUrl: nodes[1].url });
  ({ service, merchantId, refunds } = world);
});
afterEach(() => nodes.forEach((node) => node.honest()));
afterAll(async () => {
  await world?.stop();
  await Promise.all((nodes ?? []).map((node) => node.stop()));
  await anvil?.stop();
});

const mine = (blocks = 1) => world.mine(blocks);
const sendToken = (from: Address, to: Address, atoms: bigint) => world.sendToken(from, to, atoms);
const until = (state: RefundOnChain['state']) => world.until(refund.id, state);

beforeEach(async () => {
  refund = await world.ask(await world.late([5_000_000n]), '5', HOME);
});

describe.each([
  ['first', 0],
  ['second', 1],
] as const)('with two nodes, of which the %s one lies', (_which, liar) => {
  it('a payment of less that it calls enough is no refund', async () => {
    // The lie adds a thousand atoms to each movement of a token.
    await sendToken(WALLET, HOME, 4_999_000n);
    await world.passed();
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
