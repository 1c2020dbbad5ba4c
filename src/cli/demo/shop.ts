import type { INestApplicationContext } from '@nestjs/common';
import { commandLine } from '../../modules/accounts/actor.pure.js';
import { AuditLog } from '../../modules/accounts/audit/audit-log.service.js';
import { InvitationsService } from '../../modules/accounts/people/invitations.service.js';
import { MerchantsService } from '../../modules/merchants/merchants.service.js';
import type { SandboxFile } from '../../modules/sandbox/sandbox-home.service.js';
import { WebhookDeliveriesService } from '../../modules/webhooks/webhook-deliveries.service.js';
import { WebhooksService } from '../../modules/webhooks/webhooks.service.js';
import type { EndpointRef } from '../../modules/webhooks/webhooks.types.js';

const DEMO = commandLine('demo fill');
const COLLEAGUE = 'accounting@demo-shop.example';
const OTHER_MERCHANTS = [
  ['Velowerkstatt Limmat', 'pending'],
  ['Kaffeehaus Nord', 'approved'],
] as const;

export interface Endpoints {
  readonly working: EndpointRef;
  readonly failing: EndpointRef;
}

/** What a shop has beside orders: a second receiver, which is broken, somebody invited, and neighbours. Only once. */
export async function furnish(app: INestApplicationContext, sandbox: SandboxFile): Promise<Endpoints> {
  const { merchantId, webhook } = sandbox;
  const merchants = app.get(MerchantsService);
  const names = (await merchants.list()).map(({ name }) => name);
  for (const [name, status] of OTHER_MERCHANTS) {
    if (!names.includes(name)) await merchants.create({ name }, status, app.get(AuditLog).by(DEMO));
  }
  const invitations = app.get(InvitationsService);
  const invited = (await invitations.open(merchantId)).some(({ email }) => email === COLLEAGUE);
  if (!invited) await invitations.invite({ email: COLLEAGUE, merchantId, role: 'reviewer' }, DEMO);
  return {
    working: await endpointAt(app, merchantId, webhook.url),
    failing: await endpointAt(app, merchantId, `${webhook.url}/broken`),
  };
}

/** What a developer does when a receiver was down: sends again what failed, and one that had arrived. */
export async function redeliver(app: INestApplicationContext, endpoints: Endpoints, since: Date) {
  const deliveries = app.get(WebhookDeliveriesService);
  const by = app.get(AuditLog).by(DEMO);
  const [latest] = (await deliveries.list(endpoints.working, { limit: 1 })).items;
  if (latest) {
    const { merchantId } = endpoints.working;
    await deliveries.redeliver({ merchantId, deliveryId: latest.id }, by);
  }
  await deliveries.sendTest(endpoints.working, by);
  return deliveries.redeliverFailed(endpoints.failing, since, by);
}

async function endpointAt(
  app: INestApplicationContext,
  merchantId: string,
  url: string,
): Promise<EndpointRef> {
  const webhooks = app.get(WebhooksService);
  const known = (await webhooks.listEndpoints(merchantId)).find((endpoint) => endpoint.url === url);
  const { id } =
    known ?? (await webhooks.createEndpoint({ merchantId, url }, app.get(AuditLog).by(DEMO))).endpoint;
  return { merchantId, endpointId: id };
}
