import { partsOf, unquoted } from './quoted-text.js';

const PARAMETER = /^([!#$%&'*+.^_`|~\w-]+)=([!#$%&'*+.^_`|~\w-]+|"(?:[^"\\]|\\.)*")$/;

/**
 * Whether a `Content-Type` says JSON in UTF-8, as RFC 9110 reads it: parameters that we do not know do not matter, and
 * a semicolon may stand alone.
 */
export function isJsonType(header: string): boolean {
  const [type = '', ...parameters] = partsOf(header, ';').map((part) => part.trim().toLowerCase());
  if (type !== 'application/json') return false;
  return parameters
    .filter((parameter) => parameter !== '')
    .map((parameter) => PARAMETER.exec(parameter))
    .every((found) => found && (found[1] !== 'charset' || unquoted(found[2] ?? '') === 'utf-8'));
}
