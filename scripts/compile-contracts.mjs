// Writes the artifacts of the sandbox's contracts; with --check it only compares, and exits 1 when one differs.
// They are committed, because the compiler is a slow development dependency.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import solc from 'solc';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src/modules/sandbox/local');
/** Contract, file of the artifact, its constant. */
const CONTRACTS = [
  ['TestToken', 'test-token.ts', 'testToken'],
  ['Forwarder', 'forwarder.ts', 'forwarder'],
];

function compile(contract) {
  const source = `${contract}.sol`;
  const input = {
    language: 'Solidity',
    sources: { [source]: { content: readFileSync(join(folder, source), 'utf8') } },
    settings: {
      // paris: no PUSH0, so that the bytecode runs on every EVM chain.
      evmVersion: 'paris',
      optimizer: { enabled: true, runs: 200 },
      // A contract's address derives from its bytecode, which a comment in the source must not change.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  const errors = (output.errors ?? []).map((error) => error.formattedMessage);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  const { abi, evm } = output.contracts[source][contract];
  return { abi, bytecode: `0x${evm.bytecode.object}` };
}

const style = JSON.parse(readFileSync(join(folder, '../../../../package.json'), 'utf8')).prettier;

for (const [contract, file, name] of CONTRACTS) {
  const source = `// Generated from ${contract}.sol by scripts/compile-contracts.mjs; do not edit.
export const ${name} = ${JSON.stringify(compile(contract))} as const;
`;
  const text = await format(source, { ...style, parser: 'typescript' });
  const target = join(folder, file);
  if (!process.argv.includes('--check')) {
    writeFileSync(target, text);
  } else if (readFileSync(target, 'utf8') !== text) {
    process.stderr.write(
      `${file} differs from ${contract}.sol: run \`node scripts/compile-contracts.mjs\`.\n`,
    );
    process.exitCode = 1;
  }
}
