import { DataSource } from 'typeorm';
import { MembersService } from '../../../src/modules/accounts/people/members.service.js';
import { aPerson } from '../../support/dashboard/dashboard-stage.js';
import { Staff } from '../../support/dashboard/staff.js';
import { CLI_ACTOR } from '../../support/intents/by.js';
import { SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { Service } from '../../support/service/service.js';

const LIST = '/dashboard/payments';
const VIEWS = `${LIST}/views`;
const LARGE = { name: 'Large orders', show: 'waiting', q: 'order', min: '100', asset: 'USDC@ethereum' };
const LARGE_PATH = `${LIST}?show=waiting&q=order&asset=USDC%40ethereum&min=100`;

let service: Service;
let merchantId: string;

beforeAll(async () => {
  service = await Service.start({
    chain: SILENT_CHAIN,
    standsAt: 1_000,
    env: { TRUST_PROXY: '1' },
  });
  ({ merchantId } = await service.shop());
});
afterAll(async () => {
  await service?.stop();
});

const query = <Row>(sql: string, ...values: unknown[]) =>
  service.app.get(DataSource).query<Row[]>(sql, values);
const anOwner = () => Staff.of(service, { merchantId, role: 'owner' });

/** The links beside the tabs: where each leads by its name, and which one is open. */
async function viewsOn(
  staff: Staff,
  path = LIST,
): Promise<{ links: Record<string, string>; open: string[] }> {
  const { html } = await staff.get(path);
  const nav = /<nav class="tabs views".*?<\/nav>/s.exec(html)?.[0] ?? '';
  const found = [...nav.matchAll(/<a href="([^"]+)"([^>]*)><bdi>([^<]+)<\/bdi>/g)];
  const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#x3D;', '=');
  return {
    links: Object.fromEntries(found.map(([, href, , name]) => [name!, unescaped(href!)])),
    open: found.filter(([, , current]) => current!.includes('aria-current')).map(([, , , name]) => name!),
  };
}

async function idOf(name: string): Promise<string> {
  const [row] = await query<{ id: string }>('SELECT id FROM saved_view WHERE name = $1', name);
  return row!.id;
}

/** The sentence beside a field, or above where it belongs to none. */
const refusalIn = (html: string) =>
  (/class="flaw"[^>]*>.*?<span>([^<]+)/s.exec(html) ?? /role="alert"[^>]*>.*?<span>([^<]+)/s.exec(html))?.[1];

it('a search that is saved stands beside the tabs, and opens as it was', async () => {
  const owner = await anOwner();
  const narrowed = await owner.get(LARGE_PATH);
  expect(narrowed.html).toContain('Save this view</a>');
  const { status, location } = await owner.post(VIEWS, LARGE);
  expect([status, location]).toEqual([303, LARGE_PATH]);
  expect(await viewsOn(owner, LARGE_PATH)).toEqual({
    links: { 'Large orders': LARGE_PATH },
    open: ['Large orders'],
  });
  const { html } = await owner.get(LARGE_PATH);
  expect(html).not.toContain('Save this view</a>');
  expect(html).toContain('Rename or delete “<bdi>Large orders</bdi>”');
  expect((await viewsOn(owner, `${LIST}?show=waiting`)).open).toEqual([]);
});

it('says in words what is saved, in the reader’s language', async () => {
  const owner = await anOwner();
  const { html } = await owner.get(`${VIEWS}/new?${LARGE_PATH.split('?')[1]!}`, { 'accept-language': 'de' });
  const facts = [...html.matchAll(/<dt>([^<]+)<\/dt><dd><bdi>([^<]+)/g)].map(([, label, value]) => [
    label,
    value,
  ]);
  expect(facts).toEqual([
    ['Welche Zahlungen', 'Offen'],
    ['Suchen', 'order'],
    ['Bezahlt mit', 'USDC auf Ethereum'],
    ['Mindestens', '100'],
  ]);
});

it('is renamed and deleted, and keeps its place with a new name', async () => {
  const owner = await anOwner();
  await owner.post(VIEWS, { name: 'First', q: 'one' });
  await owner.post(VIEWS, { name: 'Second', q: 'two' });
  const path = `${VIEWS}/${await idOf('First')}`;
  const renamed = await owner.post(`${path}/rename`, { name: 'Zuerst' });
  expect([renamed.status, renamed.location]).toEqual([303, `${LIST}?q=one`]);
  expect(Object.keys((await viewsOn(owner)).links)).toEqual(['Zuerst', 'Second']);
  // The same name in other letters is no other view's.
  expect((await owner.post(`${path}/rename`, { name: 'ZUERST' })).status).toBe(303);
  const deleted = await owner.post(`${path}/delete`);
  expect([deleted.status, deleted.location]).toEqual([303, `${LIST}?q=one`]);
  expect(Object.keys((await viewsOn(owner)).links)).toEqual(['Second']);
  expect((await owner.get(path)).status).toBe(404);
});

it.each([
  ['', 'Give the view a name of at most 40 characters.'],
  ['   ', 'Give the view a name of at most 40 characters.'],
  ['é'.repeat(41), 'Give the view a name of at most 40 characters.'],
  ['late ORDERS', 'You have a view of this name already.'],
])('refuses the name "%s" beside it, and keeps what is looked for', async (name, sentence) => {
  const owner = await anOwner();
  await owner.post(VIEWS, { name: 'Late orders', q: 'late' });
  const { html, status } = await owner.post(VIEWS, { name, q: 'order-7' });
  expect([status === 409 || status === 422, refusalIn(html)]).toEqual([true, sentence]);
  expect(html).toContain('<input type="hidden" name="q" value="order-7">');
  expect(await viewsOn(owner)).toMatchObject({ links: { 'Late orders': `${LIST}?q=late` } });
});

it('takes a name of forty characters, whatever their bytes, and shows it as text', async () => {
  const owner = await anOwner();
  for (const name of ['🧾'.repeat(40), '<b>bold</b> & "quoted"'])
    expect((await owner.post(VIEWS, { name, q: name })).status).toBe(303);
  const { html } = await owner.get(LIST);
  expect(html).toContain('&lt;b&gt;bold&lt;/b&gt;');
  expect(html).not.toContain('<b>bold');
});

it('refuses what means nothing, and what is too long, above', async () => {
  const owner = await anOwner();
  const wrong = await owner.post(VIEWS, { name: 'Wrong', from: '2026-02-31' });
  expect([wrong.status, refusalIn(wrong.html)]).toEqual([422, '“From” is not a date such as 2026-11-21.']);
  const long = await owner.post(VIEWS, { name: 'Long', q: 'x'.repeat(3_000) });
  expect([long.status, refusalIn(long.html)]).toEqual([422, 'This search is too long to be saved.']);
  // As long as the field takes, in the script with the longest letters.
  expect((await owner.post(VIEWS, { name: 'Longest', q: '鑑'.repeat(255) })).status).toBe(303);
  expect(Object.keys((await viewsOn(owner)).links)).toEqual(['Longest']);
});

it('has room for twenty, and says so', async () => {
  const owner = await anOwner();
  for (let i = 1; i <= 20; i++)
    expect((await owner.post(VIEWS, { name: `View ${i}`, q: `q${i}` })).status).toBe(303);
  const { html, status } = await owner.post(VIEWS, { name: 'One more', q: 'more' });
  expect([status, refusalIn(html)]).toEqual([409, 'You have 20 saved views. Delete one first.']);
  await owner.post(`${VIEWS}/${await idOf('View 7')}/delete`);
  expect((await owner.post(VIEWS, { name: 'One more', q: 'more' })).status).toBe(303);
  expect(Object.keys((await viewsOn(owner)).links)[6]).toBe('One more');
});

it('of the same name in two tabs at once one is saved, and of two last places one is taken', async () => {
  const owner = await anOwner();
  const save = (name: string) => owner.post(VIEWS, { name, q: 'x' }).then(({ status }) => status);
  await owner.get(LIST);
  expect((await Promise.all(['Both', 'Both', 'both', 'BOTH'].map(save))).sort()).toEqual([
    303, 409, 409, 409,
  ]);
  for (let i = 2; i < 20; i++) await save(`View ${i}`);
  expect((await Promise.all(['a', 'b', 'c'].map(save))).sort()).toEqual([303, 409, 409]);
});

it('is seen and changed by nobody else, not even an owner of the merchant', async () => {
  const [reader, owner] = [await Staff.of(service, { merchantId, role: 'read-only' }), await anOwner()];
  await reader.post(VIEWS, { name: 'Of the reader', q: 'mine' });
  const path = `${VIEWS}/${await idOf('Of the reader')}`;
  expect((await viewsOn(owner)).links).toEqual({});
  for (const answer of [
    await owner.get(path),
    await owner.post(`${path}/rename`, { name: 'Taken' }),
    await owner.post(`${path}/delete`),
  ]) {
    expect(answer.status).toBe(404);
    expect(answer.html).not.toContain('Of the reader');
  }
  expect(Object.keys((await viewsOn(reader)).links)).toEqual(['Of the reader']);
});

it('is of one merchant, and goes with the person who leaves it', async () => {
  const { merchantId: otherId } = await service.shop(undefined, 'Other Shop');
  const { id, staff } = await aPerson(service, [
    [merchantId, 'reviewer'],
    [otherId, 'owner'],
  ]);
  await staff.post(VIEWS, { name: 'Here', q: 'here' });
  await staff.post('/dashboard/merchant', { merchant: otherId });
  expect((await viewsOn(staff)).links).toEqual({});
  expect((await staff.get(`${VIEWS}/${await idOf('Here')}`)).status).toBe(404);
  await staff.post(VIEWS, { name: 'Here', q: 'there' });
  await service.app.get(MembersService).remove(merchantId, id, CLI_ACTOR);
  const rows = await query('SELECT merchant_id AS "merchantId" FROM saved_view WHERE person_id = $1', id);
  expect(rows).toEqual([{ merchantId: otherId }]);
});

describe('the table itself', () => {
  let personId: string;
  beforeAll(async () => {
    ({ id: personId } = await aPerson(service, [[merchantId, 'owner']]));
  });
  const insert = (row: object) => {
    const whole = { id: 'sv_1', place: 1, name: 'A view', parameters: '{}', person: personId, ...row };
    return query(
      `INSERT INTO saved_view (id, person_id, merchant_id, place, name, parameters)
       SELECT r.id, r.person, $2, r.place, r.name, r.parameters FROM jsonb_to_record($1::jsonb)
         AS r (id text, person text, place smallint, name text, parameters jsonb)`,
      JSON.stringify({ ...whole, parameters: JSON.parse(whole.parameters) as unknown }),
      merchantId,
    );
  };

  it.each([
    ['no name', { name: '' }],
    ['a name with space around it', { name: ' A' }],
    ['a name of 41 characters', { name: 'x'.repeat(41) }],
    ['a place below the first', { place: 0 }],
    ['a twenty-first place', { place: 21 }],
    ['a list of parameters', { parameters: '[]' }],
    ['parameters without end', { parameters: `{"q": "${'x'.repeat(2_000)}"}` }],
    ['somebody who does not belong to the merchant', { person: 'usr_none' }],
  ])('takes no view with %s', async (_what, row) => {
    await expect(insert(row)).rejects.toThrow(/violates (check|foreign key) constraint/);
  });

  it('takes no second view of a name, in other letters too, nor in a place', async () => {
    await insert({});
    const twice = /violates unique constraint/;
    await expect(insert({ id: 'sv_2', place: 2, name: 'a VIEW' })).rejects.toThrow(twice);
    await expect(insert({ id: 'sv_2', name: 'Another' })).rejects.toThrow(twice);
  });
});
