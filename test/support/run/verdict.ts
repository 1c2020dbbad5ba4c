import { type NamedTest, type Outcomes, unproven } from './named-tests.js';

type Outcome = Outcomes extends ReadonlyMap<string, infer Of> ? Of : never;

/** Of Jest's JSON; the name from the project's folder. */
export interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: Outcome;
}

/** What there is to know of a whole run. */
export interface Ran {
  /** Of Jest. */
  readonly code: number;
  readonly results: readonly FileResult[];
  /** Jest's own lines about what a test left running. */
  readonly leftRunning: readonly string[];
  /** Files that were begun anew after their worker had died in them. */
  readonly again: readonly string[];
}

export interface Complaint {
  readonly heading: string;
  readonly lines: readonly string[];
}

/**
 * What is wrong with a run. A rule is kept when the test that its row names ran and passed.
 * @returns the code with which it ends: 0 only where nothing is wrong
 */
export function verdictOn(
  { code, results, leftRunning, again }: Ran,
  named: readonly NamedTest[],
): { readonly code: 0 | 1; readonly complaints: readonly Complaint[] } {
  const failed = results.filter(({ status }) => status === 'failed').map(({ name }) => name);
  const outcomes = new Map(results.map(({ name, assertionResults }) => [name, assertionResults]));
  const missing = unproven(named, outcomes).map(({ file, title }) => `${file} › ${title}`);
  const isExplained = failed.length > 0 || leftRunning.length > 0;
  const complaints = [
    { heading: 'Failed:', lines: failed },
    { heading: 'Tests that docs/ names did not all run and pass:', lines: missing },
    { heading: 'A test left something running:', lines: leftRunning },
    { heading: 'Begun again by Jest after their worker had died in them:', lines: again },
    // Of Jest's own, such as a reporter's or a teardown's: no file answers for it.
    {
      heading: 'No file failed, but:',
      lines: code === 0 || isExplained ? [] : [`Jest ended with ${code}.`],
    },
  ].filter(({ lines }) => lines.length > 0);
  return { code: complaints.length === 0 ? 0 : 1, complaints };
}
