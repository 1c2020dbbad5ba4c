import type { SandboxFile } from './sandbox-home.service.js';
import { summary } from './summary.js';

const LOCAL = { baseUrl: 'http://localhost:3000', checkoutUrl: 'http://localhost:3001' };
const REACHED = { baseUrl: 'http://192.0.2.7:3000', checkoutUrl: 'http://192.0.2.7:3001' };

function listens(urls: typeof LOCAL, host: string): string | undefined {
  const sandbox = {
    ...urls,
    dashboard: { url: `${urls.baseUrl}/dashboard`, email: 'demo@rappen.localhost', password: 'x' },
    webhook: { url: `${LOCAL.baseUrl}/sandbox/webhook`, secret: 'x' },
  } as unknown as SandboxFile;
  return /Listens +(.*)/.exec(summary(sandbox, '/tmp/data', { host, networks: [] }, []))?.[1];
}

it.each([
  ['on this machine alone, as usual', LOCAL, '127.0.0.1', undefined],
  ['for a whole network', REACHED, '0.0.0.0', 'on 0.0.0.0: whoever is in your network can use it'],
  ['for a whole network that was not asked for', LOCAL, '::', 'on ::: whoever is in your network can use it'],
  [
    'on this machine alone, with addresses that lead elsewhere',
    REACHED,
    '127.0.0.1',
    'on 127.0.0.1 alone: what forwards to it runs on this machine, or HOST=0.0.0.0 is missing',
  ],
])('says that it listens %s', (_, urls, host, expected) => {
  expect(listens(urls, host)).toBe(expected);
});
