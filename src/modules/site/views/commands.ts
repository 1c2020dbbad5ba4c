/** What somebody tries first. */
export function firstCall(baseUrl: string): string {
  return `curl ${baseUrl}/api/v1/intents \\
  -H 'Authorization: Bearer svc_live_…' \\
  -H 'Content-Type: application/json' \\
  -d '{"amount": 49.90, "currency": "CHF", "idempotencyKey": "order-1001"}'`;
}

/** Against a sandbox of one's own. */
export const LOCAL_COMMANDS = `npm run listen -- --forward-to http://localhost:4000/hook
npm run pay -- pi_…`;
