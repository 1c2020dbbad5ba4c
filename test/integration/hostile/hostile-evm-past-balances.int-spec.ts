import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, parseEther } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { CheckedNode } from '../../../src/modules/chains/evm/node/checked-node.js';
import { RpcNode } from '../../../src/modules/chains/evm/node/rpc-node.js';
import { ChainTest } from '../../chain/chains-fixture.js';
import { REFUSALS } from '../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import type { Rule } from '../../chain/hostile/hostile-plan.js';
import { deployPayer, type Payer } from '../../chain/payer.js';
import type { SteppedWatcher } from '../../chain/term.js';
import { ownMsOf } from '../../support/run/own-time.js';
import { eventually } from '../../support/servers/receiver.js';

// What a node does not tell of older blocks closes the coin for as long, is found in its own block, and holds up nothing.

/** What is given up after so long: one look at what addresses hold now, and one at what they held. */
const SLOW_MS = 3_000;
/** What a step reads besides takes its time too, on a busy machine above all. */
const BESIDES_MS = 2_500;
const BALANCES = ['eth_call'];

let test: ChainTest;
let node: HostileNode;
let pay: Payer;

beforeAll(async () => {
  test = await ChainTest.start();
  node = await HostileNode.start(test.anvil.rpcUrl);
  pay = await deployPayer(test);
});
afterAll(async () => {
  await node?.stop();
  await test?.stop();
});
afterEach(async () => {
  jest.restoreAllMocks();
  node.honest();
  await test.mine();
  await test.catchUpAnew(() => test.watcher(node.url));
});

const closed = async () => (await test.chains.health.all())[0]!.closedAssets;
const CLOSED = { ETH: 'balances-unknown' };
const tip = async () => Number(await test.anvil.testClient.getBlockNumber());

const older = { methods: BALANCES, beforeNewest: true } as const;
const hanging: Rule = { ...older, fault: { kind: 'hang', ms: Infinity } };
const limited: Rule = { ...older, fault: REFUSALS.limit };

const MNEMONIC = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const addressAt = (index: number): Address =>
  mnemonicToAccount(MNEMONIC, { path: `m/44'/60'/0'/0/${index}` }).address;

/** So many calls a second, and a refusal of those beyond. */
function limitedTo(most: number): Rule {
  let answeredMs: number[] = [];
  const isTooMuch = () => {
    const nowMs = performance.now();
    answeredMs = answeredMs.filter((ms) => nowMs - ms < 1_000);
    if (answeredMs.length >= most) return true;
    answeredMs.push(nowMs);
    return false;
  };
  return { methods: BALANCES, asking: isTooMuch, fault: REFUSALS.limit };
}

function skip(ms: number): void {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}

/** Steps to the tip. @returns how long each of the steps took, without what the machine stood still */
async function stepsMs(watcher: SteppedWatcher): Promise<number[]> {
  const took: number[] = [];
  let end = 'more';
  const step = async () => (end = await watcher.step());
  while (end === 'more') took.push(await ownMsOf(step));
  return took;
}

/** Whether all up to the tip is looked into. */
async function isWhole(): Promise<boolean> {
  const { height, coinBlindFrom } = (await test.chains.ledger.cursor('ethereum'))!;
  return coinBlindFrom === null && height === (await tip());
}

