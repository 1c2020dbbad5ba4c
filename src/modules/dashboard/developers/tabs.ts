import { pathTo } from '../paths.http.js';
const TABS = [
  { id: 'keys', label: 'API keys', path: pathTo('developers') },
  { id: 'webhooks', label: 'Webhooks', path: pathTo('webhooks') },
  { id: 'requests', label: 'Requests', path: pathTo('requests') },
] as const;

/** The pages of the Developers place, as `dashboard/tabs` draws them. */
export function tabs(current: (typeof TABS)[number]['id']) {
  return TABS.map(({ id, label, path }) => ({ label, path, isCurrent: id === current }));
}
