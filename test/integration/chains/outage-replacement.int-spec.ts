import { parseEther } from 'viem';
import { sumCountingBy } from '../../../src/modules/intents/domain/observed.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { ChainTest } from '../../chain/chains-fixture.js';
import { REFUSALS } from '../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import { deployPayer, type Payer } from '../../chain/payer.js';

// Money goes missing, and its replacement is found after an outage that may be longer than the grace time.

let test: ChainTest;
let pay: Payer;
let untraced: HostileNode;

beforeAll(async () => {
  test = await ChainTest.start();
  test.leaveUncompared('what a balance told on another fork is recorded with what became of it');
  pay = await deployPayer(test);
  untraced = await HostileNode.start(test.anvil.rpcUrl);
  untraced.plan([{ methods: ['debug_traceBlockByHash', 'trace_block'], fault: REFUSALS.noMethod }]);
});
afterAll(async () => {
  await untraced?.stop();
  await test?.stop();
});

/** It began right after the look that found the transfer missing. */
async function outage(minutes: number, subject: string): Promise<void> {
  const { dataSource } = test.chains;
  await dataSource.query(
    'UPDATE transfer SET missing_since = missing_since - make_interval(mins => $1) WHERE subject = $2',
    [minutes, subject],
  );
  await dataSource.query('UPDATE chain_cursor SET synced_at = synced_at - make_interval(mins => $1)', [
    minutes,
  ]);
}

const states = async (subject: string) => (await test.transfers(subject)).map(({ state }) => state);

/** @returns what counts of what is there now, as observed with the first */
async function countsSince(subject: string, observedAt: Date): Promise<bigint> {
  const live = (await test.transfers(subject)).filter(({ state }) => state === 'included');
  return sumCountingBy(live, observedAt);
}

describe.each([0, 5, 11])('after an outage of %d minutes', (minutes) => {
  it('what uses up the nonce of the missing one has its time', async () => {
    const subject = `pi_nonce_${minutes}`;
    const to = await test.issue(subject);
    await test.mine();
    await test.catchUp();
    const from = anvilAccount(5).address;
    const nonce = await test.anvil.testClient.getTransactionCount({ address: from });
    await test.send(to, '0.5', from, { nonce });
    await test.mine();
    await test.catchUp();
    const [first] = await test.transfers(subject);
    await test.reorganise(1);
    await test.catchUp();
    expect(await states(subject)).toEqual(['orphaned']);
    await outage(minutes, subject);
    await test.anvil.testClient.increaseTime({ seconds: 3 });
    await test.send(to, '0.5', from, { nonce, gas: 50_000n });
    await test.mine();
    await test.catchUp();
    expect(await countsSince(subject, first!.observedAt)).toBe(parseEther('0.5'));
  });

  it('coin that a balance tells of again, from another block, has its time', async () => {
    const subject = `pi_balance_${minutes}`;
    const to = await test.issue(subject);
    await test.mine();
    const watcher = test.watcher(untraced.url);
    await test.catchUp(watcher);
    const atoms = parseEther('0.1');
    await pay(to, atoms);
    await test.mine();
    const { transactions } = await test.anvil.testClient.getBlock();
    const raw = await test.rawTransaction(transactions[0]!);
    await test.catchUp(watcher);
    const [first] = await test.transfers(subject);
    expect(first!.output).toMatch(/^balance/);
    await test.reorganise(1);
    await test.catchUp(watcher);
    expect(await states(subject)).toEqual(['orphaned']);
    await outage(minutes, subject);
    await test.anvil.testClient.increaseTime({ seconds: 3 });
    await test.anvil.testClient.request({ method: 'eth_sendRawTransaction', params: [raw] } as never);
    await test.mine();
    await test.catchUp(watcher);
    expect(await countsSince(subject, first!.observedAt)).toBe(atoms);
  });
});
