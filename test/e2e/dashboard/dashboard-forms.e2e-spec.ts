import { isOnesOwn } from '../../support/dashboard/changes-stage.js';
import { CHANGES, partOf, PARTS } from '../../support/dashboard/dashboard-changes.js';
import { exampleShop } from '../../support/dashboard/dashboard-examples.js';
import { type DashboardRoute, dashboardRoutes } from '../../support/dashboard/dashboard-routes.js';
import {
  aPerson,
  type Asked,
  aWorld,
  enabled,
  onRefund,
  type Person,
  type World,
} from '../../support/dashboard/dashboard-stage.js';
import { type Control, type HtmlForm, postForms } from '../../support/dashboard/html-forms.js';
import { type PageAnswer, Staff } from '../../support/dashboard/staff.js';
import { SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { nameOf } from '../../support/service/routes.js';
import { Service } from '../../support/service/service.js';

/** No page of their own has their form: a script asks, it is beside the navigation, or on the answer to another form. */
const WITHOUT_A_PAGE = [
  'POST /dashboard/account/passkeys/options',
  'POST /dashboard/merchant',
  'POST /dashboard/settings/wallets',
  'POST /dashboard/settings/wallets/address/save',
  'POST /dashboard/sign-in/passkey/options',
  'POST /dashboard/sign-out',
];

/** Whatever is sent in it is an answer. A box is one by itself. */
const TAKES_ANYTHING = ['POST /dashboard/developers/webhooks/:id/enable held'];

/** Where something is wrong with one field, another is blamed: nobody learns which of the two it was. */
const BLAMED: Readonly<Record<string, string>> = { 'POST /dashboard/sign-in email': 'password' };

/** What nobody should type, in the order in which it is tried: most fields have an end. */
const WRONG = ['~'.repeat(3_000), '~', ''];

/** Shown again only where it can be nothing that has to stay secret. */
const MAY_BE_SECRET = ['xpub', 'address'];

let service: Service;
let world: World;
let routes: DashboardRoute[];

beforeAll(async () => {
  service = await Service.start({
    chain: SILENT_CHAIN,
    standsAt: 1_000,
    env: { TRUST_PROXY: '1', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Rappen <pay@rappen.example>' },
  });
  world = await aWorld(service);
  await exampleShop(service, 'Their Shop');
  routes = dashboardRoutes(service.app);
});
afterAll(async () => {
  await service?.stop();
});

interface Tried extends Asked {
  readonly staff: Staff;
}

const aWho = () =>
  aPerson(
    service,
    [
      [world.merchantId, 'owner'],
      [world.otherId, 'owner'],
    ],
    true,
  );

/** A request of the route that would be taken, in a world in which it may come. */
async function asked(route: DashboardRoute, who: Person): Promise<Tried> {
  const one = await CHANGES[nameOf(route)]!(world, who);
  return { ...one, staff: one.staff ?? who.staff };
}

/** GET pages that could hold the form, from its own address up to the list that it came from. */
function pagesNear(path: string): string[] {
  const own = path.split('/');
  const near = routes
    .filter(({ method, path: page }) => method === 'GET' && !/\.(csv|json)$/.test(page))
    .flatMap(({ path: page }) => {
      const filled = page.split('/').map((part, i) => (part.startsWith(':') ? own[i] : part));
      if (filled.some((part) => part === undefined)) return [];
      const shared = filled.findIndex((part, i) => part !== own[i]);
      return [{ page: filled.join('/'), shared: shared === -1 ? filled.length : shared }];
    })
    .filter(({ shared }) => shared > 2 || own.length <= 4);
  return near.sort((a, b) => b.shared - a.shared).map(({ page }) => page);
}

const formAt = (html: string, path: string, page: string): HtmlForm | undefined =>
  postForms(html).find(({ action }) => (action || page) === path);

async function formOf({ path, form, staff }: Tried): Promise<HtmlForm | null> {
  const payment = typeof form?.['payment'] === 'string' ? `?payment=${form['payment']}` : '';
  for (const page of pagesNear(path)) {
    const { status, html } = await staff.get(page + (payment && page === path ? payment : ''));
    const found = status === 200 ? formAt(html, path, page) : undefined;
    if (found) return found;
  }
  return null;
}

const isField = ({ type, isReadonly, name }: Control) => type !== 'hidden' && !isReadonly && name !== '';
const isBox = ({ type }: Control) => type === 'checkbox' || type === 'radio';
const isSecret = ({ type, autocomplete }: Control) =>
  type === 'password' || type === 'file' || /password|one-time-code/.test(autocomplete);

/** What the form would send as it stands, and over it what is right. */
function rightAnswers({ controls }: HtmlForm, form: Asked['form']): Record<string, string | string[]> {
  const drawn = controls
    .filter(
      (control) => isField(control) && control.type !== 'file' && (!isBox(control) || control.isChecked),
    )
    .map(({ name, value }) => [name, value] as const);
  return { ...Object.fromEntries(drawn), ...form };
}

/** @returns the answer to a form with one wrong field; `null` where that was taken */
async function refusal(
  { path, staff, form = {} }: Tried,
  drawn: HtmlForm,
  field: Control,
  wrong: string,
): Promise<PageAnswer | null> {
  const fields = { ...rightAnswers(drawn, form), [field.name]: wrong };
  if (field.type === 'checkbox') delete fields[field.name];
  if (field.type === 'file') return staff.upload(path, Buffer.from(wrong), fields as Record<string, string>);
  const answer = await staff.post(path, fields);
  return answer.status < 400 ? null : answer;
}

/** What an element says: a hint, or what was wrong with the field, beside its mark. */
function saidAt(html: string, id: string): string | undefined {
  const [, said = ''] = new RegExp(`id="${id}"[^>]*>(.*?)</(?:p|span)>`, 's').exec(html) ?? [];
  return said.replaceAll(/<[^>]*>/g, '').trim() || undefined;
}

/** @returns what is not as it must be about the answer to a wrong field */
function flawsIn(
  answer: PageAnswer,
  { path, form }: Tried,
  drawn: HtmlForm,
  field: Control,
  wrong: string,
  blamed: string,
) {
  const found: string[] = [];
  const { status, html } = answer;
  if (![409, 422].includes(status)) found.push(`status ${status}`);
  const again = formAt(html, path, path);
  if (!again) return [...found, 'is not drawn again'];
  const controls = again.controls.filter(isField);
  const own = controls.filter(({ name }) => name === blamed);
  if (own.length === 0) return [...found, 'has lost the field'];
  if (!own.every(({ isInvalid }) => isInvalid)) found.push('is not marked');
  const said = own[0]!.describedBy.map((id) => saidAt(html, id));
  if (said.length === 0 || said.includes(undefined)) found.push('says nothing beside it');
  const first = /aria-invalid="true"/.exec(html)!.index;
  const [, id] = /<a href="#([^"]+)">[^<]+ another answer<\/a>/.exec(html) ?? [];
  const start = html.lastIndexOf('<', first);
  if (id === undefined || !html.slice(start, first).includes(` id="${id}"`))
    found.push('no link to the first');
  const focused = [...html.matchAll(/<[^>]* autofocus[^>]*>/g)].map(([tag]) => tag);
  if (focused.length !== 1 || !focused[0]!.includes(` id="${id}"`)) found.push('the focus goes elsewhere');
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, one]) => one);
  if (new Set(ids).size < ids.length) found.push('has an id twice');
  const right = rightAnswers(drawn, form);
  for (const control of controls) {
    const { name, value } = control;
    const typed = name === field.name ? wrong : right[name];
    if (isSecret(control)) {
      if (value !== '') found.push(`shows ${name}`);
    } else if (isBox(control)) {
      const isSent = typed !== undefined && (control.type === 'checkbox' || value === typed);
      if (name !== field.name && control.isChecked !== isSent) found.push(`forgets ${name}`);
    } else if (control.type === 'select') {
      if (name !== field.name && value !== typed) found.push(`forgets ${name}`);
    } else if (value !== (typed ?? '').toString().trim()) {
      if (!(MAY_BE_SECRET.includes(name) && value === '' && name === field.name))
        found.push(`forgets ${name}`);
    }
  }
  return found;
}

