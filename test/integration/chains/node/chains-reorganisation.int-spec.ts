import { parseEther } from 'viem';
import { RpcNode } from '../../../../src/modules/chains/evm/node/rpc-node.js';
import { InconsistentNode } from '../../../../src/modules/chains/node.errors.js';
import { BlockTimes } from '../../../../src/modules/chains/reconciliation/evm/block-times.js';
import { EvmHistory } from '../../../../src/modules/chains/reconciliation/evm/history.js';
import { Pace } from '../../../../src/modules/chains/reconciliation/pace.js';
import { sumCountingBy } from '../../../../src/modules/intents/domain/observed.js';
import { anvilAccount } from '../../../../src/modules/sandbox/local/evm/tokens.js';
import { BUYER, ChainTest } from '../../../chain/chains-fixture.js';
import { CONTRADICTIONS } from '../../../chain/evm-faults.js';
import { forgetting } from '../../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../../chain/hostile/hostile-node.js';
import type { Rule } from '../../../chain/hostile/hostile-plan.js';
import type { SteppedWatcher } from '../../../chain/term.js';

let test: ChainTest;

beforeEach(async () => {
  test = await ChainTest.start();
  await test.mine(10);
  await test.catchUp();
});
afterEach(() => test.stop());

const states = async (subject: string) => (await test.transfers(subject)).map(({ state }) => state);
const sum = async (subject: string) =>
  (await test.transfers(subject)).reduce((atoms, transfer) => atoms + transfer.amountAtoms, 0n);

