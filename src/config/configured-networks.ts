import { readFileSync } from 'node:fs';
import { messageOf } from '../kernel/error-fields.js';
import { hasExtendedPrivateKey } from '../kernel/private-key.js';
import type { NetworkConfig } from './config.types.js';
import type { EnvReader } from './environment.js';
import { PRESETS } from './networks.js';
import { isHttpUrl, parseNetworks } from './networks-file.js';

export const holdsPrivateKey = (name: string) =>
  `${name} holds something private: Rappen takes extended public keys only, never a private key`;

/** Of the presets those that have a node, and what NETWORKS_FILE says. */
export function networks(read: EnvReader): NetworkConfig[] {
  let found: NetworkConfig[] = [];
  for (const preset of PRESETS) {
    const name = `${preset.id.toUpperCase()}_RPC_URL`;
    const rpcUrl = read.optional(name);
    const secondRpcUrl = read.optional(`${name}_2`);
    if (secondRpcUrl !== null) checkSecond(read, `${name}_2`, secondRpcUrl, rpcUrl);
    if (!rpcUrl) continue;
    if (!isHttpUrl(rpcUrl)) read.problems.push(`${name} must be an http(s) URL`);
    found.push({ ...preset, rpcUrl, ...(secondRpcUrl === null ? {} : { secondRpcUrl }) });
  }
  const file = read.optional('NETWORKS_FILE');
  if (file) {
    try {
      const text = readFileSync(file, 'utf8');
      // Not parsed then: a parser quotes what it stumbles over.
      if (hasExtendedPrivateKey(text)) read.problems.push(holdsPrivateKey('NETWORKS_FILE'));
      else found = parseNetworks(text, read.problems, found);
    } catch (error) {
      read.problems.push(`NETWORKS_FILE cannot be read: ${messageOf(error)}`);
    }
  }
  read.problems.push(...twins(found));
  if (found.length === 0) {
    read.problems.push('no network is configured: set ETHEREUM_RPC_URL, another preset, or NETWORKS_FILE');
  }
  return found;
}

/** Two networks on one chain would record each payment twice. */
function twins(networks: readonly NetworkConfig[]): string[] {
  const problems: string[] = [];
  const ids = networks.map((network) => network.id);
  if (new Set(ids).size < ids.length) problems.push('two networks have the same id');
  networks.forEach((network, i) => {
    for (const other of networks.slice(0, i)) {
      const pair = `the networks ${other.id} and ${network.id} have the same`;
      if (network.chainId !== null && network.chainId === other.chainId)
        problems.push(`${pair} chain id ${network.chainId}: each payment would be recorded twice`);
      const urls = [other.rpcUrl, other.secondRpcUrl];
      if (urls.includes(network.rpcUrl) || (network.secondRpcUrl && urls.includes(network.secondRpcUrl)))
        problems.push(`${pair} node`);
    }
  });
  return problems;
}

function checkSecond(read: EnvReader, name: string, url: string, first: string | null): void {
  if (!isHttpUrl(url)) read.problems.push(`${name} must be an http(s) URL`);
  if (!first) read.problems.push(`${name} checks a first node, and there is none`);
  if (url === first) read.problems.push(`${name} must be another node than the first, or it checks nothing`);
}
