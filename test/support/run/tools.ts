/** What a test needs of the machine and npm does not bring. */
export interface Tool {
  readonly isFound: boolean;
  /** Which one is not there, and what is therefore not tested. */
  readonly missing: string;
  /** For what scripts/ensure.mjs installs nowhere: CI may be without it too. */
  readonly mayLackInCi?: boolean;
}

/**
 * Whether a test may use it. A silent skip reads like a pass, so it is said; and because nobody reads under CI what was
 * skipped, it fails there.
 * @throws Error under CI when the tool is missing
 */
export function hasTool({ isFound, missing, mayLackInCi = false }: Tool): boolean {
  if (isFound) return true;
  if (process.env.CI === 'true' && !mayLackInCi) throw new Error(missing);
  process.stderr.write(`\n  ${missing}\n`);
  return false;
}

export const itWith = (tool: Tool): jest.It => (hasTool(tool) ? it : it.skip);

export const describeWith = (tool: Tool): jest.Describe => (hasTool(tool) ? describe : describe.skip);
