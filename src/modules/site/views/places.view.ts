/** A part of a page that its contents lead to. */
export interface Heading {
  readonly id: string;
  readonly text: string;
}

/** What the documentation explains before it lists the operations, in the order of its page. */
const GUIDE: readonly Heading[] = [
  { id: 'create', text: 'Create an intent' },
  { id: 'find', text: 'Find' },
  { id: 'read', text: 'Read' },
  { id: 'keys', text: 'Keys' },
  { id: 'idempotency', text: 'Idempotency' },
  { id: 'cancel', text: 'Cancel' },
  { id: 'webhooks', text: 'Webhooks' },
  { id: 'events', text: 'You were down' },
  { id: 'machine', text: 'On your own machine' },
  { id: 'client', text: 'The client' },
  { id: 'errors', text: 'Errors' },
  { id: 'limits', text: 'Limits' },
];

const PLACES = [
  { label: 'Start', path: '/', views: ['site/home'] },
  { label: 'Documentation', path: '/docs', views: ['site/docs'] },
  { label: 'Problems', path: '/problems', views: ['site/problems', 'site/problem'] },
  { label: 'OpenAPI 3.1', path: '/openapi.json', views: [] },
  { label: 'llms.txt', path: '/llms.txt', views: [] },
] as const satisfies readonly { label: string; path: string; views: readonly string[] }[];

export function contentsOf(
  operations: readonly { readonly id: string; readonly method: string; readonly path: string }[],
): Heading[] {
  return [
    ...GUIDE,
    ...operations.map(({ id, method, path }) => ({ id, text: `${method} ${path.replace('/api/v1', '')}` })),
    { id: 'resource', text: 'The payment intent' },
  ];
}

/**
 * The left column. Whole addresses: an error is also shown where these pages are not.
 * @param contents of the page that is shown, if it has any
 */
export function placesOf(view: string, baseUrl: string, contents: readonly Heading[] = []) {
  return PLACES.map(({ label, path, views }) => {
    const isCurrent = views.some((one) => one === view);
    return { label, path: baseUrl + path, isCurrent, contents: isCurrent ? contents : [] };
  });
}
