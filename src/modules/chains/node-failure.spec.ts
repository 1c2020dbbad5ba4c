import { HttpRequestError } from 'viem';
import { longestLookedThrough } from '../../../test/support/run/looked-through.js';
import { coreChainInfo } from './bitcoin/core-answers.js';
import { CoreRpc, RpcRefusal } from './bitcoin/core-rpc.js';
import { RpcNode } from './evm/node/rpc-node.js';
import { describeFailure } from './watching/node-failure.js';

describe('describeFailure', () => {
  it('never shows what is secret in the URL of a node', () => {
    const url = 'https://operator:hunter2@rpc.example.com/v3/0123456789abcdef?token=secret-token';
    const error = new HttpRequestError({ url, details: `403 for ${url}: unknown key 0123456789abcdef` });
    const line = describeFailure(error, url);
    expect(line).toContain('rpc.example.com');
    expect(line).not.toMatch(/0123456789abcdef|hunter2|secret-token/);
    expect(line).not.toContain('\n');
  });

  it('looks no further into what a node says than a line needs, and shows no part of a secret', () => {
    const url = 'https://rpc.example.com/v3/0123456789abcdef';
    for (const blanks of [9_988, 9_992, 9_999]) {
      const said = new Error(
        `no${' '.repeat(blanks - 'Error: no'.length)}0123456789abcdef${'x'.repeat(5_000_000)}`,
      );
      let line = '';
      expect(longestLookedThrough(() => (line = describeFailure(said, url)))).toBeLessThan(20_000);
      expect(line).toMatch(/^Error: no[ …]*\(rpc\.example\.com\)$/);
    }
    expect(describeFailure(new Error('a\u001b[2Jb\0'), url)).toBe(
      'Error: a\uFFFD[2Jb\uFFFD (rpc.example.com)',
    );
  });

  it('is given no more of a refusal than anybody reads', () => {
    expect(new RpcRefusal('getblock', -1, 'x'.repeat(5_000_000)).message.length).toBeLessThan(11_000);
  });

  it.each([
    ['a port where nobody listens', 'http://user:secret-password@127.0.0.1:4/key-0123456789', /ECONNREFUSED/],
    [
      'a name that does not exist',
      'http://user:secret-password@node.invalid:8545/key-0123456789',
      /ENOTFOUND|EAI_AGAIN/,
    ],
  ])('names host and code for %s, and no credential', async (_what, url, code) => {
    const { host } = new URL(url);
    const ofCoinNode: unknown = await new CoreRpc(url).call('getblockcount').catch((error: unknown) => error);
    const ofEvmNode: unknown = await new RpcNode(url).header(1).catch((error: unknown) => error);
    for (const error of [ofCoinNode, ofEvmNode]) {
      const line = describeFailure(error, url);
      expect(line).toContain(host);
      expect(line).toMatch(code);
      expect(line).not.toMatch(/secret-password|0123456789/);
    }
  });
});

it('a chain has a short name that can be said: it stands in what everybody is told', () => {
  const info = {
    blocks: 1,
    headers: 1,
    bestblockhash: 'a'.repeat(64),
    initialblockdownload: false,
  };
  const names = ['main', 'testnet4', '', 'a\0b', 'x'.repeat(41)];
  expect(names.filter((chain) => coreChainInfo.safeParse({ ...info, chain }).success)).toEqual([
    'main',
    'testnet4',
  ]);
});
