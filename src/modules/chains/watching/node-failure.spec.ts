import { HttpRequestError } from 'viem';
import { describeFailure } from './node-failure.js';

describe('describeFailure', () => {
  it('never shows what is secret in the URL of a node', () => {
    const url = 'https://operator:hunter2@rpc.example.com/v3/0123456789abcdef?token=secret-token';
    const error = new HttpRequestError({ url, details: `403 for ${url}: unknown key 0123456789abcdef` });
    const line = describeFailure(error, url);
    expect(line).toContain('rpc.example.com');
    expect(line).not.toMatch(/0123456789abcdef|hunter2|secret-token/);
    expect(line).not.toContain('\n');
  });
});
