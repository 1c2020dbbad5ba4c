// Writes src/modules/sandbox/local/test-token.ts from TestToken.sol; with --check it only compares, and exits 1
// when they differ. The artifact is committed, because the compiler is a slow development dependency.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import solc from 'solc';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src/modules/sandbox/local');
const target = join(folder, 'test-token.ts');

function compile() {
  const input = {
    language: 'Solidity',
    sources: { 'TestToken.sol': { content: readFileSync(join(folder, 'TestToken.sol'), 'utf8') } },
    settings: {
      // paris: no PUSH0, so that the bytecode runs on every EVM chain.
      evmVersion: 'paris',
      optimizer: { enabled: true, runs: 200 },
      // The token's address derives from its bytecode, which a comment in the source must not change.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  const errors = (output.errors ?? []).map((error) => error.formattedMessage);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  const { abi, evm } = output.contracts['TestToken.sol'].TestToken;
  return { abi, bytecode: `0x${evm.bytecode.object}` };
}

const source = `// Generated from TestToken.sol by scripts/compile-contracts.mjs; do not edit.
export const testToken = ${JSON.stringify(compile())} as const;
`;
const style = JSON.parse(readFileSync(join(folder, '../../../../package.json'), 'utf8')).prettier;
const text = await format(source, { ...style, parser: 'typescript' });

if (!process.argv.includes('--check')) {
  writeFileSync(target, text);
} else if (readFileSync(target, 'utf8') !== text) {
  process.stderr.write(
    'test-token.ts differs from TestToken.sol: run `node scripts/compile-contracts.mjs`.\n',
  );
  process.exitCode = 1;
}