/** The ids of fields with something wrong, as a page marks them. */
const marked = (html: string) =>
  postForms(html).flatMap(({ controls }) =>
    controls.filter(({ isInvalid }) => isInvalid).map(({ id }) => id),
  );

it('a wrong code stands beside the code, not beside the password that was right', async () => {
  const who = await aWho();
  await enabled(who);
  const { status, html } = await who.staff.post('/dashboard/confirm', {
    password: Staff.PASSWORD,
    code: '000000',
  });
  expect([status, marked(html)]).toEqual([422, ['code']]);
});

it('a refund that may be out asks again beside the box', async () => {
  const who = await aWho();
  const { path } = await onRefund(world, 'withdraw');
  await who.staff.post(path.replace(/withdraw$/, 'open'));
  const { status, html } = await who.staff.post(path);
  expect([status, marked(html)]).toEqual([409, ['sure']]);
  expect(html).toMatch(/<details class="act" open><summary>Withdraw/);
});

it('that nothing is accepted stands beside the first box, and depths beside theirs in an open part', async () => {
  const { staff } = await aWho();
  const nothing = await staff.post('/dashboard/settings/payments', { tolerance: '1' });
  expect(marked(nothing.html)[0]).toMatch(/^accept-/);
  const deep = await staff.post('/dashboard/settings/payments', {
    'accept-ETH-ethereum': 'yes',
    'settle-1-ethereum': 'deep',
  });
  expect(marked(deep.html)).toEqual(['settle-1-ethereum']);
  expect(deep.html).toMatch(/<details class="act" open><summary>Confirmations on/);
});

