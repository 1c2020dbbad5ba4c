import { HttpRequestError } from 'viem';
import { CoreRpc } from './bitcoin/core-rpc.js';
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
