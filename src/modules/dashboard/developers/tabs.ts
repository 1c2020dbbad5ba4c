import type { Text } from '../language/german/german.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';

const TABS = [
  { id: 'keys', label: 'API keys', path: pathTo('developers') },
  { id: 'webhooks', label: 'Webhooks', path: pathTo('webhooks') },
  { id: 'requests', label: 'Requests', path: pathTo('requests') },
] as const satisfies readonly { readonly label: Text; readonly id: string; readonly path: string }[];

/** The pages of the Developers place, as `dashboard/tabs` draws them. */
export function tabs(say: Say, current: (typeof TABS)[number]['id']) {
  return TABS.map(({ id, label, path }) => ({ label: say(label), path, isCurrent: id === current }));
}
