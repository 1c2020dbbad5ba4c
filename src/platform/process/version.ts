import { readFileSync } from 'node:fs';
import { projectFile } from '../../config/project-files.js';
import { fieldsOf } from '../../kernel/error-fields.js';

/** The one place that says which version this is: the package's own file, which the image ships too. */
const PACKAGE = projectFile('package.json');

export const VERSION = String(fieldsOf(JSON.parse(readFileSync(PACKAGE, 'utf8'))).version);
