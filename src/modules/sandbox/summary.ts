import type { Config, NetworkConfig } from '../../config/config.types.js';
import { isLoopback } from '../../config/load-config.js';
import type { SandboxFile } from './sandbox-home.service.js';

/** What a new user sees first: where everything is, and one command to paste. */
export function summary(
  sandbox: SandboxFile,
  dataDir: string,
  { host, networks }: Pick<Config, 'host' | 'networks'>,
  missing: readonly string[],
): string {
  const { baseUrl, checkoutUrl, apiKey, merchantId, webhook, dashboard } = sandbox;
  const rows = [
    ['API', `${baseUrl}/api/v1`],
    ['Checkout', checkoutUrl],
    ...listens(host, [baseUrl, checkoutUrl]),
    ['Dashboard', dashboard.url],
    ['', `${dashboard.email}  password ${dashboard.password}`],
    ['API docs', `${baseUrl}/docs`],
    ['Webhooks', `${webhook.url}  (what the demo shop has received)`],
    ['Merchant', `Demo Shop, ${merchantId}`],
    ['API key', apiKey],
    ['Networks', networks.map(offered).join(', ')],
    ...missing.map((reason) => ['', `not offered: ${reason}`]),
    ['Details', `${dataDir}/sandbox.json`],
  ];
  const table = rows.map(([name = '', value = '']) => `  ${name.padEnd(10)} ${value}`).join('\n');
  return `
Rappen sandbox is running. No real money.

${table}

Create a payment intent:

  curl -s ${baseUrl}/api/v1/intents \\
    -H 'Authorization: Bearer ${apiKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"amount": 49.90, "currency": "CHF", "title": "Order 1001"}'

Open its checkoutUrl, and pay as the buyer would:

  npm run pay -- <id or checkoutUrl>

or as buyers do it too: too little, too late, twice, on the wrong network (npm run pay -- --help lists them):

  npm run pay -- <id or checkoutUrl> --scenario short

Give the dashboard something to show, by forty buyers who do all of that:

  npm run cli -- demo fill

Ctrl-C stops everything; the data stays for the next start.
`;
}

/** Unless it is as usual: on this machine alone, under its own addresses. */
function listens(host: string, urls: readonly string[]): [string, string][] {
  if (!isLoopback(host)) return [['Listens', `on ${host}: whoever is in your network can use it`]];
  if (urls.every((url) => isLoopback(new URL(url).hostname))) return [];
  return [
    ['Listens', `on ${host} alone: what forwards to it runs on this machine, or HOST=0.0.0.0 is missing`],
  ];
}

function offered({ name, assets }: NetworkConfig): string {
  return `${name} (${assets.map(({ symbol }) => symbol).join(', ')})`;
}
