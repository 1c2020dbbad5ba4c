import { randomFillSync } from 'node:crypto';

/** To ask the system for a few bytes costs as much as to ask for some thousand. */
const POOL_BYTES = 4096;

let pool = Buffer.alloc(0);
let used = 0;

/** Unguessable bytes, each given once. @param size far below that of the pool */
export function takeRandomBytes(size: number): Buffer {
  if (used + size > pool.length) {
    pool = randomFillSync(Buffer.allocUnsafeSlow(POOL_BYTES));
    used = 0;
  }
  used += size;
  return pool.subarray(used - size, used);
}
