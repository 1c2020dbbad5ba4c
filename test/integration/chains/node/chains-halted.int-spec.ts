import { addChainCommands } from '../../../../src/cli/commands/instance/chains.commands.js';
import type { Change } from '../../../../src/database/by.js';
import { ChainRepairService } from '../../../../src/modules/chains/repair/chain-repair.service.js';
import { ChainTest } from '../../../chain/chains-fixture.js';
import { forgetting } from '../../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../../chain/hostile/hostile-node.js';
import type { Rule } from '../../../chain/hostile/hostile-plan.js';
import { presentTerm } from '../../../chain/term.js';
import { by } from '../../../support/intents/by.js';
import { commandLine } from '../../../support/service/command-line.js';

let test: ChainTest;

beforeAll(async () => {
  test = await ChainTest.start();
});
afterAll(() => test?.stop());

const repair = () => test.chains.app.get(ChainRepairService, { strict: false });
const cursor = async () => (await test.chains.ledger.cursor('ethereum'))!;
const states = async (subject: string) => (await test.transfers(subject)).map(({ state }) => state);

it('a network whose node shares no block with us goes on from where the operator says, and finds the money again', async () => {
  const { testClient } = test.anvil;
  await test.mine(4);
  const belowStart = await testClient.snapshot();
  await test.mine();
  const snapshot = await testClient.snapshot();
  const start = Number(await testClient.getBlockNumber());
  const to = await test.issue('pi_halted');
  const txid = await test.send(to, '0.1');
  const raw = await test.rawTransaction(txid);
  await test.mine(4);
  await test.catchUp();
  expect(await states('pi_halted')).toEqual(['included']);
  // Issued where none of the blocks that are remembered now was seen yet.
  const lateTxid = await test.send(await test.issue('pi_late'), '0.2');
  const lateRaw = await test.rawTransaction(lateTxid);
  await test.mine();
  await test.catchUp();
  await test.chains.dataSource.query(`UPDATE address SET created_at = created_at - interval '1 hour'`);
  const nobody = by('nobody');
  await expect(repair().rewind('ethereum', start, nobody)).rejects.toThrow('goes on by itself');

  // Only what was scanned since is remembered, and none of it is on the chain any more.
  await test.chains.dataSource.query('DELETE FROM chain_block WHERE height <= $1', [start + 1]);
  await testClient.revert({ id: snapshot });
  for (const serializedTransaction of [raw, lateRaw] as `0x${string}`[]) {
    await testClient.sendRawTransaction({ serializedTransaction });
  }
  await testClient.increaseTime({ seconds: 77 });
  await test.mine(8);
  await expect(test.catchUp()).rejects.toThrow('shares none of the');
  const halted = await repair().show('ethereum');
  expect(halted).toMatchObject({ network: 'ethereum', commonHeight: null, cursor: await cursor() });
  expect(halted.nodeHashAtCursor).not.toBe(halted.cursor!.hash);
  expect(halted.reason).toContain('shares none of the');

  const term = await presentTerm(test.chains.dataSource, 'ethereum');
  const state = async () => (await test.chains.health.all()).map((health) => health.state);
  expect(await state()).toEqual(['open']); // its tip is fresh still
  const failure = { reason: halted.reason!, isHalted: true };
  await test.chains.ledger.observeFailure(term, failure);
  expect(await state()).toEqual(['halted']);
  await test.chains.ledger.observeFailure(term, { ...failure, isHalted: false });
  expect(await state()).toEqual(['open']);
  const place = { databaseUrl: test.database.url, rpcUrl: test.anvil.rpcUrl, tokens: test.anvil.tokens };
  const shown = await commandLine(place, addChainCommands, 'chain', 'show', '--network', 'ethereum');
  expect(shown).toMatchObject({ network: 'ethereum', commonHeight: null, reason: halted.reason });
  const withoutYes = commandLine(
    place,
    addChainCommands,
    'chain',
    'rewind',
    '--network',
    'ethereum',
    '--to',
    '0',
  );
  await expect(withoutYes).rejects.toThrow('say --yes');

  const before = await cursor();
  await expect(repair().rewind('ethereum', -1, nobody)).rejects.toThrow("one of the node's blocks");
  await expect(repair().rewind('ethereum', before.height + 1, nobody)).rejects.toThrow(
    "one of the node's blocks",
  );
  await expect(repair().rewind('ethereum', before.height, nobody)).rejects.toThrow(
    `Go back to ${start} or below`,
  );
  expect(await cursor()).toEqual(before);

  const old = await presentTerm(test.chains.dataSource, 'ethereum');
  const recorded: Change[] = [];
  const resumed = await repair().rewind('ethereum', start, {
    ...nobody,
    record: async (_tx, change) => {
      recorded.push(change);
      return Promise.resolve();
    },
  });
  expect(resumed).toMatchObject({ from: before, to: { height: start }, orphaned: 2 });
  expect(recorded).toEqual([
    { merchantId: null, action: 'chain.rewound', subject: 'ethereum', detail: { ...resumed } },
  ]);
  expect(await states('pi_halted')).toEqual(['orphaned']);
  await expect(test.chains.ledger.observeNode(old, 1)).rejects.toThrow('another instance');
  await test.mine(2);
  expect(await test.catchUp()).toBe('synced');
  expect(await states('pi_halted')).toEqual(['included']);
  // Lower than where the watcher had been when the address was issued, and no less a payment to it.
  expect(await test.transfers('pi_late')).toMatchObject([{ state: 'included', beforeIssue: false }]);

  // A reorganisation that begins below the new cursor halts it no more.
  await test.chains.dataSource.query('DELETE FROM chain_block WHERE height > $1', [start]);
  await testClient.revert({ id: belowStart });
  await testClient.increaseTime({ seconds: 99 });
  await test.mine(12);
  expect(await test.catchUp()).toBe('synced');
});

it('says what the watcher says where a header of the node is gone for good, and moves nothing', async () => {
  const node = await HostileNode.start(test.anvil.rpcUrl);
  try {
    await test.mine(4);
    await test.catchUp();
    const before = await cursor();
    await test.reorganise(3);
    await test.mine(2);
    const gone = `0x${(before.height - 1).toString(16)}`;
    const asking: Rule['asking'] = ({ params }) => params[0] === gone;
    node.plan([{ ...forgetting('eth_getBlockByNumber'), asking }]);
    const said = `the node has no block ${before.height - 1}, below the tip that it announced`;
    await expect(test.watcher(node.url).step()).rejects.toThrow(said);
    Object.assign(test.network, { rpcUrl: node.url });
    const standing = await repair().show('ethereum');
    expect(standing).toMatchObject({ commonHeight: null, reason: expect.stringContaining(said) as string });
    await expect(repair().rewind('ethereum', before.height - 4, by('nobody'))).rejects.toThrow(said);
    expect(await cursor()).toMatchObject({ height: before.height, hash: before.hash });
  } finally {
    Object.assign(test.network, { rpcUrl: test.anvil.rpcUrl });
    await node.stop();
  }
  expect(await test.catchUp()).toBe('synced');
});
