import type { By } from '../../../src/database/by.js';
import { commandLine } from '../../../src/modules/accounts/actor.pure.js';

/** Somebody who decides, where no test looks at the audit log. */
export const by = (name: string): By => ({ name, record: () => Promise.resolve() });

export const CLI_ACTOR = commandLine('a test');
