import { DataSource } from 'typeorm';
import { ApiKeysService } from '../../../src/modules/auth/api-keys.service.js';
import { NetworksService } from '../../../src/modules/chains/networks/networks.service.js';
import { ExtendedKeysService } from '../../../src/modules/chains/wallets/extended-keys.service.js';
import { WebhooksService } from '../../../src/modules/webhooks/webhooks.service.js';
import { asIfNever } from '../database/as-if-never.js';
import { by } from '../intents/by.js';
import { xpubOf } from '../nodes/wallet.js';
import { Authenticator } from './authenticator.js';
import {
  aColleague,
  aFailure,
  aMerchant,
  anAddress,
  anAlert,
  anEndpoint,
  anotherSession,
  answerBy,
  type Asked,
  aView,
  creationBy,
  D,
  enabled,
  FACTOR,
  firstCode,
  fresh,
  HOOKS,
  invitation,
  invited,
  next,
  onEndpoint,
  onMerchant,
  onQueued,
  onRefund,
  onWallets,
  PASSKEYS,
  type Person,
  picked,
  query,
  queued,
  URL,
  withPasskey,
  type World,
} from './dashboard-stage.js';
import { Staff } from './staff.js';

type Make = (world: World, who: Person) => Asked | Promise<Asked>;

/** Each change that the dashboard can make. */
export const CHANGES: Readonly<Record<string, Make>> = {
  'POST /dashboard/account/password': () => ({
    path: `${D}/account/password`,
    form: { present: Staff.PASSWORD, next: `another sentence ${fresh('of')}` },
  }),
  'POST /dashboard/account/passkeys': async ({ service }, who) => {
    const form = await creationBy(new Authenticator(service.url), who);
    return { path: PASSKEYS, form: { ...form, label: 'a key' } };
  },
  'POST /dashboard/account/passkeys/options': () => ({ path: `${PASSKEYS}/options` }),
  'POST /dashboard/account/passkeys/:id/remove': async (world, who) => {
    await withPasskey(world, who);
    const [row] = await query<{ id: string }>(world, 'SELECT id FROM passkey WHERE person_id = $1', [who.id]);
    return { path: `${PASSKEYS}/${row!.id}/remove` };
  },
  'POST /dashboard/account/recovery-codes': async (_world, who) => {
    await enabled(who);
    return { path: `${D}/account/recovery-codes` };
  },
  'POST /dashboard/account/second-factor/begin': () => ({ path: `${FACTOR}/begin` }),
  'POST /dashboard/account/second-factor/enable': async (_world, who) => ({
    path: `${FACTOR}/enable`,
    form: { code: await firstCode(who) },
  }),
  'POST /dashboard/account/second-factor/disable': async (_world, who) => {
    await enabled(who);
    return { path: `${FACTOR}/disable` };
  },
  'POST /dashboard/account/second-factor/later': () => ({ path: `${FACTOR}/later` }),
  'POST /dashboard/account/sessions/:id/end': async (world, who) => {
    await anotherSession(world, who);
    const [row] = await query<{ id: string }>(
      world,
      'SELECT id FROM session WHERE person_id = $1 ORDER BY created_at DESC LIMIT 1',
      [who.id],
    );
    return { path: `${D}/account/sessions/${row!.id}/end` };
  },
  'POST /dashboard/account/sessions/end-others': async (world, who) => {
    await anotherSession(world, who);
    return { path: `${D}/account/sessions/end-others` };
  },
  'POST /dashboard/alerts/:id/acknowledge': async (world) => ({
    path: `${D}/alerts/${await anAlert(world, 'review-entry', world.merchantId)}/acknowledge`,
  }),
  'POST /dashboard/confirm': () => ({ path: `${D}/confirm`, form: { password: Staff.PASSWORD } }),
  'POST /dashboard/confirm/passkey': async (world, who) => {
    const device = await withPasskey(world, who);
    return { path: `${D}/confirm/passkey`, form: await answerBy(device, who.staff) };
  },
  'POST /dashboard/developers/deliveries/:id/redeliver': async (world) => ({
    path: `${D}/developers/deliveries/${(await aFailure(world)).delivery}/redeliver`,
  }),
  'POST /dashboard/developers/keys': () => ({
    path: `${D}/developers/keys`,
    form: { label: 'a key', 'scope-read': 'yes' },
  }),
  'POST /dashboard/developers/keys/:id/revoke': async ({ service, merchantId }) => {
    const keys = service.app.get(ApiKeysService);
    const { id } = await keys.create(merchantId, ['read'], 'old', by('test'));
    return { path: `${D}/developers/keys/${id}/revoke` };
  },
  'POST /dashboard/developers/webhooks': async (world) => {
    await anEndpoint(world);
    return { path: HOOKS, form: { url: `${URL}/another` } };
  },
  'POST /dashboard/developers/webhooks/:id/delete': (world) => onEndpoint(world, 'delete'),
  'POST /dashboard/developers/webhooks/:id/disable': (world) => onEndpoint(world, 'disable'),
  'POST /dashboard/developers/webhooks/:id/enable': async (world) => {
    const endpointId = await anEndpoint(world);
    const ref = { merchantId: world.merchantId, endpointId };
    await world.service.app.get(WebhooksService).disable(ref, by('test'));
    return { path: `${HOOKS}/${endpointId}/enable`, form: { held: 'send' } };
  },
  'POST /dashboard/developers/webhooks/:id/events': (world) => onEndpoint(world, 'events', { money: 'on' }),
  'POST /dashboard/developers/webhooks/:id/redeliver': async (world) => ({
    path: `${HOOKS}/${(await aFailure(world)).endpoint}/redeliver`,
    form: { since: '2026-01-01T00:00' },
  }),
  'POST /dashboard/developers/webhooks/:id/rotate': (world) => onEndpoint(world, 'rotate'),
  'POST /dashboard/developers/webhooks/:id/test': (world) => onEndpoint(world, 'test'),
  'POST /dashboard/developers/webhooks/:id/url': (world) => onEndpoint(world, 'url', { url: `${URL}/new` }),
  'POST /dashboard/invitations/:id/accept': async (world, who) => ({
    path: `${D}/invitations/${await invited(world, who)}/accept`,
  }),
  'POST /dashboard/invitations/:id/decline': async (world, who) => ({
    path: `${D}/invitations/${await invited(world, who)}/decline`,
  }),
  'POST /dashboard/invitations/link/:token': async (world, who) => ({
    path: `${D}/invitations/link/${await invitation(world, who.staff.email, await aMerchant(world))}`,
  }),
  'POST /dashboard/invitations/prove': async (world, who) => {
    const set = 'UPDATE person SET email_proven_at = NULL, email_proven_by = NULL WHERE id = $1';
    await asIfNever(world.service.app.get(DataSource), ['person', 'person_stays_known'], set, [who.id]);
    return { path: `${D}/invitations/prove` };
  },
  'POST /dashboard/link/:token': async (world) => {
    const email = `${fresh('new')}@staff.example`;
    const staff = Staff.stranger(world.service, email);
    return {
      path: `${D}/link/${await invitation(world, email, world.merchantId)}`,
      form: { password: Staff.PASSWORD },
      staff,
    };
  },
  'POST /dashboard/merchant': ({ otherId }) => ({ path: `${D}/merchant`, form: { merchant: otherId } }),
  'POST /dashboard/operator/alerts/:id/acknowledge': async (world) => ({
    path: `${D}/operator/alerts/${await anAlert(world, 'rates-unavailable', null)}/acknowledge`,
  }),
  'POST /dashboard/operator/merchants': () => ({
    path: `${D}/operator/merchants`,
    form: { name: 'New Shop', email: `${fresh('owner')}@staff.example`, reason: 'known', approved: 'yes' },
  }),
  'POST /dashboard/operator/merchants/:id/approve': (world) => onMerchant(world, 'approve', 'pending'),
  'POST /dashboard/operator/merchants/:id/close': (world) => onMerchant(world, 'close'),
  'POST /dashboard/operator/merchants/:id/invite': (world) => onMerchant(world, 'invite'),
  'POST /dashboard/operator/merchants/:id/suspend': (world) => onMerchant(world, 'suspend'),
  'POST /dashboard/payments/:id/cancel': async (world) => ({
    path: `${D}/payments/${await picked(world)}/cancel`,
  }),
  'POST /dashboard/payments/views': () => ({
    path: `${D}/payments/views`,
    form: { name: fresh('View'), q: 'order' },
  }),
  'POST /dashboard/payments/views/:id/rename': async (world, who) => ({
    path: `${D}/payments/views/${await aView(world, who)}/rename`,
    form: { name: fresh('View') },
  }),
  'POST /dashboard/payments/views/:id/delete': async (world, who) => ({
    path: `${D}/payments/views/${await aView(world, who)}/delete`,
  }),
  'POST /dashboard/refunds/new': async (world) => {
    const { id, seen } = await queued(world);
    const wanted = { asset: 'ethereum USDC', amount: '1', address: anAddress(), note: 'late' };
    const form = { payment: id, seen: [seen], ...wanted };
    return { path: `${D}/refunds/new`, form };
  },
  'POST /dashboard/refunds/:id/sent': (world) => onRefund(world, 'sent', { txid: `0x${'ab'.repeat(32)}` }),
  'POST /dashboard/refunds/:id/open': (world) => onRefund(world, 'open'),
  'POST /dashboard/refunds/:id/resume': async (world) => {
    const asked = await onRefund(world, 'resume');
    await query(
      world,
      `WITH ended AS (UPDATE refund SET search_ended_at = clock_timestamp() WHERE id = $1 RETURNING id, merchant_id)
       INSERT INTO alert (id, merchant_id, kind, subject, summary, detail, data)
       SELECT 'alr_of_' || id, merchant_id, 'refund-unfound', id, 'not found', 'nothing pays it', '{}' FROM ended`,
      [asked.path.split('/').at(-2)!],
    );
    return asked;
  },
  'POST /dashboard/refunds/:id/withdraw': (world) => onRefund(world, 'withdraw', { sure: 'on' }),
  'POST /dashboard/review/:id/accept': (world) => onQueued(world, 'accept'),
  'POST /dashboard/review/:id/dismiss': (world) => onQueued(world, 'dismiss'),
  'POST /dashboard/review/:id/refund': (world) =>
    onQueued(world, 'refund', { amount: '1', asset: 'ethereum USDC' }),
  'POST /dashboard/settings': () => ({ path: `${D}/settings`, form: { name: fresh('Shop') } }),
  'POST /dashboard/settings/appearance': () => ({
    path: `${D}/settings/appearance`,
    form: { color: `#${(next() % 0xffffff).toString(16).padStart(6, '0')}` },
  }),
  'POST /dashboard/settings/payments': ({ service }) => {
    const networks = service.app.get(NetworksService).all();
    const accepted = networks.flatMap(({ id, assets }) =>
      assets.map(({ symbol }) => [`accept-${symbol}-${id}`, 'yes'] as const),
    );
    const tolerance = ((next() % 900) / 100).toFixed(2);
    return {
      path: `${D}/settings/payments`,
      form: { ...Object.fromEntries(accepted), tolerance },
    };
  },
  'POST /dashboard/settings/payments/tolerance': async (world) => {
    await query(world, 'UPDATE merchant SET tolerance_bps = 0, tolerance_chosen = false WHERE id = $1', [
      world.merchantId,
    ]);
    return { path: `${D}/settings/payments/tolerance`, form: { accept: 'yes' } };
  },
  'POST /dashboard/settings/people': () => ({
    path: `${D}/settings/people`,
    form: { email: `${fresh('guest')}@staff.example`, role: 'reviewer' },
  }),
  'POST /dashboard/settings/people/:id/remove': async (world) => ({
    path: `${D}/settings/people/${await aColleague(world)}/remove`,
  }),
  'POST /dashboard/settings/people/:id/role': async (world) => ({
    path: `${D}/settings/people/${await aColleague(world)}/role`,
    form: { role: 'read-only' },
  }),
  'POST /dashboard/settings/people/withdraw': async (world) => {
    const email = `${fresh('guest')}@staff.example`;
    await invitation(world, email, world.merchantId);
    return { path: `${D}/settings/people/withdraw`, form: { email } };
  },
  'POST /dashboard/settings/wallets': () => onWallets('', { xpub: xpubOf(fresh('save')) }),
  'POST /dashboard/settings/wallets/address': () => onWallets('/address', { address: anAddress() }),
  'POST /dashboard/settings/wallets/address/save': () => onWallets('/address/save', { address: anAddress() }),
  'POST /dashboard/settings/wallets/new': () => onWallets('/new', { xpub: xpubOf(fresh('look')) }),
  'POST /dashboard/settings/wallets/skip': async ({ service, merchantId }) => {
    const wallet = { merchantId, network: 'ethereum', xpub: xpubOf(fresh('skip')) };
    await service.app.get(ExtendedKeysService).set(wallet, by('test'));
    return onWallets('/skip', { to: '5000' });
  },
  'POST /dashboard/sign-in': ({ service }, { staff }) => ({
    path: `${D}/sign-in`,
    form: { email: staff.email, password: Staff.PASSWORD },
    staff: Staff.stranger(service, staff.email),
  }),
  'POST /dashboard/sign-in/code': async ({ service }, who) => {
    const [code] = await enabled(who);
    const staff = Staff.stranger(service, who.staff.email);
    await staff.signIn(Staff.PASSWORD);
    return { path: `${D}/sign-in/code`, form: { code: code! }, staff };
  },
  'POST /dashboard/language': () => ({ path: `${D}/language`, form: { language: 'en', to: D } }),
  'POST /dashboard/sign-in/forgotten': ({ service }, { staff }) => ({
    path: `${D}/sign-in/forgotten`,
    form: { email: staff.email },
    staff: Staff.stranger(service, staff.email),
  }),
  'POST /dashboard/sign-in/passkey': async (world, who) => {
    const device = await withPasskey(world, who);
    const staff = Staff.stranger(world.service, who.staff.email);
    return { path: `${D}/sign-in/passkey`, form: await answerBy(device, staff), staff };
  },
  'POST /dashboard/sign-in/passkey/options': ({ service }) => ({
    path: `${D}/sign-in/passkey/options`,
    staff: Staff.stranger(service),
  }),
  'POST /dashboard/sign-out': () => ({ path: `${D}/sign-out` }),
};

const ADDRESSES = {
  settings: ['settings'],
  developers: ['developers'],
  money: ['payments', 'refunds', 'review'],
  operation: ['operator', 'alerts'],
};

/** Of the changes, each about as much as another: a test for each is far from the longest that one may take, on a busy machine too. */
export const PARTS = [...Object.keys(ADDRESSES), 'accounts'];

/** @param name of a change: "POST /dashboard/settings/people" is one of `settings`; what has no other part is of `accounts` */
export function partOf(name: string): string {
  const [, , address = ''] = name.split('/');
  const [part = 'accounts'] = Object.entries(ADDRESSES).find(([, all]) => all.includes(address)) ?? [];
  return part;
}
