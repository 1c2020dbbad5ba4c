import { DataSource } from 'typeorm';
import { newId } from '../../../src/kernel/ids.js';
import { InvitationsService } from '../../../src/modules/accounts/people/invitations.service.js';
import { PeopleService } from '../../../src/modules/accounts/people/people.service.js';
import { SavedViewsService } from '../../../src/modules/accounts/people/saved-views.service.js';
import { SessionsService } from '../../../src/modules/accounts/sessions/sessions.service.js';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import { ApiKeysService } from '../../../src/modules/auth/api-keys.service.js';
import { WebhookDeliveriesService } from '../../../src/modules/webhooks/webhook-deliveries.service.js';
import { WebhooksService } from '../../../src/modules/webhooks/webhooks.service.js';
import { Api } from '../api/api.js';
import { by, CLI_ACTOR } from '../intents/by.js';
import type { Service } from '../service/service.js';
import { linkPath, Staff } from './staff.js';

/** A merchant whose every page has something to show, and the ids that its pages' addresses take. */
export interface Example {
  readonly merchantId: string;
  readonly owner: Staff;
  /** The address of a route with this merchant's ids in the place of parameters. */
  readonly at: (path: string) => string;
}

/** @param name the merchant's, so that pages of two are told apart */
export async function exampleShop(service: Service, name: string): Promise<Example> {
  const { merchantId, key } = await service.shop(['read', 'write'], name);
  const owner = await Staff.of(service, { merchantId, role: 'owner', isEmailProven: true });
  const { app } = service;
  const intent = await new Api(service, key).create({ amount: 49.9, currency: 'CHF', title: 'Order 1001' });
  const { endpoint } = await app
    .get(WebhooksService)
    .createEndpoint(
      { merchantId, url: 'http://localhost:9/webhooks/of-a-shop/with-a-long-address' },
      by('test'),
    );
  const delivery = await app
    .get(WebhookDeliveriesService)
    .sendTest({ merchantId, endpointId: endpoint.id }, by('test'));
  const [apiKey] = await app.get(ApiKeysService).list(merchantId);
  const people = app.get(PeopleService);
  const me = (await people.findByEmail(owner.email))!;
  const view = await app
    .get(SavedViewsService)
    .save({ personId: me.id, merchantId }, 'Large orders of this year', { show: 'waiting', min: '100' });
  const [session] = await app.get(SessionsService).list(me.id);
  const invitations = app.get(InvitationsService);
  const invitation = await invitations.invite(
    { email: `guest-${merchantId.slice(-8)}@staff.example`, merchantId, role: 'reviewer', showLink: true },
    CLI_ACTOR,
  );
  const [waiting] = await app
    .get(DataSource)
    .query<[{ id: string }]>('SELECT id FROM one_time_link WHERE merchant_id = $1', [merchantId]);
  const alerts = app.get(AlertsService);
  const trouble = {
    kind: 'review-entry',
    subject: intent.body.id,
    merchantId,
    detail: 'Look at it.',
  } as const;
  await alerts.raise(app.get(DataSource).manager, { ...trouble, summary: 'Money waits for you' });
  const [alert] = (await alerts.list({ merchantId })).items;
  const refund = newId('rf');
  await app.get(DataSource).query(
    `INSERT INTO refund (id, intent_id, merchant_id, network, asset, decimals, atoms, amount, address, depth, transfers,
                         actor, note, asked_height, searched_height)
     VALUES ($1, $2, $3, 'ethereum', 'USDC', 6, 12500000, '12.5', $4, '12', '{}', 'ann', 'came late', 0, 0)`,
    [refund, intent.body.id, merchantId, `0x${'ab'.repeat(20)}`],
  );
  /** The first that matches decides. A new kind of page adds its line. */
  const examples: readonly (readonly [RegExp, string])[] = [
    [/^\/dashboard\/link\/:/, linkPath(invitation).split('/').at(-1)!],
    [/\/invitations\/link\/:/, 'x'.repeat(43)],
    [/\/invitations\/:/, waiting.id],
    [/\/sessions\/:/, session!.id],
    [/\/passkeys\/:/, 'pk_none'],
    [/\/people\/:/, me.id],
    [/\/keys\/:/, apiKey!.id],
    [/\/deliveries\/:/, delivery.id],
    [/\/webhooks\/:|\/endpoints\/:/, endpoint.id],
    [/\/alerts\/:/, alert!.id],
    [/\/refunds\/:/, refund],
    [/\/views\/:/, view.id],
    [/^\/dashboard\/(payments|review)\/:/, intent.body.id],
    [/^\/dashboard\/operator\/merchants\/:/, merchantId],
  ];
  const at = (path: string) => {
    if (!path.includes(':')) return path;
    const example = examples.find(([pattern]) => pattern.test(path))?.[1];
    if (example === undefined)
      throw new Error(`test/support/dashboard/dashboard-examples.ts has no example for ${path}`);
    return path.replace(/:\w+/, example);
  };
  return { merchantId, owner, at };
}
