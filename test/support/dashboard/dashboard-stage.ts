import { randomBytes } from 'node:crypto';
import { base32nopad } from '@scure/base';
import { DataSource } from 'typeorm';
import type { Role } from '../../../src/modules/accounts/accounts.types.js';
import { InvitationsService } from '../../../src/modules/accounts/people/invitations.service.js';
import { PeopleService } from '../../../src/modules/accounts/people/people.service.js';
import { SavedViewsService } from '../../../src/modules/accounts/people/saved-views.service.js';
import { codeAt, stepAt } from '../../../src/modules/accounts/second-factors/domain/totp.js';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import { RefundsService } from '../../../src/modules/intents/review/refunds.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { WebhooksService } from '../../../src/modules/webhooks/webhooks.service.js';
import { by, CLI_ACTOR } from '../intents/by.js';
import { applyAllChanges } from '../intents/decided.js';
import { Money } from '../intents/money.js';
import { sayNothingUsed } from '../nodes/wallet.js';
import type { Service } from '../service/service.js';
import { Authenticator } from './authenticator.js';
import { linkPath, sessionOf, Staff } from './staff.js';

/** Somebody with a browser, and what they belong to. */
export interface Person {
  readonly id: string;
  readonly staff: Staff;
}

/** Where a change is asked for, with a form that is taken. */
export interface Asked {
  readonly path: string;
  readonly form?: Readonly<Record<string, string | string[]>>;
  /** Who asks, where it is nobody who is signed in. */
  readonly staff?: Staff;
}

export interface World {
  readonly service: Service;
  readonly money: Money;
  /** The merchant that is looked at, and one that whoever changes their view belongs to as well. */
  readonly merchantId: string;
  readonly otherId: string;
}

/** Two merchants of a service without a node. */
export async function aWorld(service: Service): Promise<World> {
  const { merchantId } = await service.shop();
  const { merchantId: otherId } = await service.shop(undefined, 'Other Shop');
  return { service, money: new Money(service), merchantId, otherId };
}

export const URL = 'http://localhost:9/hook';
export const D = '/dashboard';
export const HOOKS = `${D}/developers/webhooks`;
export const FACTOR = `${D}/account/second-factor`;
export const PASSKEYS = `${D}/account/passkeys`;
let count = 0;
export const next = () => (count += 1);
export const fresh = (name: string) => `${name}-${next()}`;
export const query = <Row>({ service }: World, sql: string, values: readonly unknown[]) =>
  service.app.get(DataSource).query<Row[]>(sql, [...values]);

/** @param memberships the first is the one that is looked at */
export async function aPerson(
  service: Service,
  memberships: readonly (readonly [merchantId: string, role: Role])[],
  isOperator = false,
): Promise<Person> {
  const staff = await Staff.of(service, { isOperator, isEmailProven: true });
  const { id } = (await service.app.get(PeopleService).findByEmail(staff.email))!;
  const dataSource = service.app.get(DataSource);
  for (const [merchantId, role] of memberships)
    await dataSource.query('INSERT INTO membership (person_id, merchant_id, role) VALUES ($1, $2, $3)', [
      id,
      merchantId,
      role,
    ]);
  if (memberships[0]) await staff.post(`${D}/merchant`, { merchant: memberships[0][0] });
  return { id, staff };
}

/** Somebody with a merchant operates the service as well. */
export async function makeOperator({ app }: Service, { email }: Staff): Promise<void> {
  await app.get(DataSource).query('UPDATE person SET is_operator = true WHERE email = $1', [email]);
}

export function onWallets(part: string, form: Readonly<Record<string, string>>): Asked {
  return { path: `${D}/settings/wallets${part}`, form: { network: 'ethereum', ...form } };
}

export const anAddress = () => `0x${randomBytes(20).toString('hex')}`;

/** Of their own, and the only one, because there is a limit. Who may not save one is refused whatever its id is. */
export async function aView({ service, merchantId }: World, { id: personId }: Person): Promise<string> {
  const views = service.app.get(SavedViewsService);
  const owner = { personId, merchantId };
  for (const { id } of await views.list(owner)) await views.remove(owner, id);
  return views.save(owner, 'View', { q: 'order' }).then(
    ({ id }) => id,
    () => 'sv_none',
  );
}

/** The merchant's only one, because there is a limit. */
export async function anEndpoint({ service, merchantId }: World): Promise<string> {
  const webhooks = service.app.get(WebhooksService);
  for (const { id } of await webhooks.listEndpoints(merchantId))
    await webhooks.deleteEndpoint({ merchantId, endpointId: id }, by('test'));
  return (await webhooks.createEndpoint({ merchantId, url: URL }, by('test'))).endpoint.id;
}

export async function onEndpoint(world: World, what: string, form: Readonly<Record<string, string>> = {}) {
  return { path: `${HOOKS}/${await anEndpoint(world)}/${what}`, form };
}

/** @returns the id of a delivery that was tried to its end in vain, of an event that nothing else is known of */
export async function failedDelivery({ app }: Service, endpointId: string): Promise<string> {
  const [row] = await app.get(DataSource).query<{ id: string }[]>(
    `WITH written AS (
       INSERT INTO event (id, merchant_id, subject, sequence, type, body)
       SELECT 'evt_' || id, merchant_id, id, 1, 'webhook.test', '{}' FROM webhook_endpoint WHERE id = $1
       RETURNING id)
     INSERT INTO delivery (endpoint_id, event_id, state, attempts) SELECT $1, id, 'failed', 10 FROM written
     RETURNING id`,
    [endpointId],
  );
  return row!.id;
}

