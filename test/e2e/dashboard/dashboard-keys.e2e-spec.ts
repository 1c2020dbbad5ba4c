import { AuditLog } from '../../../src/modules/accounts/audit/audit-log.service.js';
import { ApiKeysService } from '../../../src/modules/auth/api-keys.service.js';
import { Api } from '../../support/api/api.js';
import { Staff } from '../../support/dashboard/staff.js';
import { Service } from '../../support/service/service.js';
import { written } from '../../support/service/written.js';

const KEYS = '/dashboard/developers/keys';
const PAYMENT = { amount: 12.5, currency: 'CHF' };

let service: Service;
let merchantId: string;
let developer: Staff;

beforeAll(async () => {
  service = await Service.start();
  ({ merchantId } = await service.shop());
  developer = await Staff.of(service, { merchantId, role: 'developer' });
});
afterAll(() => service.stop());

const keysOf = (merchant = merchantId) => service.app.get(ApiKeysService).list(merchant);
const auditOf = () => service.app.get(AuditLog).list(merchantId, 10);
const keyOn = (html: string) => /svc_live_[0-9A-Za-z]{32}/.exec(html)?.[0] ?? '';

const BOTH = { 'scope-read': 'yes', 'scope-write': 'yes' };

async function createdKey(label: string, scopes: Record<string, string> = BOTH) {
  const answer = await developer.post(KEYS, { label, ...scopes });
  const view = (await keysOf()).find((key) => key.label === label)!;
  return { answer, key: keyOn(answer.html), id: view.id };
}

it('shows a new key once, to nobody’s cache, and the API takes it at once', async () => {
  const { answer, key, id } = await createdKey('Shop <b>&</b> co');
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
  expect(answer.html).toContain('It is shown only now');
  expect((await new Api(service, key).create(PAYMENT)).status).toBe(201);
  const { html } = await developer.get('/dashboard/developers');
  expect(html).toContain('Shop &lt;b&gt;&amp;&lt;/b&gt; co');
  expect(html).not.toContain(key);
  expect((await auditOf())[0]).toMatchObject({
    action: 'key.created',
    subject: id,
    actor: developer.email,
    detail: { scopes: ['read', 'write'] },
  });
  expect(JSON.stringify(await auditOf())).not.toContain(key);
});

it.each([
  ['Read', { 'scope-read': 'yes' }],
  ['Write', { 'scope-write': 'yes' }],
  ['Read, Write', BOTH],
])(
  'names the scopes of a key as the API’s refusals do: %s',
  async (names, scopes: Record<string, string>) => {
    const label = `Of scopes ${names}`;
    const { answer } = await createdKey(label, scopes);
    const { html } = await developer.get('/dashboard/developers');
    const [row = ''] = html.split('<tr').filter((part) => part.includes(label));
    expect(row).toContain(`>${names}<`);
    expect(answer.html).toContain(names);
  },
);

it('gives a key the scopes that were chosen, and no other', async () => {
  const { key } = await createdKey('Reports', { 'scope-read': 'yes' });
  const refused = await new Api(service, key).create(PAYMENT);
  expect([refused.status, refused.body.code]).toEqual([403, 'insufficient-scope']);
});

it('asks before it revokes, and the API refuses the key from then on', async () => {
  const { key, id } = await createdKey('Old shop');
  const asked = await developer.get(`${KEYS}/${id}/revoke`);
  expect([asked.status, asked.html.includes('Old shop')]).toEqual([200, true]);
  expect((await new Api(service, key).list()).status).toBe(200); // asking changes nothing
  const answer = await developer.post(`${KEYS}/${id}/revoke`);
  expect([answer.status, answer.location]).toEqual([303, '/dashboard/developers']);
  expect((await new Api(service, key).list()).status).toBe(401);
  await written(service);
  expect((await auditOf()).filter(({ subject }) => subject === id).slice(0, 2)).toMatchObject([
    { action: 'key.refused', subject: id, actor: `key:${id}`, detail: { why: 'revoked' } },
    { action: 'key.revoked', subject: id },
  ]);
  // A second time changes nothing, and is no second entry.
  await developer.post(`${KEYS}/${id}/revoke`);
  expect((await auditOf()).filter(({ action }) => action === 'key.revoked')).toHaveLength(1);
  expect((await developer.get(`${KEYS}/${id}/revoke`)).html).toContain('revoked already');
});

it.each<[string, Record<string, string>, string]>([
  ['no label', { label: ' ', ...BOTH }, 'The label has'],
  ['no scope', { label: 'Kept as typed' }, 'has the scope'],
  ['a scope that does not exist', { label: 'Kept as typed', 'scope-admin': 'yes' }, 'has the scope'],
  ['a label that is too long', { label: 'x'.repeat(101), ...BOTH }, 'The label has'],
])('refuses %s and keeps what was typed', async (_what, fields, problem) => {
  const before = (await keysOf()).length;
  const answer = await developer.post(KEYS, fields);
  expect([answer.status, answer.html.includes(problem)]).toEqual([422, true]);
  expect(answer.html).toContain(`value="${fields['label']!.trim()}"`);
  expect((await keysOf()).length).toBe(before);
});

it('hides another merchant’s key, and a reader’s page has no form', async () => {
  const { id } = await createdKey('Ours');
  const other = await service.shop();
  const stranger = await Staff.of(service, { merchantId: other.merchantId, role: 'owner' });
  expect((await stranger.get(`${KEYS}/${id}/revoke`)).status).toBe(404);
  expect((await stranger.post(`${KEYS}/${id}/revoke`)).status).toBe(404);
  expect((await stranger.get('/dashboard/developers')).html).not.toContain('Ours');
  expect((await keysOf()).find((key) => key.id === id)?.revokedAt).toBeNull();
  const reader = await Staff.of(service, { merchantId, role: 'read-only' });
  const { html } = await reader.get('/dashboard/developers');
  expect([html.includes('Ours'), html.includes('/revoke'), html.includes('keys/new')]).toEqual([
    true,
    false,
    false,
  ]);
});
