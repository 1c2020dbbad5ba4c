import { getContractAddress, type Hex, padHex, size } from 'viem';
import { create2ByHand } from '../../../../test/support/nodes/create2.js';
import fc from '../../../../test/support/run/fast-check.js';
import { forwarder, forwarderFactory } from '../forwarders.types.js';
import { forwarderAddress, forwarderInitCode } from './forwarder-address.js';

const bytes = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((drawn): Hex => `0x${Buffer.from(drawn).toString('hex')}`);

describe('the address of a forwarder', () => {
  it('is what viem and a calculation by hand come to', () => {
    fc.assert(
      fc.property(bytes(20), bytes(32), (destination, salt) => {
        const bytecode = forwarderInitCode(destination);
        const { address: from } = forwarderFactory;
        const ours = forwarderAddress(destination, salt);
        expect(ours).toBe(getContractAddress({ opcode: 'CREATE2', from, salt, bytecode }));
        const plain = [from, forwarder.address, destination, salt].map((hex) => hex.slice(2)) as [
          string,
          string,
          string,
          string,
        ];
        expect(ours.slice(2).toLowerCase()).toBe(create2ByHand(...plain));
      }),
      { numRuns: 300 },
    );
  });

  // Money lies on what was computed before: a change of these is a change of every address that was ever issued.
  it('never changes', () => {
    expect(forwarderFactory.address).toBe('0xfEE6740B28B3CbB6253f58B0a658972482c9FfBa');
    expect(forwarderAddress(`0x${'11'.repeat(20)}`, padHex('0x01', { size: 32 }))).toBe(
      '0x5c4c3980c01F530D091C95645BD23338D6Fa1C94',
    );
  });

  it('ends its 80 bytes with the destination', () => {
    const destination = `0x${'5a'.repeat(20)}` as const;
    expect(size(forwarderInitCode(destination))).toBe(9 + 71);
    expect(forwarderInitCode(destination)).toMatch(new RegExp(`${destination.slice(2)}$`));
  });
});
