import { visibleText } from '../../../kernel/text/visible-text.js';
import type { Say } from '../language/say.js';

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** "Firefox on Windows": enough to recognise one's own. Order matters: every browser names older ones too. */
export function browserText(say: Say, userAgent: string): string {
  const browser = BROWSERS.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = SYSTEMS.find(([mark]) => userAgent.includes(mark))?.[1];
  if (browser && system) return say('{browser} on {system}', { browser, system });
  return visibleText(userAgent).slice(0, 60) || say('Unknown|of a browser');
}
