import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsOf } from '../../kernel/error-fields.js';

/** The one place that says which version this is: the package's own file, which the image ships too. */
const PACKAGE = join(import.meta.dirname, '../../../package.json');

export const VERSION = String(fieldsOf(JSON.parse(readFileSync(PACKAGE, 'utf8'))).version);
