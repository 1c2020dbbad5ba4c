import type { Family } from '../../../../config/config.types.js';

const DIGITS = /^(0x)?([0-9a-f]{64})$/;

/** A transaction's id as the chain writes it: with 0x on EVM networks, without elsewhere; `null` for anything else. */
export function readTxid(family: Family, typed: string): string | null {
  const digits = DIGITS.exec(typed.trim().toLowerCase())?.[2];
  if (digits === undefined) return null;
  return family === 'evm' ? `0x${digits}` : digits;
}
