import fc from 'fast-check';
import { type Address, concat, encodeFunctionData, getAddress, type Hex, pad, slice } from 'viem';
import { forwarder, forwarderFactory } from '../../../src/modules/chains/forwarders.types.js';
import {
  ANYBODY,
  type Call,
  COIN,
  collectAll,
  collectOne,
  depositOf,
  saltOf,
} from '../../chain/forwarders/collecting.js';
import { type CompiledContract, compileForwarders } from '../../chain/forwarders/forwarder-sources.js';
import { ForwarderWorld } from '../../chain/forwarders/forwarder-world.js';
import { type Jump, JumpCoverage, type Watched } from '../../chain/forwarders/jump-coverage.js';
import { type Op, PLENTY, sequences } from '../../model/forwarder-model.js';
import { rpc } from '../../support/nodes/node-rpc.js';
import { seedOf } from '../../support/run/seed.js';

const SEED = seedOf('SEED', 'FORWARDER_BRANCH_SEQUENCES');
/** Every step of each is looked at, which takes most of the time. `npm run prove:forwarders` takes 200, and prints the table. */
const { FORWARDER_BRANCH_SEQUENCES: longForm } = process.env;
const SEQUENCES = Number(longForm ?? 15);
jest.setTimeout(1_800_000);

/** What the compiler checks although it cannot be: by contract, what it was compiled from, and the way it always goes. */
const UNREACHABLE = [
  // That `i` is below the length, which the loop has just asked.
  ['factory', 'salts[i]', true],
  // That the deposit address has code. Without it CREATE2 has failed, which it does for want of gas alone, and the line
  // above has asked for more than that.
  ['factory', 'Forwarder(deposit).collect{ gas: GAS_EACH }(token, type(uint256).max)', true],
];

let world: ForwarderWorld;
beforeAll(async () => {
  world = await ForwarderWorld.start({ stepsTracing: true });
});
afterAll(() => world.anvil.stop());

const codeAt = (address: string) => rpc<Hex>(world.anvil.rpcUrl, 'eth_getCode', [address, 'latest']);
const isEqual = (code: Hex) => (other: Hex) => other === code;

/** What the chain has is what is compiled, but for what the constructor wrote. */
async function deployed(name: string, address: string, { code, written, sourceOf }: CompiledContract) {
  const onChain = await codeAt(address);
  const bytes = Buffer.from(onChain.slice(2), 'hex');
  for (const { start, length } of written) bytes.fill(0, start, start + length);
  expect(`0x${bytes.toString('hex')}`).toBe(code);
  return { name, code: onChain, isCode: isEqual(onChain), sourceOf };
}

const proxyCode = (destination: string) =>
  `0x36600557005b363d3d373d3d3d363d73${forwarder.address.slice(2)}5af43d82803e903d91603157fd5bf3${destination.slice(2)}`.toLowerCase() as Hex;

it('takes both ways at every conditional jump of the factory, the forwarder and a deposit address', async () => {
  const destination = getAddress(`0x${'d7'.repeat(20)}`);
  const proxy: Watched = {
    name: 'deposit address',
    // Behind 51 bytes stands the destination, which is never run.
    code: proxyCode('0x'),
    isCode: (code) => code.slice(0, 104) === proxyCode('0x'),
    sourceOf: (instruction) =>
      instruction < 5 ? 'without call data: stop' : 'return or revert with the answer',
  };
  const { factory, forwarder: logic } = compileForwarders();
  const coverage = new JumpCoverage(world.anvil.rpcUrl, [
    await deployed('factory', forwarderFactory.address, factory),
    await deployed('forwarder', forwarder.address, logic),
    proxy,
  ]);
  world.mined = async (hashes) => {
    for (const hash of hashes) await coverage.add(hash);
  };
  await fc.assert(
    fc.asyncProperty(sequences, (ops) => world.run(ops)),
    { numRuns: SEQUENCES, seed: SEED },
  );
  for (const ops of REFUSED) await world.run(ops);
  await world.mine([...malformed(destination), ...answered()], ANYBODY);
  if (longForm) process.stdout.write(table(coverage.jumps));
  const oneWay = coverage.jumps.filter(({ jumped, wentOn }) => jumped === 0 || wentOn === 0);
  expect(oneWay.map(({ contract, source, jumped }) => [contract, source, jumped > 0])).toEqual(UNREACHABLE);
});

