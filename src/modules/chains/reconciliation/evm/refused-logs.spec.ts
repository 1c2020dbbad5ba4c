import type { LogsRefused } from '../../node.errors.js';
import { Refusals, TRIES_FOR_GOOD } from './refusals.js';
import { RefusedLogs } from './refused-logs.js';

/** @returns which blocks are read up to the end of the look, and how that is */
function look(logs: RefusedLogs, from: number, to: number): [read: number, end: string] {
  for (let height = from; height <= to; height += 1) {
    try {
      if (!logs.mayRead(height, from, 'refused')) return [height - from, 'left out'];
    } catch (error) {
      return [height - from, `up to ${(error as LogsRefused).height}`];
    }
  }
  return [to - from + 1, 'whole'];
}

it('reads the receipts of more blocks in a row at each try, so that nine refused for good are read at the second', () => {
  const logs = new RefusedLogs(new Refusals(), 'ethereum');
  expect(look(logs, 100, 108)).toEqual([8, 'up to 100']);
  expect(look(logs, 100, 108)).toEqual([9, 'whole']);
});

it('reads as many of the next row, once logs were told in between', () => {
  const logs = new RefusedLogs(new Refusals(), 'ethereum');
  for (const from of [100, 108, 116]) {
    expect(look(logs, from, from + 7)).toEqual([8, 'whole']);
    logs.told();
  }
});

it('leaves out what is refused for good, once all before it was kept', () => {
  const refusals = new Refusals();
  const logs = new RefusedLogs(refusals, 'ethereum');
  for (let tries = 1; tries < TRIES_FOR_GOOD; tries += 1)
    expect(look(logs, 100, 1_000)).toEqual([8 * tries, 'up to 100']);
  expect(look(logs, 100, 1_000)).toEqual([40, 'up to 140']);
  expect(look(logs, 100, 139)).toEqual([40, 'whole']);
  expect(look(logs, 140, 1_000)).toEqual([0, 'left out']);
});

it('tries as often to read a block whose receipts are refused as well', () => {
  const logs = new RefusedLogs(new Refusals(), 'ethereum');
  const height = 7;
  const leaveOut = (from: number) => () =>
    logs.leaveOut(height, height, from, (at) => new Error(`up to ${at}`) as LogsRefused);
  for (let tries = 1; tries < TRIES_FOR_GOOD; tries += 1) expect(leaveOut(7)).toThrow('up to 7');
  expect(leaveOut(3)).toThrow('up to 7');
  expect(leaveOut(7)).not.toThrow();
});