describe.each<[string, Rule]>([
  ['hangs', hanging],
  ['is limited', limited],
])('a node that tells the balances of its newest block, and of others %s,', (name, rule) => {
  it('closes the coin, and what came is found in its own block afterwards, without another block', async () => {
    const [inside, other] = [await test.issue(`inside ${name}`), await test.issue(`beside ${name}`)];
    const watcher = test.watcher(node.url);
    await test.catchUp(watcher);
    await pay(inside, parseEther('0.1'));
    await test.mine();
    const paidAt = await tip();
    await test.sendToken(other, 5n);
    await test.mine(2);
    node.plan([rule]);
    expect(Math.max(...(await stepsMs(watcher)))).toBeLessThan(SLOW_MS + BESIDES_MS);
    expect(await test.transfers(`beside ${name}`)).toHaveLength(1);
    expect([await closed(), await test.transfers(`inside ${name}`)]).toEqual([CLOSED, []]);
    await test.mine();
    expect(Math.max(...(await stepsMs(watcher)))).toBeLessThan(SLOW_MS + BESIDES_MS);
    expect([await closed(), await test.transfers(`inside ${name}`)]).toEqual([CLOSED, []]);
    node.honest();
    // Asked aside after some seconds, and not only when what was late has rested for a minute.
    await eventually(
      async () => {
        await watcher.step();
        return closed();
      },
      (assets) => Object.keys(assets).length === 0,
      30_000,
    );
    expect(await test.transfers(`inside ${name}`)).toMatchObject([
      { amountAtoms: parseEther('0.1'), blockHeight: paidAt },
    ]);
  });

  it('makes no payment of what lay at an address before it was issued', async () => {
    await test.issue(`before ${name}`);
    const [{ n }] = await test.chains.dataSource.query<[{ n: number }]>(
      'SELECT max(derivation_index)::int AS n FROM address',
    );
    const next = addressAt(n + 1);
    await test.send(next, '0.1');
    await test.mine(3);
    const watcher = test.watcher(node.url);
    await test.catchUp(watcher);
    await test.catchUp(watcher);
    const reference = await tip();
    expect(await test.issue(`early ${name}`)).toBe(next);
    node.plan([rule]);
    for (let steps = 0; steps < 4; steps += 1) {
      await test.mine();
      await watcher.step();
      expect([await closed(), await test.transfers(`early ${name}`)]).toEqual([CLOSED, []]);
      // Longer than anything is waited for.
      if (steps === 1) skip(90_000);
    }
    node.honest();
    await test.mine();
    await test.catchUpAnew(() => test.watcher(node.url));
    const [found, ...others] = await test.transfers(`early ${name}`);
    expect(others).toEqual([]);
    expect(found!.amountAtoms).toBe(parseEther('0.1'));
    expect(found!.blockHeight).toBeLessThanOrEqual(reference);
  });

  it('holds up no token, although each step has a new address', async () => {
    const other = await test.issue(`tokens ${name}`);
    const watcher = test.watcher(node.url);
    await test.catchUp(watcher);
    node.plan([rule]);
    const tookMs: number[] = [];
    for (let paid = 1; paid <= 6; paid += 1) {
      await test.issue(`new ${name} ${paid}`);
      await test.sendToken(other, 5n);
      await test.mine();
      tookMs.push(...(await stepsMs(watcher)));
      expect(await test.transfers(`tokens ${name}`)).toHaveLength(paid);
      await sleep(200);
    }
    expect(tookMs[0]).toBeLessThan(SLOW_MS + BESIDES_MS);
    for (const ms of tookMs.slice(1)) expect(ms).toBeLessThan(BESIDES_MS);
  });
});

it.each([8, 3])(
  'a backlog is caught up with on a node that answers no more than %s calls a second',
  async (most) => {
    const name = `limit ${most}`;
    const [inside, other] = [await test.issue(`inside ${name}`), await test.issue(`beside ${name}`)];
    await test.catchUpAnew(() => test.watcher(node.url));
    const paidAt: number[] = [];
    for (let paid = 0; paid < 12; paid += 1) {
      await pay(inside, 1n);
      await test.mine();
      paidAt.push(await tip());
      await test.mine(paid % 4);
    }
    node.plan([limitedTo(most)]);
    // As after a restart.
    const watcher = test.watcher(node.url);
    for (let seconds = 0; seconds < 60 && !(seconds > 0 && (await isWhole())); seconds += 1) {
      await test.sendToken(other, 5n);
      await test.mine();
      await stepsMs(watcher).catch(() => undefined);
      await sleep(1_000);
    }
    expect([await isWhole(), await closed()]).toEqual([true, {}]);
    const found = await test.transfers(`inside ${name}`);
    expect(found.map(({ blockHeight }) => blockHeight!).sort((a, b) => a - b)).toEqual(paidAt);
    expect(found.every(({ amountAtoms }) => amountAtoms === 1n)).toBe(true);
  },
  300_000,
);

