import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { newId } from '../../../src/kernel/ids.js';
import { PeopleService } from '../../../src/modules/accounts/people/people.service.js';
import { WebhooksService } from '../../../src/modules/webhooks/webhooks.service.js';
import { ownValues } from '../database/own-values.js';
import { tenantRows } from '../database/tenant-rows.js';
import { by } from '../intents/by.js';
import { Money } from '../intents/money.js';
import type { Service } from '../service/service.js';
import { type Example, exampleShop } from './dashboard-examples.js';
import { anAddress, onQueued, queued, URL, withPasskey } from './dashboard-stage.js';

/** One of two merchants with the same history. */
export interface Tenant extends Example {
  /** As `tenantRows` answers. */
  readonly rows: Readonly<Record<string, string>>;
  /** What tells in an answer that it is of this merchant's rows, as `toldIn` looks for it. */
  readonly values: readonly string[];
}

export async function twoTenants(service: Service): Promise<[ours: Tenant, theirs: Tenant]> {
  const examples = [
    await wholeTenant(service, 'Our Shop'),
    await wholeTenant(service, 'Their Shop'),
  ] as const;
  const dataSource = service.app.get(DataSource);
  const [ours, theirs] = [
    await tenantRows(dataSource, examples[0].merchantId),
    await tenantRows(dataSource, examples[1].merchantId),
  ];
  return [
    { ...examples[0], rows: ours, values: ownValues(ours, theirs) },
    { ...examples[1], rows: theirs, values: ownValues(theirs, ours) },
  ];
}

/**
 * A merchant with rows in every table that holds any merchant's, all of them at rest: no job has anything left to do
 * with one, so that whatever changes there was changed by a request. Needs a network without a node.
 */
export async function wholeTenant(service: Service, name: string): Promise<Example> {
  const example = await exampleShop(service, name);
  const { merchantId, owner } = example;
  const { id: personId } = (await service.app.get(PeopleService).findByEmail(owner.email))!;
  await withPasskey({ service }, { id: personId, staff: owner });
  const webhooks = service.app.get(WebhooksService);
  const { endpoint: disabled } = await webhooks.createEndpoint({ merchantId, url: `${URL}/off` }, by('test'));
  await webhooks.disable({ merchantId, endpointId: disabled.id }, by('test'));
  const world = { service, merchantId, money: new Money(service), otherId: merchantId };
  const { path, form } = await onQueued(world, 'accept');
  const { status, html } = await owner.post(path, form);
  if (status !== 303) throw new Error(`the payment was not accepted: ${status} ${html}`);
  const { id: waiting } = await queued(world);
  const dataSource = service.app.get(DataSource);
  for (const [sql, values] of byHand(merchantId, personId, waiting)) await dataSource.query(sql, values);
  const rows = await tenantRows(dataSource, merchantId);
  const empty = Object.keys(rows).filter((table) => rows[table] === 'none');
  if (empty.length > 0)
    throw new Error(`test/support/dashboard/dashboard-tenant.ts has no ${empty.join(', ')}`);
  const passkey = /pk_\w{30}/.exec(rows['passkey']!)![0];
  const at = (route: string) =>
    example.at(
      route
        .replace(/(?<=\/passkeys\/):id/, passkey)
        .replace(/(?<=^\/dashboard\/(payments|review)\/):id/, waiting),
    );
  return { ...example, at };
}

const aHash = () => `0x${randomBytes(32).toString('hex')}`;