describe('a reorganisation', () => {
  it('of blocks that were held to be final is remembered, from the first of them on; of others it is not', async () => {
    const givenUp = async () => (await test.chains.health.all())[0]!.finalGivenUp;
    const { finalizedHeight } = (await test.chains.ledger.cursor('ethereum'))!;
    const height = Number(await test.anvil.testClient.getBlockNumber());
    await test.reorganise(height - finalizedHeight);
    await test.catchUp();
    expect(await givenUp()).toBeNull();
    await test.reorganise(height - finalizedHeight + 2);
    await test.catchUp();
    expect(await givenUp()).toEqual({ at: expect.any(Date), fromHeight: finalizedHeight - 1 });
  });

  it('that drops a deposit leaves it missing, without a block, and tells its subject', async () => {
    await test.send(await test.issue('pi_1'), '0.5');
    await test.mine();
    await test.mine();
    await test.catchUp();
    await test.chains.dataSource.query('DELETE FROM fact_change');
    await test.reorganise(3);
    await test.catchUp();
    const [transfer] = await test.transfers('pi_1');
    expect(transfer).toMatchObject({
      state: 'orphaned',
      blockHeight: null,
      blockHash: null,
      blockTime: null,
    });
    expect(transfer?.missingSince).toBeInstanceOf(Date);
    expect(await test.chains.facts.changes(10)).toMatchObject([{ subject: 'pi_1' }]);
    const tip = await test.anvil.testClient.getBlock();
    expect(await test.chains.ledger.cursor('ethereum')).toMatchObject({
      height: Number(tip.number),
      hash: tip.hash,
    });
  });

  it('that puts a deposit into another block finds the same transfer again, and counts it once', async () => {
    // Another transfer before it in the same block: its block-wide log index will not be the same again.
    await test.sendToken('0x00000000000000000000000000000000000a11ce', 1n);
    const to = await test.issue('pi_1');
    const txid = await test.sendToken(to, 7_000_000n);
    await test.mine();
    await test.catchUp();
    const [before] = await test.transfers('pi_1');
    const raw = await test.rawTransaction(txid);
    const first = await firstRaw(txid);
    await test.reorganise(2, [
      [first, 0],
      [raw, 1],
    ]);
    await test.catchUp();
    const again = await test.transfers('pi_1');
    expect(again).toHaveLength(1);
    expect(again[0]).toMatchObject({ id: before?.id, txid, state: 'included', missingSince: null });
    // The first block is gone, but it was the first sign of the money, and no later one makes the payment late.
    expect(again[0]!.observedAt.getTime()).toBeLessThanOrEqual(before!.observedAt.getTime());
    expect(again[0]?.blockHash).not.toBe(before?.blockHash);
    expect(await sum('pi_1')).toBe(7_000_000n);
  });

  it('that puts a deposit’s log into another place of its transaction counts the money once', async () => {
    test.leaveUncompared('a log by hand is in no block');
    const [txid, to] = await losePayment('pi_1');
    const [before] = await test.transfers('pi_1');
    // Mined again elsewhere, the same call emitted more logs before it: written as a watcher would.
    await test.write([{ txid, output: 'log:9', address: to, subject: 'pi_1' }]);
    expect((await states('pi_1')).sort()).toEqual(['included', 'orphaned']);
    const after = await test.transfers('pi_1');
    expect(after.find(({ state }) => state === 'orphaned')).toMatchObject({
      superseded: true,
      replacedBy: txid,
    });
    const included = after.find(({ state }) => state === 'included')!;
    expect(included.inPlaceOf.map(({ id }) => id)).toEqual([before?.id]);
    expect(sumCountingBy([included], before!.observedAt)).toBe(7_000_000n);
  });

  it('after which the log of a deposit pays somebody else tells the one who lost it', async () => {
    test.leaveUncompared('a log by hand is in no block');
    const [txid] = await losePayment('pi_1');
    const other = await test.issue('pi_2');
    await test.chains.dataSource.query('DELETE FROM fact_change');
    await test.write([{ txid, output: 'log:0', address: other.toLowerCase(), subject: 'pi_2' }]);
    expect(await test.transfers('pi_1')).toMatchObject([{ state: 'orphaned', superseded: true }]);
    expect(await states('pi_2')).toEqual(['included']);
    expect((await test.chains.facts.changes(10)).map(({ subject }) => subject)).toContain('pi_1');
  });

  it('right after the first start is walked back like any other', async () => {
    await test.chains.dataSource.query('DELETE FROM chain_cursor');
    await test.chains.dataSource.query('DELETE FROM chain_block');
    const fresh = test.watcher();
    await test.catchUp(fresh);
    await test.reorganise(1);
    await test.catchUp(fresh);
    const tip = await test.anvil.testClient.getBlock();
    expect((await test.chains.ledger.cursor('ethereum'))?.hash).toBe(tip.hash);
  });

  it('after which another transaction used the nonce marks the deposit replaced', async () => {
    const [to, elsewhere] = [await test.issue('pi_1'), await test.issue('pi_2')];
    const nonce = await test.anvil.testClient.getTransactionCount({ address: BUYER });
    await test.send(to, '0.5', BUYER, { nonce });
    await test.mine();
    await test.catchUp();
    await test.reorganise(2);
    await test.catchUp();
    expect(await states('pi_1')).toEqual(['orphaned']);
    await test.send(elsewhere, '0.4', BUYER, { nonce });
    await test.mine();
    await test.catchUp();
    // Of the newest block a node may tell nonces too early.
    expect(await states('pi_1')).toEqual(['orphaned']);
    await test.mine();
    await test.catchUp();
    expect(await states('pi_1')).toEqual(['replaced']);
    expect(await states('pi_2')).toEqual(['included']);
    expect((await test.chains.facts.changes(10)).map(({ subject }) => subject)).toContain('pi_1');
  });

  it('that brings the deposit back while its nonce is asked for does not mark it replaced', async () => {
    const { node, watcher, raw } = await missing('pi_1');
    node.meanwhile = () => test.reorganise(1, [[raw, 0]]);
    await test.catchUp(watcher);
    expect(node.meanwhile).toBeNull();
    expect(await states('pi_1')).toEqual(['orphaned']);
    await test.catchUp(watcher);
    expect(await states('pi_1')).toEqual(['included']);
  });

  it('does not mark a deposit replaced whose own transaction is in a block of the node', async () => {
    const { node, watcher, raw } = await missing('pi_1');
    node.meanwhile = () => test.reorganise(1, [[raw, 0]]);
    node.nonces = Infinity;
    await test.catchUp(watcher);
    expect(node.meanwhile).toBeNull();
    expect(await states('pi_1')).toEqual(['orphaned']);
  });

  it('seen by another watcher first makes a verdict on the old chain void', async () => {
    const { node, watcher } = await missing('pi_1');
    node.meanwhile = async () => {
      await test.reorganise(1);
      await test.catchUp();
    };
    node.nonces = Infinity;
    await test.catchUp(watcher);
    expect(node.meanwhile).toBeNull();
    expect(await states('pi_1')).toEqual(['orphaned']);
    // The same verdict where the cursor has stayed is written.
    await test.mine();
    await test.catchUp(watcher);
    expect(await states('pi_1')).toEqual(['replaced']);
  });

  it('that leaves the chain shorter than the cursor is followed too', async () => {
    await test.send(await test.issue('pi_1'), '0.5');
    await test.mine(5);
    await test.catchUp();
    await test.reorganise(6);
    await test.anvil.testClient.request({ method: 'anvil_rollback', params: [3] } as never);
    await test.catchUp();
    expect(await states('pi_1')).toEqual(['orphaned']);
  });

  it('is not seen in a node that merely lags', async () => {
    await test.send(await test.issue('pi_1'), '0.5');
    await test.mine(5);
    await test.catchUp();
    const before = await test.chains.ledger.cursor('ethereum');
    await test.anvil.testClient.request({ method: 'anvil_rollback', params: [2] } as never);
    expect(await test.catchUp()).toBe('waiting');
    expect(await states('pi_1')).toEqual(['included']);
    expect(await test.chains.ledger.cursor('ethereum')).toEqual(before);
    const [health] = await test.chains.health.all();
    expect(health).toMatchObject({ height: before!.height, nodeHeight: before!.height - 2 });
  });

  it('in which no stored block is left stops the watcher instead of guessing', async () => {
    test.leaveUncompared('its watcher halts');
    await test.chains.dataSource.query(`UPDATE chain_block SET hash = '0xother'`);
    await test.chains.dataSource.query(`UPDATE chain_cursor SET hash = '0xother'`);
    await expect(test.catchUp()).rejects.toThrow('shares none of the');
  });

  it('is survived by two watchers at once, without a gap or a double', async () => {
    const to = await test.issue('pi_1');
    const [one, other] = [test.watcher(), test.watcher()];
    const buyers = [5, 6, 7].map((index) => anvilAccount(index).address);
    for (let round = 0; round < 15; round++) {
      for (const buyer of buyers) await test.send(to, '0.01', buyer);
      await test.mine();
      if (round % 5 === 4) await test.reorganise(1);
      await Promise.all([test.catchUp(one), test.catchUp(other)]);
    }
    const transfers = await test.transfers('pi_1');
    const live = transfers.filter(({ state }) => state === 'included');
    const balance = await test.anvil.testClient.getBalance({ address: to });
    expect(live.reduce((atoms, { amountAtoms }) => atoms + amountAtoms, 0n)).toBe(balance);
    expect(balance).toBeGreaterThanOrEqual(parseEther('0.3'));
    expect(new Set(transfers.map(({ txid }) => txid)).size).toBe(transfers.length);
  });
});

