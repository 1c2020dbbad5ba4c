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

  it('is read once, whatever in it looks like the beginning of another: at most 4,000 addresses', () => {
    const [word, selector] = [collect(token).slice(2 + 8, 2 + 8 + 64), collect(token).slice(2, 10)];
    const head = `${selector}${word}${word}${'60'.padStart(64, '0')}`;
    // Each of these is a call whose addresses are the calls behind it.
    const nested = Array.from(
      { length: 900 },
      (_, i) => head + (4 * (900 - i)).toString(16).padStart(64, '0'),
    );
    const found = askedCollections(`0x${nested.join('')}${'00'.repeat(32 * 4_000)}`);
    expect(found.reduce((sum, call) => sum + call.salts.length, 0)).toBeLessThanOrEqual(4_000);
    expect(found.length).toBeLessThanOrEqual(2);
    expect(askedCollections(`0x${selector.repeat(250_000)}`)).toEqual([]);
  });

  it('is nothing in other calls, and in one that is cut off', () => {
    const cut = collect(token).slice(0, -64) as Hex;
    expect(askedCollections('0x')).toEqual([]);
    expect(askedCollections(`0xa9059cbb${'00'.repeat(64)}`)).toEqual([]);
    expect(askedCollections(cut)).toEqual([]);
  });
});
