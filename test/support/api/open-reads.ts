import { Assets } from '../../../src/platform/pages/assets.js';
import type { Service } from '../service/service.js';

/** What stands in an address: a name for each parameter. */
type Names = Readonly<Record<string, string>>;

/** Addresses of routes that are open to all and name something else than a payment; of a merchant's rows as `tenantRows` answers. */
const OPEN_READS: Readonly<Record<string, (service: Service, rows: Names) => Names>> = {
  'GET /assets/:name': ({ app }) => ({ name: app.get(Assets).url('rappen.css').slice('/assets/'.length) }),
  'GET /pay/faces/:name': (_, rows) => ({
    name: `${/"hash":"(\w+)"/.exec(rows['merchant_logo']!)![1]}.png`,
  }),
  'GET /problems/:slug': () => ({ slug: 'not-found' }),
};

/** @throws for a route whose parameters nobody has named: whatever it answers to a made-up one is no test of it */
export function openRead(route: string, service: Service, rows: Names): Names {
  const names = OPEN_READS[route]?.(service, rows) ?? {};
  const unnamed = [...route.matchAll(/:(\w+)/g)].filter(([, name]) => name !== 'id' && !(name! in names));
  if (unnamed.length > 0)
    throw new Error(`test/support/api/open-reads.ts has no ${unnamed.join(', ')} for ${route}`);
  return names;
}
