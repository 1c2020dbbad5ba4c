import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type Address, getContractAddress, type Hex } from 'viem';
import { forwarderAddress, forwarderInitCode } from '../../../src/modules/chains/domain/forwarder-address.js';
import { forwarder, forwarderFactory } from '../../../src/modules/chains/forwarders.types.js';
import { ForwarderWorld } from '../../chain/forwarders/forwarder-world.js';
import { type Op, PLENTY, sequences } from '../../model/forwarder-model.js';
import { create2ByHand } from '../../support/nodes/create2.js';
import { runsOf, seedOf } from '../../support/run/seed.js';

/** `npm run prove:forwarders` takes 10,000 sequences and 100,000 addresses. */
const SEQUENCES = runsOf('FORWARDER_SEQUENCES', 60);
const ADDRESSES = runsOf('FORWARDER_ADDRESSES', 500);
const SEED = seedOf('SEED', 'FORWARDER_SEQUENCES');
/** anvil forgets states, and no transaction: some thousand sequences fill gigabytes. */
const SEQUENCES_OF_ONE_NODE = 500;
const AT_ONCE = 500;
jest.setTimeout(7_200_000);

const bytes = (what: string, length: number): Hex =>
  `0x${createHash('sha256')
    .update(`${SEED} ${what}`)
    .digest('hex')
    .slice(0, 2 * length)}`;

let world: ForwarderWorld;
beforeAll(async () => {
  // A long run is repeated by it also when it was green.
  if (process.env['FORWARDER_SEQUENCES']) process.stdout.write(`SEED=${SEED}, ${SEQUENCES} sequences\n`);
  world = await ForwarderWorld.start();
});
afterAll(() => world.anvil.stop());

it('has whatever ever arrived at its destination, or where anybody can collect it', async () => {
  for (let from = 0; from < SEQUENCES; from += SEQUENCES_OF_ONE_NODE) {
    if (from > 0) await anotherNode();
    await fc.assert(
      fc.asyncProperty(sequences, (ops) => world.run(ops)),
      { numRuns: Math.min(SEQUENCES_OF_ONE_NODE, SEQUENCES - from), seed: SEED + from },
    );
  }
});

async function anotherNode(): Promise<void> {
  await world.anvil.stop();
  world = await ForwarderWorld.start();
}

const deposit = (asset: number, slot: number, way: 'plain' | 'stipend' = 'plain'): Op => ({
  op: 'deposit',
  asset,
  slot,
  amount: 100,
  way,
});
const collect = (asset: number, slots: readonly number[], gas = PLENTY): Op => ({
  op: 'collectAll',
  destination: 0,
  asset,
  slots,
  gas,
});

// Drawn sequences meet these too seldom for a short run.
it.each(['plain', 'burnsGasWhenFrozen'] as const)(
  'collects from the others of a batch when one is frozen, with a token that is %s',
  async (mode) => {
    const freeze: Op = { op: 'freeze', asset: 1, slot: 0, frozen: true };
    await world.run([
      { op: 'tokenMode', asset: 1, mode },
      deposit(1, 0),
      deposit(1, 2),
      freeze,
      collect(1, [0, 1]),
    ]);
  },
);

it('fails wholly where the gas is too little, and leaves no address out', async () => {
  for (let gas = 60_000; gas <= 330_000; gas += 10_000) {
    await world.run([deposit(1, 0), collect(1, [0], gas)]);
    await world.run([deposit(0, 0), collect(0, [0]), deposit(0, 0), deposit(0, 2), collect(0, [0, 1], gas)]);
  }
});

it('takes coin from a sender that gives 2,300 gas, before and after it is deployed', async () => {
  await world.run([deposit(0, 0, 'stipend'), collect(0, [0]), deposit(0, 0, 'stipend'), collect(0, [0])]);
});

it('computes the addresses that the chain, viem and a calculation by hand come to', async () => {
  for (let from = 0; from < ADDRESSES; from += AT_ONCE) {
    const drawn = Array.from({ length: Math.min(AT_ONCE, ADDRESSES - from) }, (_, i) => from + i);
    const destinations = drawn.map((n): Address => bytes(`destination ${n}`, 20));
    const salts = drawn.map((n) => bytes(`salt ${n}`, 32));
    const ours = drawn.map((_, i) => forwarderAddress(destinations[i]!, salts[i]!));
    expect(await world.addressesByChain(destinations, salts)).toEqual(ours);
    const { address: factory } = forwarderFactory;
    expect(
      drawn.map((_, i) => {
        const [bytecode, salt] = [forwarderInitCode(destinations[i]!), salts[i]!];
        return getContractAddress({ opcode: 'CREATE2', from: factory, salt, bytecode });
      }),
    ).toEqual(ours);
    const plain = (hex: Hex) => hex.slice(2);
    expect(
      drawn.map((_, i) =>
        create2ByHand(plain(factory), plain(forwarder.address), plain(destinations[i]!), plain(salts[i]!)),
      ),
    ).toEqual(ours.map((address) => plain(address).toLowerCase()));
  }
});
