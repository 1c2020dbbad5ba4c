import { type Address, getAddress, type Hex, toFunctionSelector } from 'viem';

/** What a call of the factory asks for. */
export interface AskedCollection {
  readonly destination: Address;
  /** The token's contract, or zero for the coin. */
  readonly token: Address;
  readonly salts: readonly Hex[];
}

const SELECTOR = toFunctionSelector('collect(address,address,bytes32[])').slice(2);
/** Hexadecimal digits of a word of the ABI. */
const WORD = 64;
/** Destination, token, where the salts begin (behind these three words), and how many there are. */
const HEAD = SELECTOR.length + 4 * WORD;
const SALTS_BEGIN = (3 * 32).toString(16).padStart(WORD, '0');
/** More than any collection of ours asks for; whoever sends a transaction chooses what stands in it. */
const MOST_SALTS = 4_000;

/**
 * The collections that a transaction's call data asks for: directly, or where a contract passes them on (a Safe, a batch
 * of a smart account), within its own. Read once from the beginning to the end, 4,000 addresses at most.
 */
export function askedCollections(input: Hex): AskedCollection[] {
  const data = input.toLowerCase();
  const found: AskedCollection[] = [];
  let left = MOST_SALTS;
  for (let at = data.indexOf(SELECTOR); at !== -1 && left > 0;) {
    const asked = askedAt(data, at, left);
    if (asked) found.push(asked);
    left -= asked?.salts.length ?? 0;
    at = data.indexOf(SELECTOR, asked ? at + HEAD + asked.salts.length * WORD : at + 1);
  }
  return found;
}

/** What begins here may be anything else that reads alike. */
function askedAt(data: string, at: number, most: number): AskedCollection | null {
  if (at % 2 !== 0 || data.length < at + HEAD) return null;
  const word = (index: number) =>
    data.slice(at + SELECTOR.length + index * WORD, at + SELECTOR.length + (index + 1) * WORD);
  const [destination, token, count] = [addressIn(word(0)), addressIn(word(1)), Number(`0x${word(3)}`)];
  const isWhole = count <= most && data.length >= at + HEAD + count * WORD;
  if (destination === null || token === null || word(2) !== SALTS_BEGIN || !isWhole) return null;
  const salts = Array.from({ length: count }, (_, i): Hex => `0x${word(4 + i)}`);
  return { destination, token, salts };
}

function addressIn(word: string): Address | null {
  return word.startsWith('0'.repeat(WORD - 40)) ? getAddress(`0x${word.slice(-40)}`) : null;
}
