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

describe('what is told in two ways', () => {
  const never = () => new Promise<string>(() => undefined);
  const told = (what: string) => jest.fn(() => Promise.resolve(what));
  const fails = (why: string) => jest.fn(() => Promise.reject<string>(new Error(why)));
  const inTime = async (answer: Promise<string>) => {
    await jest.advanceTimersByTimeAsync(3_000);
    return answer;
  };
  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is asked for in one of them, where that is told', async () => {
    const other = told('other');
    expect(await new OptionalCalls().either('one', told('one'), other)).toBe('one');
    expect(other).not.toHaveBeenCalled();
  });

  it('is asked for in the other where the one is refused, and in both anew the next time', async () => {
    const calls = new OptionalCalls();
    expect(await calls.either('one', fails('refused'), told('other'))).toBe('other');
    expect(await calls.either('one', told('one'), never)).toBe('one');
  });

  it('is asked for in the other first for a minute where the one was late', async () => {
    const calls = new OptionalCalls();
    expect(await inTime(calls.either('one', never, told('other')))).toBe('other');
    const one = told('one');
    expect(await calls.either('one', one, told('other'))).toBe('other');
    expect(one).not.toHaveBeenCalled();
    expect(await calls.either('one', one, fails('refused'))).toBe('one');
    expect(await inTime(calls.either('one', one, never))).toBe('one');
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await calls.either('one', told('one'), told('other'))).toBe('one');
  });

  it('is waited for where one is late and the other refused', async () => {
    const late = () => new Promise<string>((resolve) => setTimeout(() => resolve('late'), 5_000));
    const answer = new OptionalCalls().either('one', late, fails('refused'));
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await answer).toBe('late');
  });

  it('is not told where neither is, for the reason of the first', async () => {
    const calls = new OptionalCalls();
    await expect(calls.either('one', fails('first'), fails('other'))).rejects.toThrow('first');
    await inTime(calls.either('one', never, told('other')));
    await expect(calls.either('one', fails('first'), fails('other'))).rejects.toThrow('first');
  });
});