/** Something happens to the chain while a watcher asks for nonces, or the answer is of another chain. */
class TurningNode extends RpcNode {
  meanwhile: (() => Promise<void>) | null = null;
  nonces: number | null = null;

  override async noncesUsed(sender: string, blockHash: string): Promise<number | null> {
    const { meanwhile } = this;
    this.meanwhile = null;
    await meanwhile?.();
    return this.nonces ?? super.noncesUsed(sender, blockHash);
  }
}

/** A deposit that the chain has just dropped, which the watcher given has yet to see. */
async function missing(
  subject: string,
): Promise<{ node: TurningNode; watcher: SteppedWatcher; raw: string }> {
  const { rpcUrl } = test.anvil;
  const txid = await test.send(await test.issue(subject), '0.5');
  await test.mine();
  await test.catchUp();
  const raw = await test.rawTransaction(txid);
  await test.reorganise(1);
  const node = new TurningNode(rpcUrl);
  return { node, watcher: test.watcherOn(node), raw };
}

/** A payment in a token that a reorganisation has dropped: its transaction and our address. */
async function losePayment(subject: string): Promise<[txid: string, to: string]> {
  const to = await test.issue(subject);
  const txid = await test.sendToken(to, 7_000_000n);
  await test.mine();
  await test.catchUp();
  await test.reorganise(1);
  await test.catchUp();
  expect(await states(subject)).toEqual(['orphaned']);
  return [txid, to.toLowerCase()];
}

/** The raw transaction that came before this one in its block. */
async function firstRaw(txid: string): Promise<string> {
  const { testClient } = test.anvil;
  const { transactions } = await testClient.getBlock();
  expect(transactions[1]).toBe(txid);
  return test.rawTransaction(transactions[0]!);
}

