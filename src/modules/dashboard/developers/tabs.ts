const TABS = [
  { id: 'keys', label: 'API keys', path: '/dashboard/developers' },
  { id: 'webhooks', label: 'Webhooks', path: '/dashboard/developers/webhooks' },
  { id: 'requests', label: 'Requests', path: '/dashboard/developers/requests' },
] as const;

/** The pages of the Developers place, as `dashboard/tabs` draws them. */
export function tabs(current: (typeof TABS)[number]['id']) {
  return TABS.map(({ id, label, path }) => ({ label, path, isCurrent: id === current }));
}
