// `npm run contracts`: writes the artifacts of our contracts; with --check it only compares, and exits 1 when one
// differs. They are committed, because the compiler is a slow development dependency.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import solc from 'solc';
import { getContractAddress, zeroHash } from 'viem';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const local = 'src/modules/sandbox/local/evm';

/** It is on nearly every EVM network and needs no key, so what it deploys has one address everywhere. */
const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/**
 * Where each artifact goes, what it is made of, and its constants.
 * @type {[string, string[], (contracts: any) => Record<string, unknown>][]}
 */
const ARTIFACTS = [
  [`${local}/test-token.ts`, [`${local}/TestToken.sol`], testToken],
  [`${local}/forwarder.ts`, [`${local}/Forwarder.sol`], passingOn],
  [
    'src/modules/chains/forwarders.types.ts',
    ['contracts/ForwarderFactory.sol', 'contracts/Forwarder.sol'],
    forwarders,
  ],
];

function testToken({ TestToken }) {
  return { testToken: TestToken };
}

function passingOn({ Forwarder }) {
  return { forwarder: Forwarder };
}

function forwarders({ ForwarderFactory, Forwarder }) {
  const { bytecode } = ForwarderFactory;
  const factory = getContractAddress({ opcode: 'CREATE2', from: DEPLOYER, salt: zeroHash, bytecode });
  return {
    forwarderFactory: { address: factory, ...ForwarderFactory },
    // What the factory's constructor creates first.
    forwarder: { address: getContractAddress({ from: factory, nonce: 1n }), abi: Forwarder.abi },
  };
}

function compile(files) {
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((file) => [basename(file), { content: read(file) }])),
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
  const contracts = Object.assign({}, ...Object.values(output.contracts));
  return Object.fromEntries(
    Object.entries(contracts).map(([name, { abi, evm }]) => [
      name,
      { abi, bytecode: `0x${evm.bytecode.object}` },
    ]),
  );
}

const style = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).prettier;

for (const [target, files, constants] of ARTIFACTS) {
  const exported = Object.entries(constants(compile(files)));
  const source = `// Generated from ${basename(files[0])} by \`npm run contracts\`; do not edit.
${exported.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)} as const;\n`).join('')}`;
  const text = await format(source, { ...style, parser: 'typescript' });
  if (!process.argv.includes('--check')) {
    writeFileSync(join(root, target), text);
  } else if (readFileSync(join(root, target), 'utf8') !== text) {
    process.stderr.write(`${target} differs from ${basename(files[0])}: run \`npm run contracts\`.\n`);
    process.exitCode = 1;
  }
}