it('what no field is to blame for stands above, and the focus goes there', async () => {
  const { staff } = await aWho();
  const { status, html } = await staff.post('/dashboard/account/recovery-codes');
  expect([status, marked(html)]).toEqual([409, []]);
  expect(html).toMatch(/<p class="notice notice-bad" role="alert" tabindex="-1" autofocus>/);
});

/** There are more fields than that: in a form that is misread there is none. */
const FIELDS: Readonly<Record<string, number>> = {
  settings: 25,
  developers: 7,
  money: 10,
  operation: 9,
  accounts: 9,
};

it.each(PARTS)(
  'each form of %s that is refused is drawn again, with what was typed and what is wrong beside its field',
  async (part) => {
    const isHere = (name: string) => partOf(name) === part;
    const wrongs: string[] = [];
    const withoutPage: string[] = [];
    const takeAnything: string[] = [];
    let fields = 0;
    for (const route of routes.filter((each) => each.method === 'POST' && isHere(nameOf(each)))) {
      const name = nameOf(route);
      let who = await aWho();
      let one = await asked(route, who);
      const drawn = await formOf(one);
      if (!drawn) {
        withoutPage.push(name);
        continue;
      }
      const tried = drawn.controls.filter(isField);
      for (const field of tried.filter(
        (each, i) => tried.findIndex((other) => other.name === each.name) === i,
      )) {
        fields += 1;
        let answer: PageAnswer | null = null;
        for (const wrong of WRONG) {
          answer = await refusal(one, drawn, field, wrong);
          if (answer) {
            const blamed = BLAMED[`${name} ${field.name}`] ?? field.name;
            const found = flawsIn(answer, one, drawn, field, wrong, blamed);
            if (found.length > 0) wrongs.push(`${name} ${field.name}: ${found.join(', ')}`);
            break;
          }
          if (isOnesOwn(route.permission!)) who = await aWho();
          one = await asked(route, who);
        }
        if (!answer && field.type !== 'checkbox') takeAnything.push(`${name} ${field.name}`);
        if (isOnesOwn(route.permission!)) {
          who = await aWho();
          one = await asked(route, who);
        }
      }
    }
    expect(wrongs).toEqual([]);
    expect(withoutPage).toEqual(WITHOUT_A_PAGE.filter(isHere));
    expect(takeAnything).toEqual(TAKES_ANYTHING.filter(isHere));
    expect(fields).toBeGreaterThan(FIELDS[part]!);
  },
);
