import { randomBytes } from 'node:crypto';
import { verifyDepositAddress } from '@rappen/client';
import { keccak256 as judge } from 'js-sha3';
import { type Address, getContractAddress, type Hex, keccak256, stringToHex } from 'viem';
import { keccak256 as ours } from '../../../packages/client/src/keccak.js';
import { newId } from '../../../src/kernel/ids.js';
import {
  depositSalt,
  forwarderAddress,
  forwarderInitCode,
} from '../../../src/modules/chains/domain/forwarder-address.js';
import { forwarderFactory } from '../../../src/modules/chains/forwarders.types.js';
import { runsOf } from '../../support/run/seed.js';

/** `npm run prove:addresses` takes 100,000 honest ones and 10,000 of each kind of swap. */
const HONEST = runsOf('HONEST_ADDRESSES', 300);
const SWAPPED = runsOf('SWAPPED_ADDRESSES', 60);
jest.setTimeout(3_600_000);

const bytes = (length: number): Hex => `0x${randomBytes(length).toString('hex')}`;
const one = <T>(of: readonly T[]): T => of[randomBytes(1)[0]! % of.length]!;

function honest(destination: Address = bytes(20)) {
  const id = newId('pi');
  const network = one(['ethereum', 'base', 'polygon', 'arbitrum', 'a-network-of-the-operators-own']);
  const assetSymbol = one(['ETH', 'USDC', 'USDT', 'POL', 'EURC']);
  const depositAddress = forwarderAddress(
    destination,
    depositSalt({ subject: id, network, asset: assetSymbol }),
  );
  return {
    destination,
    intent: { id, assetSymbol, depositAddress: depositAddress as string, payment: { network } },
  };
}
type Honest = ReturnType<typeof honest>;

it('hashes as others do, at every length around a block', () => {
  for (let length = 0; length <= 300; length += 1) {
    const message = randomBytes(length);
    expect(Buffer.from(ours(message)).toString('hex')).toBe(judge(message));
  }
});

it('never refuses an honest address, in whichever case it is written', () => {
  for (let i = 0; i < HONEST; i += 1) {
    const { intent, destination } = honest();
    const { depositAddress } = intent;
    const spelled = { ...intent, depositAddress: one([depositAddress, depositAddress.toLowerCase()]) };
    if (!verifyDepositAddress(spelled, { destination }))
      throw new Error(`refused: ${JSON.stringify(intent)}`);
  }
});

/** Whatever a thief on the server may put in its place. */
const SWAPS: Readonly<Record<string, (of: Honest) => Partial<Honest['intent']>>> = {
  'an account of the thief': () => ({ depositAddress: bytes(20) }),
  'one that looks alike at both ends': ({ intent: { depositAddress: was } }) => ({
    depositAddress: `${was.slice(0, 10)}${bytes(12).slice(2)}${was.slice(-8)}`,
  }),
  'one with a single digit changed': ({ intent: { depositAddress: was } }) => {
    const at = 2 + (randomBytes(1)[0]! % 40);
    const digit = was[at]!.toLowerCase() === '7' ? '8' : '7';
    return { depositAddress: was.slice(0, at) + digit + was.slice(at + 1) };
  },
  'the right one for another destination': ({ intent: { id, assetSymbol, payment } }) => ({
    depositAddress: forwarderAddress(
      bytes(20),
      depositSalt({ subject: id, network: payment.network, asset: assetSymbol }),
    ),
  }),
  'one of another factory': ({ intent: { id, assetSymbol, payment }, destination }) => ({
    depositAddress: getContractAddress({
      opcode: 'CREATE2',
      from: bytes(20),
      bytecode: forwarderInitCode(destination),
      salt: keccak256(stringToHex(`${id}/${payment.network}/${assetSymbol}`)),
    }),
  }),
  'one of other code for the same destination': ({ intent: { id, assetSymbol, payment }, destination }) => ({
    depositAddress: getContractAddress({
      opcode: 'CREATE2',
      from: forwarderFactory.address,
      bytecode: `${bytes(60)}${destination.slice(2)}`,
      salt: keccak256(stringToHex(`${id}/${payment.network}/${assetSymbol}`)),
    }),
  }),
  'that of another intent': ({ destination }) => ({
    depositAddress: honest(destination).intent.depositAddress,
  }),
  'one of the thief, with an intent and an asset of their own choice': () => {
    const { depositAddress, id, assetSymbol, payment } = honest(bytes(20)).intent;
    return { depositAddress, id, assetSymbol, payment };
  },
  'the destination itself': ({ destination }) => ({ depositAddress: destination }),
  'the factory': () => ({ depositAddress: forwarderFactory.address }),
  'nothing that is an address': () => ({
    depositAddress: one(['', '0x', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq']),
  }),
};

it.each(Object.keys(SWAPS))('refuses %s', (kind) => {
  for (let i = 0; i < SWAPPED; i += 1) {
    const of = honest();
    const intent = { ...of.intent, ...SWAPS[kind]!(of) };
    if (verifyDepositAddress(intent, of)) throw new Error(`believed: ${JSON.stringify(intent)}`);
  }
});

it('takes any of several destinations, and nothing before the buyer has picked', () => {
  const { intent, destination } = honest();
  expect(
    verifyDepositAddress(intent, { destination: [bytes(20), destination.toUpperCase().replace('0X', '0x')] }),
  ).toBe(true);
  expect(verifyDepositAddress(intent, { destination: [bytes(20)] })).toBe(false);
  const none = { ...intent, assetSymbol: null, depositAddress: null, payment: null };
  expect(verifyDepositAddress(none, { destination })).toBe(false);
});

it.each([
  ['too short', '0x1234'],
  ['no address', 'xpub6CUGRU'],
  ['none at all', []],
])(
  'says that the configuration is wrong, not that the address is, with a destination that is %s',
  (_, destination) => {
    expect(() => verifyDepositAddress(honest().intent, { destination })).toThrow(TypeError);
  },
);