it('of two nodes the second may refuse what is behind: the coin is closed, the network is checked all the same', async () => {
  const [inside, other] = [await test.issue('inside two'), await test.issue('beside two')];
  const checked = new CheckedNode(new RpcNode(test.anvil.rpcUrl), new RpcNode(node.url));
  const watcher = test.watcherOn(checked);
  await test.catchUp(watcher);
  node.plan([{ methods: BALANCES, fault: REFUSALS.pruned }]);
  await test.mine(2);
  await pay(inside, parseEther('0.1'));
  await test.mine();
  const paidAt = await tip();
  await test.mine(27);
  await test.catchUp(watcher);
  node.plan([limited]);
  for (let paid = 1; paid <= 3; paid += 1) {
    await test.sendToken(other, 5n);
    await test.mine();
    await watcher.step();
    expect([checked.verdict, await closed()]).toEqual(['agrees', CLOSED]);
    expect(await test.transfers('beside two')).toHaveLength(paid);
  }
  node.honest();
  await test.mine();
  await test.catchUp(watcher);
  expect(await test.transfers('inside two')).toMatchObject([
    { amountAtoms: parseEther('0.1'), blockHeight: paidAt },
  ]);
});

/** So that the coin is blind from here on, over so many blocks; and what is paid in some of them. */
async function blind(watcher: SteppedWatcher, pays: readonly (() => Promise<unknown>)[], blocks: number) {
  await test.catchUp(watcher);
  await test.mine();
  await test.catchUp(watcher);
  const from = await tip();
  node.plan([{ methods: BALANCES, fault: REFUSALS.pruned }]);
  for (const paid of pays) await paid();
  await test.mine(blocks - ((await tip()) - from));
  await stepsMs(watcher);
  expect(await closed()).toEqual(CLOSED);
  return from;
}

const creditsOf = async (subject: string) =>
  (await test.transfers(subject))
    .map(({ amountAtoms, blockHeight }) => [amountAtoms, blockHeight!] as const)
    .sort(([, one], [, other]) => one - other);

it('of equal payments in blocks behind each is found in its own, wherever a look begins', async () => {
  const address = await test.issue('equal');
  const watcher = test.watcher(node.url);
  const mined = (blocks: number) => () => test.mine(blocks);
  const paid = () => pay(address, 1n);
  // The second comes in the first of the next sixteen.
  const from = await blind(watcher, [paid, mined(16), paid, mined(1), paid], 40);
  node.honest();
  await test.mine();
  await stepsMs(watcher);
  expect(await isWhole()).toBe(true);
  expect(await creditsOf('equal')).toEqual([1, 17, 18].map((after) => [1n, from + after]));
});

it('what a node says once, that it does not keep a state, is not believed', async () => {
  const address = await test.issue('said once');
  const watcher = test.watcher(node.url);
  const from = await blind(watcher, [() => test.mine(19), () => pay(address, 3n)], 100);
  await test.mine();
  const probed = (await test.anvil.testClient.getBlock({ blockNumber: BigInt(from + 48) })).hash;
  const plan = node.plan([{ methods: BALANCES, holding: probed, untilCall: 1, fault: REFUSALS.pruned }]);
  await stepsMs(watcher);
  await stepsMs(watcher);
  expect([plan.strikes, await isWhole()]).toEqual([[1], true]);
  expect(await creditsOf('said once')).toEqual([[3n, from + 20]]);
});

it.each([
  ['that its state is pruned', REFUSALS.pruned],
  ['with nothing', { kind: 'forget' } as const],
])(
  'what is answered once of the block before an address was issued, %s, makes no payment of what lay there',
  async (name, fault) => {
    const [{ n }] = await test.chains.dataSource.query<[{ n: number }]>(
      'SELECT max(derivation_index)::int AS n FROM address',
    );
    await test.send(addressAt(n + 1), '0.1');
    await test.mine(3);
    const watcher = test.watcher(node.url);
    await test.catchUp(watcher);
    await test.catchUp(watcher);
    const reference = await tip();
    await test.issue(`once ${name}`);
    await test.mine();
    const plan = node.plan([{ methods: BALANCES, beforeNewest: true, untilCall: 1, fault }]);
    await stepsMs(watcher);
    await stepsMs(watcher);
    expect([plan.strikes, await isWhole()]).toEqual([[1], true]);
    expect(await creditsOf(`once ${name}`)).toEqual([[parseEther('0.1'), reference]]);
  },
);

