import { encodeFunctionData, getAddress, type Hex, padHex, parseAbi, zeroAddress } from 'viem';
import { forwarderFactory } from '../forwarders.types.js';
import { askedCollections } from './asked-collections.js';

const destination = getAddress(`0x${'d5'.repeat(20)}`);
const token = getAddress(`0x${'70'.repeat(20)}`);
const salts = [padHex('0x01', { size: 32 }), padHex('0x02', { size: 32 })];
const collect = (of: Hex) =>
  encodeFunctionData({
    ...forwarderFactory,
    functionName: 'collect',
    args: [destination, of as never, salts],
  });

describe('what a transaction asks to collect', () => {
  it('is read from a call of the factory', () => {
    expect(askedCollections(collect(token))).toEqual([{ destination, token, salts }]);
  });

  it('is found where a contract passes it on, each of several', () => {
    const data = encodeFunctionData({
      abi: parseAbi(['function batch(address to, bytes[] calls)']),
      args: [forwarderFactory.address, [collect(token), collect(zeroAddress)]],
    });
    expect(askedCollections(data)).toEqual([
      { destination, token, salts },
      { destination, token: zeroAddress, salts },
    ]);
  });

  it('is nothing in other calls, and in one that is cut off', () => {
    const cut = collect(token).slice(0, -64) as Hex;
    expect(askedCollections('0x')).toEqual([]);
    expect(askedCollections(`0xa9059cbb${'00'.repeat(64)}`)).toEqual([]);
    expect(askedCollections(cut)).toEqual([]);
  });
});
