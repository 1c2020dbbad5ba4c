import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CERTIFICATE, KEY } from './shop-certificate.js';

/** A merchant's own site on this machine, by TLS, as return URLs must be. A browser has to forgive its certificate. */
export async function startShopSite(text: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Shop</title>${text}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
