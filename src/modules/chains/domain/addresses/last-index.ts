/** The last one that can be derived from a public key, less one, so that a next one can always be written. */
export const LAST_INDEX = 2 ** 31 - 2;
