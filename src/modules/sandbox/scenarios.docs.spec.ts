import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

describe('docs/scenarios.md', () => {
  it('says what the scenarios are, which the tests assert', () => {
    const script = join(import.meta.dirname, '../../../scripts/generate/scenario-docs.mjs');
    execFileSync(process.execPath, [script, '--check'], { stdio: ['ignore', 'ignore', 'pipe'] });
  });
});
