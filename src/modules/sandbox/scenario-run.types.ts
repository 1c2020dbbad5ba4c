import type { ScenarioName } from './scenarios.pure.js';

/** A scenario as it is played for one intent. */
export interface ScenarioRun {
  readonly scenario: ScenarioName;
  readonly state: 'running' | 'done' | 'failed';
  /** What has been done, in sentences, the newest last. */
  readonly steps: readonly string[];
  /** Why it failed, or why it was not begun. */
  readonly problem: string | null;
}