describe('what the comparison remembers of the times of blocks', () => {
  it('is asked for once, and forgotten with the blocks that a reorganisation has taken away', async () => {
    const { testClient, rpcUrl } = test.anvil;
    const pace = new Pace(1_000);
    const history = new EvmHistory(rpcUrl, pace);
    const times = new BlockTimes(history);
    const tip = async () => (await history.block(Number(await testClient.getBlockNumber())))!;
    const id = await testClient.snapshot();
    await test.mine(5);
    const before = await tip();
    await times.upTo(before);
    expect(await times.of(before.height)).toEqual(before.time);
    await test.mine();
    await times.upTo(await tip());
    const asked = pace.requests;
    expect(await times.of(before.height)).toEqual(before.time);
    expect(pace.requests).toBe(asked);

    await testClient.revert({ id });
    await testClient.increaseTime({ seconds: 20 });
    await test.mine(8);
    const after = (await history.block(before.height))!;
    expect(after.time).not.toEqual(before.time);
    await times.upTo(await tip());
    expect(await times.of(before.height)).toEqual(after.time);
  });
});

/** Single headers, but for the first block's, by which the node is known. */
const ofHeaders = (fault: Rule['fault']): Rule => ({
  methods: ['eth_getBlockByNumber'],
  asking: ({ params: [height, isWhole] }) => /^0x[1-9a-f]/.test(String(height)) && isWhole === false,
  fault,
});

it.each([
  ['does not tell headers below its tip', forgetting().fault],
  ['tells headers that are not one chain', CONTRADICTIONS.otherHash],
])('a node that %s after a reorganisation takes back nothing that it did not replace', async (_, fault) => {
  const node = await HostileNode.start(test.anvil.rpcUrl);
  try {
    await test.send(await test.issue('pi_1'), '0.5');
    await test.mine(5);
    const watcher = test.watcher(node.url);
    await test.catchUp(watcher);
    const before = await test.chains.ledger.cursor('ethereum');
    await test.reorganise(2);
    node.plan([ofHeaders(fault)]);
    await expect(watcher.step()).rejects.toThrow(/has no block|two chains at once/);
    expect(await test.chains.ledger.cursor('ethereum')).toEqual(before);
    expect(await states('pi_1')).toEqual(['included']);
    node.honest();
    expect(await test.catchUp(watcher)).toBe('synced');
    expect(await states('pi_1')).toEqual(['included']);
  } finally {
    await node.stop();
  }
});

/** What is said of single headers of that height, by its number or as the newest, and what of its whole block. */
const about = (height: number, isWhole: boolean, fault: Rule['fault']): Rule => ({
  methods: ['eth_getBlockByNumber'],
  asking: ({ params: [which, whole] }) =>
    whole === isWhole && (which === 'latest' || which === `0x${height.toString(16)}`),
  fault,
});
const { otherHash, otherParent, changesItsMind } = CONTRADICTIONS;

it.each([
  ['at the cursor', 0, (at: number) => [about(at, false, otherHash)]],
  [
    'below new blocks',
    1,
    (at: number) => [about(at + 1, true, otherParent), about(at, false, changesItsMind)],
  ],
  ['of a node that lags', -2, (at: number) => [about(at - 2, false, otherHash)]],
])('a header that is another than its whole block, %s, takes back nothing', async (_, ahead, lies) => {
  const node = await HostileNode.start(test.anvil.rpcUrl);
  try {
    await test.mine(3);
    await test.send(await test.issue('pi_1'), '0.5');
    await test.mine();
    const watcher = test.watcher(node.url);
    await test.catchUp(watcher);
    const before = (await test.chains.ledger.cursor('ethereum'))!;
    if (ahead > 0) await test.mine(ahead);
    if (ahead < 0)
      await test.anvil.testClient.request({ method: 'anvil_rollback', params: [-ahead] } as never);
    node.plan(lies(before.height));
    await expect(watcher.step()).rejects.toThrow(InconsistentNode);
    expect(node.strikes).toBeGreaterThan(0);
    expect(await test.chains.ledger.cursor('ethereum')).toMatchObject({
      height: before.height,
      hash: before.hash,
    });
    expect(await states('pi_1')).toEqual(['included']);
  } finally {
    await node.stop();
  }
});
