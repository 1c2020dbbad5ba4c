import { browserName } from '../../../kernel/text/browser-name.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import type { Say } from '../language/say.js';

/** "Firefox on Windows", or the beginning of what the browser said. */
export function browserText(say: Say, userAgent: string): string {
  const name = browserName(userAgent);
  if (name) return say('{browser} on {system}', name);
  return visibleText(userAgent).slice(0, 60) || say('Unknown|of a browser');
}
