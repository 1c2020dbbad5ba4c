/** Characters of what somebody says about a decision, which is kept for ever: a paragraph of reasons, not a file. */
export const MAX_NOTE = 1000;