/** What no page or job of a test makes, and the rest that the others come to. */
function byHand(merchantId: string, personId: string, intentId: string): (readonly [string, unknown[]])[] {
  const bytes = randomBytes(32);
  const [address, deposit] = [anAddress(), anAddress()];
  const [salt, received, collected] = [aHash(), aHash(), aHash()];
  const logo = randomBytes(16).toString('hex');
  return [
    [
      `INSERT INTO passkey_challenge (hash, person_id, expires_at) VALUES ($1, $2, now() + interval '1 day')`,
      [bytes, personId],
    ],
    [
      `INSERT INTO outgoing_mail (id, recipient, subject, sent_at)
       SELECT 'mail_' || id, email, 'News', now() FROM person WHERE id = $1`,
      [personId],
    ],
    // One that collects, for a day, what is told of a topic that everybody has.
    [
      `INSERT INTO outgoing_mail (id, recipient, subject, sealed_text, about, next_attempt_at)
       SELECT 'collecting_' || id, email, 'News', 'sealed', 'passkey.added:subject', now() + interval '1 day'
       FROM person WHERE id = $1`,
      [personId],
    ],
    // As if the key's use had been noted already, which happens some time after it.
    ['UPDATE api_key SET last_used_at = now() WHERE merchant_id = $1', [merchantId]],
    ['INSERT INTO known_device (person_id, token_hash) VALUES ($1, $2)', [personId, bytes]],
    [
      `INSERT INTO unfinished_sign_in (token_hash, person_id, address, since)
       VALUES ($1, $2, '192.0.2.1', now() + interval '1 day')`,
      [bytes, personId],
    ],
    ['INSERT INTO merchant_logo (merchant_id, hash, png) VALUES ($1, $2, $3)', [merchantId, logo, bytes]],
    [
      `INSERT INTO refund_request (id, intent_id, network, address) VALUES ($1, $2, 'ethereum', $3)`,
      [newId('rfr'), intentId, address],
    ],
    [`INSERT INTO own_address (family, address, merchant_id) VALUES ('evm', $2, $1)`, [merchantId, address]],
    [
      'INSERT INTO destination (id, merchant_id, address, factory) VALUES ($1, $2, $3, $3)',
      [newId('dst'), merchantId, address],
    ],
    // Money at an address without a key, and a part of it that was collected.
    [
      `INSERT INTO address (family, address, destination_id, salt, subject)
       SELECT 'evm', $2, id, $3, $4 FROM destination WHERE merchant_id = $1`,
      [merchantId, deposit, salt, intentId],
    ],
    [
      `INSERT INTO transfer (id, network, txid, output, asset, family, address, subject, amount_atoms, state,
                             block_height, block_hash, block_time)
       VALUES ($1, 'ethereum', $2, 'native', 'USDC', 'evm', $3, $4, 12500000, 'included', 1, '0xb', now())`,
      [newId('tr'), received, deposit, intentId],
    ],
    [
      `INSERT INTO collection (network, txid, output, asset, address, amount_atoms, block_height, block_hash, block_time)
       VALUES ('ethereum', $1, 'log:0', 'USDC', $2, 1, 1, '0xb', now())`,
      [collected, deposit],
    ],
    // In each state: an enabled endpoint has none that are held, and a disabled one none that wait.
    [
      `UPDATE delivery d SET lease_token = NULL, lease_until = NULL, attempts = 3, delayed = false, next_attempt_at = now() + interval '1 day',
              state = CASE WHEN place % 2 = 0 THEN 'failed' WHEN disabled_at IS NULL THEN 'pending' ELSE 'held' END
       FROM (SELECT d.id, disabled_at, row_number() OVER (PARTITION BY w.id ORDER BY d.id) AS place
             FROM delivery d JOIN webhook_endpoint w ON w.id = d.endpoint_id WHERE w.merchant_id = $1) AS own
       WHERE d.id = own.id`,
      [merchantId],
    ],
    [
      `INSERT INTO delivery_attempt (delivery_id, number, started_at, duration_ms, http_status)
       SELECT max(d.id), 1, now(), 1, 500 FROM delivery d JOIN webhook_endpoint w ON w.id = d.endpoint_id
       WHERE w.merchant_id = $1`,
      [merchantId],
    ],
    [
      `INSERT INTO alert_mail (id, mailbox, address, is_proved, merchant_id, counted_at)
       VALUES ($1, 'ann@shop.example', 'ann@shop.example', false, $2, now())`,
      [newId('eml'), merchantId],
    ],
    [
      `INSERT INTO alert_notice AS n (alert_id, channel, next_attempt_at)
       SELECT id, 'mail', now() + interval '1 day' FROM alert WHERE merchant_id = $1
       ON CONFLICT (alert_id, channel, about) DO UPDATE SET next_attempt_at = excluded.next_attempt_at, lease_token = NULL`,
      [merchantId],
    ],
  ];
}