export async function aFailure(world: World): Promise<{ endpoint: string; delivery: string }> {
  const endpoint = await anEndpoint(world);
  return { endpoint, delivery: await failedDelivery(world.service, endpoint) };
}

/** An intent with a quote, whatever has been done to the wallet before. */
export async function picked({ service, money, merchantId }: World): Promise<string> {
  await sayNothingUsed(service.app.get(DataSource));
  return money.picked(merchantId);
}

/** An expired intent with final money. @returns both their ids */
export async function queued(world: World): Promise<{ id: string; seen: string }> {
  const { service, money } = world;
  const id = await picked(world);
  await money.endWindowIn(id, -1);
  await money.status(id);
  const seen = await money.record(id);
  await applyAllChanges(service);
  return { id, seen };
}

export async function onQueued(world: World, what: string, form: Readonly<Record<string, string>> = {}) {
  const { id, seen } = await queued(world);
  return { path: `${D}/review/${id}/${what}`, form: { note: 'a note', seen: [seen], ...form } };
}

export async function onRefund(world: World, what: string, form: Readonly<Record<string, string>> = {}) {
  const { id: intentId } = await queued(world);
  const wanted = { network: null, asset: null, amount: '1', address: anAddress(), note: 'late' };
  const refunds = world.service.app.get(RefundsService);
  const { id } = await refunds.ask(world.merchantId, intentId, wanted, by('test'));
  return { path: `${D}/refunds/${id}/${what}`, form };
}

export async function aMerchant(
  { service }: World,
  status: 'pending' | 'approved' = 'approved',
): Promise<string> {
  return (await service.app.get(MerchantsService).create({ name: 'Another' }, status, by('test'))).id;
}

export async function onMerchant(world: World, what: string, status?: 'pending') {
  const form = { reason: 'a reason', email: `${fresh('owner')}@staff.example` };
  return { path: `${D}/operator/merchants/${await aMerchant(world, status)}/${what}`, form };
}

export async function anAlert(
  { service }: World,
  kind: 'review-entry' | 'rates-unavailable',
  merchantId: string | null,
) {
  const subject = fresh('subject');
  const alerts = service.app.get(AlertsService);
  const alert = { kind, subject, merchantId, summary: 'Trouble', detail: 'Look at it.' };
  await alerts.raise(service.app.get(DataSource).manager, alert);
  return (await alerts.list({ merchantId })).items.find((one) => one.subject === subject)!.id;
}

export async function aColleague({ service, merchantId }: World): Promise<string> {
  return (await aPerson(service, [[merchantId, 'developer']])).id;
}

/** @returns the link's token */
export async function invitation({ service }: World, email: string, merchantId: string): Promise<string> {
  const wanted = { email, merchantId, role: 'reviewer', showLink: true } as const;
  const made = await service.app.get(InvitationsService).invite(wanted, CLI_ACTOR);
  return linkPath(made).split('/').at(-1)!;
}

export async function invited(world: World, { staff }: Person): Promise<string> {
  await invitation(world, staff.email, await aMerchant(world));
  const [row] = await query<{ id: string }>(
    world,
    'SELECT id FROM one_time_link WHERE email = $1 ORDER BY created_at DESC LIMIT 1',
    [staff.email],
  );
  return row!.id;
}

export async function anotherSession({ service }: World, { id, staff }: Person): Promise<void> {
  await sessionOf(service, { id, email: staff.email }, 'another');
}

export async function firstCode({ staff }: Person): Promise<string> {
  await staff.post(`${FACTOR}/begin`);
  const { html } = await staff.get(FACTOR);
  const secret = /[A-Z2-7]{32}/.exec(html)![0];
  return codeAt(Buffer.from(base32nopad.decode(secret)), stepAt(new Date()));
}

/** Codes at sign-in are on. @returns the recovery codes */
export async function enabled(who: Person): Promise<string[]> {
  const { html } = await who.staff.post(`${FACTOR}/enable`, { code: await firstCode(who) });
  return [...html.matchAll(/<code>([^<]+)<\/code>/g)].map(([, code]) => code!);
}

/** What the browser sends for a new passkey that this device makes. */
export async function creationBy(device: Authenticator, { staff }: Person): Promise<{ credential: string }> {
  const { html } = await staff.post(`${PASSKEYS}/options`);
  const options = JSON.parse(html) as Parameters<Authenticator['create']>[0];
  return { credential: JSON.stringify(device.create(options)) };
}

/** What the browser sends when this device is asked for its passkey. */
export async function answerBy(device: Authenticator, staff: Staff): Promise<{ credential: string }> {
  const { html } = await staff.post(`${D}/sign-in/passkey/options`);
  const options = JSON.parse(html) as Parameters<Authenticator['get']>[0];
  return { credential: JSON.stringify(device.get(options)) };
}

/** They have a passkey. @returns the device that holds it */
export async function withPasskey({ service }: Pick<World, 'service'>, who: Person): Promise<Authenticator> {
  const device = new Authenticator(service.url);
  const { status } = await who.staff.post(PASSKEYS, { ...(await creationBy(device, who)), label: 'a key' });
  if (status !== 200 && status !== 201) throw new Error(`the passkey was not taken: ${status}`);
  return device;
}
