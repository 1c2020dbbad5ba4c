import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Hex } from 'viem';

/** A contract as it is compiled, with what each instruction was compiled from. */
export interface CompiledContract {
  /** As it is deployed, with zeros in place of what its constructor writes there. */
  readonly code: Hex;
  /** Where those are, in bytes. */
  readonly written: readonly { readonly start: number; readonly length: number }[];
  readonly sourceOf: (instruction: number) => string;
}

interface SolcContract {
  readonly evm: {
    readonly deployedBytecode: {
      readonly object: string;
      readonly sourceMap: string;
      readonly immutableReferences: Readonly<Record<string, { start: number; length: number }[]>>;
    };
  };
}

const FILES = ['ForwarderFactory.sol', 'Forwarder.sol'];
const CONTRACTS = join(import.meta.dirname, '../../../contracts');

/** `contracts/`, compiled as `npm run contracts` does: whoever uses it compares the code with the chain's. */
export function compileForwarders(): {
  readonly factory: CompiledContract;
  readonly forwarder: CompiledContract;
} {
  const texts = FILES.map((file) => readFileSync(join(CONTRACTS, file), 'utf8'));
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(FILES.map((file, i) => [file, { content: texts[i] }])),
    settings: {
      evmVersion: 'paris',
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['evm.deployedBytecode'] } },
    },
  };
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const { contracts, sources } = JSON.parse(solc.compile(JSON.stringify(input))) as {
    contracts: Record<string, Record<string, SolcContract>>;
    sources: Record<string, { id: number }>;
  };
  const textOf = new Map(FILES.map((file, i) => [sources[file]!.id, texts[i]!]));
  const of = (name: string): CompiledContract => {
    const { object, sourceMap, immutableReferences } = contracts[`${name}.sol`]![name]!.evm.deployedBytecode;
    const places = placesOf(sourceMap);
    return {
      code: `0x${object}`,
      written: Object.values(immutableReferences).flat(),
      sourceOf: (instruction) => {
        const [start, length, file] = places[instruction]!;
        const text = textOf.get(file);
        return text === undefined
          ? 'the compiler’s reading of call data and answers'
          : Buffer.from(text)
              .subarray(start, start + length)
              .toString()
              .split('\n')[0]!
              .trim();
      },
    };
  };
  return { factory: of('ForwarderFactory'), forwarder: of('Forwarder') };
}

/** A field that is left out is that of the instruction before. */
function placesOf(sourceMap: string): [start: number, length: number, file: number][] {
  let last: [number, number, number] = [0, 0, -1];
  return sourceMap.split(';').map((entry) => {
    const fields = entry.split(':');
    last = last.map((before, i) => (fields[i] ? Number(fields[i]) : before)) as typeof last;
    return last;
  });
}
