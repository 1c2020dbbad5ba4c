/**
 * Whether a `Content-Type` says JSON in UTF-8, as RFC 9110 reads it: parameters that we do not know do not matter, and
 * a semicolon may stand alone.
 */
export function isJsonType(header: string): boolean {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  if (type !== 'application/json') return false;
  const known = parameters.filter((parameter) => parameter !== '');
  if (!known.every((parameter) => /^[!#$%&'*+.^_`|~\w-]+=(?:[!#$%&'*+.^_`|~\w-]+|"[^"]*")$/.test(parameter)))
    return false;
  const charsets = known.filter((parameter) => parameter.startsWith('charset='));
  return charsets.every((charset) => /^charset="?utf-8"?$/.test(charset));
}
