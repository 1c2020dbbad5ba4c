import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

describe('the committed contracts', () => {
  it('are what solc makes of their sources', () => {
    const script = join(import.meta.dirname, '../../../../../scripts/generate/compile-contracts.mjs');
    execFileSync(process.execPath, [script, '--check'], { stdio: ['ignore', 'ignore', 'pipe'] });
  });
});
