import type { By } from '../../src/database/also.js';

/** Somebody who decides, where no test looks at the audit log. */
export const by = (name: string): By => ({ name, record: () => Promise.resolve() });
