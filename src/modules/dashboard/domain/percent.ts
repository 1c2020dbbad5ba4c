import { formatDecimal, trimZeros } from '../../../kernel/decimal.js';

/** Hundredths of a percent as percent, exactly: 50 → "0.5". */
export function percentText(bps: number): string {
  return trimZeros(formatDecimal(BigInt(bps), 2));
}
