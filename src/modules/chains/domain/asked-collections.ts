import { type Address, decodeFunctionData, type Hex, toFunctionSelector } from 'viem';
import { forwarderFactory } from '../forwarders.types.js';

/** What a call of the factory asks for. */
export interface AskedCollection {
  readonly destination: Address;
  /** The token's contract, or zero for the coin. */
  readonly token: Address;
  readonly salts: readonly Hex[];
}

const SELECTOR = toFunctionSelector('collect(address,address,bytes32[])').slice(2);

/**
 * The collections that a transaction's call data asks for: directly, or where a contract passes them on (a Safe, a batch
 * of a smart account), within its own.
 */
export function askedCollections(input: Hex): AskedCollection[] {
  const data = input.toLowerCase();
  const found: AskedCollection[] = [];
  for (let at = data.indexOf(SELECTOR); at !== -1; at = data.indexOf(SELECTOR, at + 1)) {
    // What begins here may be anything else that reads alike.
    const asked = at % 2 === 0 ? decoded(`0x${data.slice(at)}`) : null;
    if (asked) found.push(asked);
  }
  return found;
}

function decoded(data: Hex): AskedCollection | null {
  try {
    const call = decodeFunctionData({ abi: forwarderFactory.abi, data });
    if (call.functionName !== 'collect') return null;
    const [destination, token, salts] = call.args;
    return { destination, token, salts };
  } catch {
    return null;
  }
}
