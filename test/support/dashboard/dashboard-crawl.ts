/** Looked at first, so that a page of one thing shows the one with most to tell. */
const BEGIN = [
  '/dashboard/payments?status=settled',
  '/dashboard/review',
  '/dashboard',
  '/dashboard/account',
  '/dashboard/operator',
];

export interface Crawled {
  /** A path for each kind of page: "/dashboard/payments/:id" → "/dashboard/payments/pi_01jd6w…". */
  readonly pages: ReadonlyMap<string, string>;
  /** The kinds that the navigation leads to. */
  readonly places: ReadonlySet<string>;
}

/**
 * Every page that links lead to, one of each kind: a page that somebody adds is found without their doing.
 * @param read the HTML at a path, as somebody signed in gets it; `null` where there is no page
 */
export async function crawlDashboard(read: (path: string) => Promise<string | null>): Promise<Crawled> {
  const pages = new Map<string, string>();
  const places = new Set<string>();
  const seen = new Set<string>();
  const waiting = [...BEGIN];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const html = await read(path);
    if (html === null) continue;
    if (!BEGIN.includes(path) || !path.includes('?')) pages.set(kindOf(path), path);
    for (const [, place] of html.matchAll(/class="place" href="([^"]+)"/g)) places.add(kindOf(place!));
    for (const [, href, query = ''] of html.matchAll(/href="(\/dashboard[^"?#]*)(\?[^"]*)?/g)) {
      if (seen.has(kindOf(href!))) continue;
      seen.add(kindOf(href!));
      // What a form is for is in its address: without that it is another page.
      waiting.push(
        href!.endsWith('/new') ? href! + query.replaceAll('&amp;', '&').replaceAll('&#x3D;', '=') : href!,
      );
    }
  }
  return { pages, places };
}

function kindOf(path: string): string {
  const isId = (segment: string) => /^(\d+|[a-z]+_\w{20,}|[\w-]{24,})$/.test(segment);
  return path
    .replace(/\?.*/, '')
    .split('/')
    .map((segment) => (isId(segment) ? ':id' : segment))
    .join('/');
}
