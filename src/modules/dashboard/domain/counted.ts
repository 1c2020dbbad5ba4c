import { wholeText } from '../../../kernel/text/staff-languages.js';
import type { Say } from '../language/say.js';

/** "1,234", and "10,000 or more" of what is counted no further. */
export function countedText(say: Say, count: number, most: number): string {
  const number = wholeText(say.language, count);
  return count < most ? number : say('{number} or more', { number });
}
