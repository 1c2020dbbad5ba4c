import { type Address, type Hex, keccak256, parseEther, stringToHex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { BUYER, ChainTest } from '../../chain/chains-fixture.js';
import { compileContracts } from '../../chain/contracts.js';
import { collectTo } from '../../chain/forwarders/collect-to.js';
import { ANYBODY, COIN, collectAll } from '../../chain/forwarders/collecting.js';
import { REFUSALS } from '../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import type { Rule } from '../../chain/hostile/hostile-plan.js';

// Anybody may collect from a deposit address, at any moment: no transaction is the address's own, and its balance
// afterwards is the one before. What a contract paid there meanwhile is the buyer's payment all the same.

const { payout } = compileContracts();
const NO_TRACES: Rule = { methods: ['debug_traceBlockByHash', 'trace_block'], fault: REFUSALS.noMethod };
const NO_BALANCES: Rule = { methods: ['eth_call'], fault: REFUSALS.pruned };
const ATOMS = parseEther('1');

let test: ChainTest;
let proxy: HostileNode;
let contract: Address;
const destination = privateKeyToAddress(generatePrivateKey());

beforeAll(async () => {
  test = await ChainTest.start();
  proxy = await HostileNode.start(test.anvil.rpcUrl);
  contract = await test.deploy(payout);
  await collectTo(test, destination);
  await test.catchUp();
});
beforeEach(() => proxy.honest());
afterAll(async () => {
  await proxy?.stop();
  await test?.stop();
});

const look = () => test.catchUp(test.watcher(proxy.url));
const pay = (to: Address, fee = 20n): Promise<Hex> =>
  test.anvil.testClient.writeContract({
    account: BUYER,
    address: contract,
    abi: payout.abi,
    functionName: 'pay',
    args: [[to], [ATOMS]],
    value: ATOMS,
    gas: 1_000_000n,
    maxFeePerGas: fee * 10n ** 9n,
    maxPriorityFeePerGas: fee * 10n ** 9n,
  });
/** After what pays more for its gas, where both are of one block. */
const collect = (subject: string): Promise<Hex> => {
  const { to, data } = collectAll(destination, COIN, [keccak256(stringToHex(`${subject}/ethereum/ETH`))]);
  return test.anvil.testClient.sendTransaction({
    account: ANYBODY,
    to,
    data: data!,
    gas: 1_000_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 10n ** 9n,
  });
};
async function issued(subject: string): Promise<Address> {
  const address = await test.issue(subject);
  await test.mine();
  await look();
  return address;
}
const credited = async (subject: string) =>
  (await test.transfers(subject)).map(({ amountAtoms, state, own }) => [amountAtoms, state, own]);

describe.each([
  { node: 'with traces', always: [] },
  { node: 'without traces', always: [NO_TRACES] },
])('coin that was collected before anybody looked, on a node $node', ({ node, always }) => {
  it('is recorded where it came and went in one block', async () => {
    const subject = `pi_block_${node}`;
    const address = await issued(subject);
    proxy.plan(always);
    await pay(address);
    await collect(subject);
    await test.mine(3);
    expect(await test.anvil.testClient.getBalance({ address })).toBe(0n);
    await look();
    expect(await credited(subject)).toEqual([[ATOMS, 'included', false]]);
  });

  it('is recorded where it came and went between two looks, each time once', async () => {
    const subject = `pi_step_${node}`;
    const address = await issued(subject);
    proxy.plan(always);
    for (let times = 0; times < 2; times += 1) {
      await pay(address);
      await test.mine(2);
      await collect(subject);
      await test.mine();
    }
    await look();
    await test.mine();
    await look();
    expect(await credited(subject)).toEqual([
      [ATOMS, 'included', false],
      [ATOMS, 'included', false],
    ]);
  });

  it('is recorded once balances are told again', async () => {
    const subject = `pi_blind_${node}`;
    const address = await issued(subject);
    proxy.plan([...always, NO_BALANCES]);
    await pay(address);
    await test.mine();
    await look();
    await collect(subject);
    await test.mine(2);
    await look();
    proxy.plan(always);
    await test.mine();
    await look();
    expect(await credited(subject)).toEqual([[ATOMS, 'included', false]]);
  });

  it('is nothing more than what was sent, where a transaction’s own value told of it', async () => {
    const subject = `pi_direct_${node}`;
    const address = await issued(subject);
    proxy.plan(always);
    await test.send(address, '1', BUYER, {
      maxFeePerGas: 20n * 10n ** 9n,
      maxPriorityFeePerGas: 20n * 10n ** 9n,
    });
    await collect(subject);
    await test.mine(2);
    await look();
    await test.send(address, '2');
    await test.mine(2);
    await look();
    await collect(subject);
    await test.mine(2);
    await look();
    expect(await credited(subject)).toEqual([
      [ATOMS, 'included', false],
      [2n * ATOMS, 'included', false],
    ]);
  });
});
