import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

describe('the committed test token', () => {
  it('is what solc makes of TestToken.sol', () => {
    const script = join(import.meta.dirname, '../../../../scripts/compile-contracts.mjs');
    execFileSync(process.execPath, [script, '--check'], { stdio: ['ignore', 'ignore', 'pipe'] });
  }, 30_000);
});