/** What drawn sequences meet too seldom for a short run: money that its token, or its destination, does not let go. */
const REFUSED: readonly Op[][] = [
  [
    { op: 'deposit', asset: 1, slot: 0, amount: 100, way: 'plain' },
    { op: 'freeze', asset: 1, slot: 0, frozen: true },
    { op: 'collectAll', asset: 1, destination: 0, slots: [0], gas: PLENTY },
    { op: 'freeze', asset: 1, slot: 0, frozen: false },
    { op: 'collectOne', asset: 1, slot: 0, most: 40 },
  ],
  [
    { op: 'walletMode', mode: 'refuses' },
    { op: 'deposit', asset: 0, slot: 1, amount: 100, way: 'plain' },
    { op: 'collectAll', asset: 0, destination: 1, slots: [0], gas: PLENTY },
  ],
  // Too little for another address, so that the whole collection fails.
  [{ op: 'collectAll', asset: 0, destination: 0, slots: [0], gas: 200_000 }],
];

/** Coin for a destination that answers something to whoever pays it. */
function answered(): Call[] {
  const salt = saltOf(0xa);
  return [{ to: depositOf(SHA256, salt), value: 1n }, collectAll(SHA256, COIN, [salt])];
}

/** The precompiled contract that answers 32 bytes to everything. */
const SHA256: Address = `0x${'02'.padStart(40, '0')}`;

/** What no honest caller sends: the compiled contracts read it too. */
function malformed(destination: Address): Call[] {
  const salt = saltOf(0xbad);
  const deposit = depositOf(destination, salt);
  const { address: factory } = forwarderFactory;
  const collect = collectAll(destination, COIN, [salt]).data!;
  const one = collectOne(deposit, COIN).data!;
  const selectorOf = (data: Hex) => slice(data, 0, 4);
  const addressOf = encodeFunctionData({
    ...forwarderFactory,
    functionName: 'addressOf',
    args: [destination, salt],
  });
  const [who, most] = [pad(destination), pad('0xff')];
  const dirty: Hex = `0x${'ff'.repeat(32)}`;
  const toFactory = [
    '0x01', // no function
    '0x01020304', // none of its functions
    encodeFunctionData({ ...forwarderFactory, functionName: 'forwarder' }),
    addressOf,
    selectorOf(addressOf), // without arguments
    selectorOf(collect),
    concat([selectorOf(collect), dirty, who, pad('0x60'), pad('0x00')]), // no address
    concat([selectorOf(collect), who, who, dirty, pad('0x00')]), // salts beyond all memory
    concat([selectorOf(collect), who, who, pad('0x60')]), // salts beyond the call data
    concat([selectorOf(collect), who, who, pad('0x60'), dirty]), // more salts than there can be
    concat([selectorOf(collect), who, who, pad('0x60'), pad('0x02'), salt]), // more than there are
  ] as const;
  const toDeposit = [
    '0x01',
    '0x01020304',
    selectorOf(one),
    concat([selectorOf(one), dirty, most]), // no address
    collectOne(deposit, destination).data!, // a token that is an account, and answers nothing
    collectOne(deposit, factory).data!, // one that has no balances
    collectOne(deposit, IDENTITY).data!, // one that answers, and has no code to call
  ] as const;
  return [
    { to: factory, data: collect },
    { to: factory, data: collect, value: 1n },
    ...toFactory.map((data): Call => ({ to: factory, data })),
    { to: deposit, data: one, value: 1n },
    ...toDeposit.map((data): Call => ({ to: deposit, data })),
  ];
}

/** The precompiled contract that answers what it is asked. */
const IDENTITY: Address = `0x${'04'.padStart(40, '0')}`;

function table(jumps: readonly Jump[]): string {
  const head = `seed ${SEED}, ${SEQUENCES} sequences\n| Contract | At | Jumped | Went on | Compiled from |\n|---|--:|--:|--:|---|\n`;
  const rows = jumps.map(
    ({ contract, pc, jumped, wentOn, source }) =>
      `| ${[contract, pc, jumped, wentOn, `\`${source.replaceAll('|', '\\|')}\``].join(' | ')} |\n`,
  );
  return head + rows.join('');
}
