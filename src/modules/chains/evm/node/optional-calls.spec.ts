import { RpcRequestError } from 'viem';
import { OptionalCalls } from './optional-calls.js';

/** As viem rejects with what a node refuses. */
const refused = (code: number, message: string) => () =>
  Promise.reject(new RpcRequestError({ body: {}, error: { code, message }, url: 'http://127.0.0.1:1' }));
const notOffered = refused(-32601, 'the method does not exist/is not available');

describe('a call that the watcher can do without', () => {
  let nowMs = 0;
  beforeEach(() => jest.spyOn(performance, 'now').mockImplementation(() => nowMs));
  afterEach(() => jest.restoreAllMocks());

  it('is left alone where it is not offered, and asked again after ten minutes: it may be by now', async () => {
    const calls = new OptionalCalls();
    const offered = jest.fn(() => Promise.resolve('told'));
    expect(await calls.ask('trace_block', notOffered)).toBeNull();
    nowMs = 599_999;
    expect(await calls.ask('trace_block', offered)).toBeNull();
    expect(offered).not.toHaveBeenCalled();
    expect(await calls.ask('eth_getTransactionCount', offered)).toBe('told');
    nowMs = 600_000;
    expect(await calls.ask('trace_block', offered)).toBe('told');
  });

  it('is asked again at once where it was refused for now', async () => {
    const calls = new OptionalCalls();
    expect(await calls.ask('trace_block', refused(-32005, 'limit exceeded'))).toBeNull();
    expect(await calls.ask('trace_block', () => Promise.resolve('told'))).toBe('told');
  });
});