it.each([
  ['refuses', REFUSALS.limit],
  ['hangs on', { kind: 'hang', ms: Infinity } as const],
])('a node that %s a block that only the coin still needs holds up no token', async (name, fault) => {
  const [address, other] = [await test.issue(`needed ${name}`), await test.issue(`beside needed ${name}`)];
  const watcher = test.watcher(node.url);
  const from = await blind(watcher, [() => pay(address, 3n)], 4);
  const needed = `0x${(from + 1).toString(16)}`;
  node.plan([{ methods: ['eth_getBlockByNumber'], holding: `["${needed}",true]`, fault }]);
  for (let paid = 1; paid <= 3; paid += 1) {
    await test.sendToken(other, 5n);
    await test.mine();
    expect(Math.max(...(await stepsMs(watcher)))).toBeLessThan(SLOW_MS + BESIDES_MS);
    expect([(await test.transfers(`beside needed ${name}`)).length, await closed()]).toEqual([paid, CLOSED]);
  }
  node.honest();
  await test.mine();
  await test.catchUpAnew(() => test.watcher(node.url));
  expect(await creditsOf(`needed ${name}`)).toEqual([[3n, from + 1]]);
});

it('a backlog that hangs is waited for once a minute, whatever is told of new addresses', async () => {
  const address = await test.issue('hanging backlog');
  const watcher = test.watcher(node.url);
  const from = await blind(watcher, [() => pay(address, 3n)], 4);
  const held = (await test.anvil.testClient.getBlock({ blockNumber: BigInt(from + 1) })).hash;
  node.plan([{ methods: BALANCES, holding: held, fault: { kind: 'hang', ms: Infinity } }]);
  const tookMs: number[] = [];
  for (let i = 0; i < 6; i += 1) {
    await test.issue(`beside the backlog ${i}`);
    await test.mine();
    tookMs.push(...(await stepsMs(watcher)));
    await sleep(700);
  }
  expect(tookMs.filter((ms) => ms > BESIDES_MS).length).toBeLessThanOrEqual(1);
});

it('a limit of balances costs no payer its name', async () => {
  const address = await test.issue('named');
  const watcher = test.watcher(node.url);
  await blind(watcher, [() => pay(address, 3n)], 100);
  node.plan([limitedTo(6)]);
  for (let seconds = 0; seconds < 60 && !(await isWhole()); seconds += 1) {
    await stepsMs(watcher).catch(() => undefined);
    await sleep(1_000);
  }
  node.honest();
  await pay(address, 4n);
  await test.mine();
  await stepsMs(watcher);
  const found = await test.transfers('named');
  expect(found.map(({ output }) => output.split(':')[0])).toEqual(['call', 'call']);
});

describe('a node that answers one call for balances after the other', () => {
  let queue: Promise<unknown> = Promise.resolve();
  let eachMs = 0;
  const server = createServer((request, response) => {
    const answer = async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      if (body.includes('eth_call')) await (queue = queue.then(() => sleep(eachMs)));
      const told = await fetch(test.anvil.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      response.writeHead(200, { 'content-type': 'application/json' }).end(await told.text());
    };
    void answer().catch(() => response.destroy());
  });
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each([
    ['in 0.7 s each: a backlog is caught up with', 700, true],
    ['in 8 s each: the coin stays closed', 8_000, false],
  ])(
    '%s, and no token is held up',
    async (_, ms, catchesUp) => {
      const [inside, other] = [await test.issue(`inside ${ms}`), await test.issue(`beside ${ms}`)];
      await test.catchUpAnew(() => test.watcher(url));
      await test.mine(2);
      await pay(inside, parseEther('0.1'));
      await test.mine();
      const paidAt = await tip();
      await test.mine(27);
      eachMs = ms;
      const watcher = test.watcher(url);
      const untilMs = performance.now() + (catchesUp ? 100_000 : 12_000);
      const late: number[] = [];
      for (let paid = 1; performance.now() < untilMs && !(paid > 1 && (await isWhole())); paid += 1) {
        await test.sendToken(other, 5n);
        await test.mine();
        const tookMs = await stepsMs(watcher);
        late.push(...tookMs.filter((of) => of > BESIDES_MS));
        expect(Math.max(...tookMs)).toBeLessThan(3 * SLOW_MS + BESIDES_MS);
        expect(await test.transfers(`beside ${ms}`)).toHaveLength(paid);
        await sleep(1_000);
      }
      eachMs = 0;
      await queue;
      expect(await isWhole()).toBe(catchesUp);
      // What is never told in time is waited for once a minute.
      if (!catchesUp) expect(late.length).toBeLessThanOrEqual(2);
      await test.mine();
      await test.catchUpAnew(() => test.watcher(url));
      expect(await test.transfers(`inside ${ms}`)).toMatchObject([
        { amountAtoms: parseEther('0.1'), blockHeight: paidAt },
      ]);
    },
    300_000,
  );
});
