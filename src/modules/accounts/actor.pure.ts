import type { Actor } from './accounts.types.js';

/** @param by what they call themselves */
export function commandLine(by: string): Actor {
  return { name: 'cli', personId: null, ip: null, by };
}
