import type { INestApplicationContext } from '@nestjs/common';
import { RateWindows } from '../../../src/platform/rate-limit/rate-windows.js';

/**
 * What is asked in `work` is counted in one minute, however long it takes: on the clock another may begin between any two
 * requests, and does on a busy machine.
 */
export async function inOneMinute<Done>(
  { app }: { readonly app: INestApplicationContext },
  work: () => Promise<Done>,
): Promise<Done> {
  const windows = app.get(RateWindows, { strict: false });
  const nowMs = Date.now();
  const [hit, seen] = [windows.hit.bind(windows), windows.seen.bind(windows)];
  const exchange = windows.exchange.bind(windows);
  const held = [
    jest.spyOn(windows, 'hit').mockImplementation((subject) => hit(subject, nowMs)),
    jest.spyOn(windows, 'seen').mockImplementation((subject) => seen(subject, nowMs)),
    jest.spyOn(windows, 'exchange').mockImplementation(() => exchange(nowMs)),
  ];
  try {
    return await work();
  } finally {
    for (const spy of held) spy.mockRestore();
  }
}
