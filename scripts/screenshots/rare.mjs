// Pages of the dashboard that no link leads to: what a form, a mail or a breakdown brings. Last of all, because the sandbox
// is another one afterwards: its owner signs in with a code, one of its nodes has hung, and it sends no mail any more.
import { base32nopad } from '@scure/base';

const { codeAt, stepAt } = await import('../../src/modules/accounts/second-factors/domain/totp.ts');
const { xpubOf } = await import('../../test/support/nodes/wallet.ts');
const { eventually } = await import('../../test/support/servers/receiver.ts');
const { signIn } = await import('./dashboard.mjs');
const { at, LOOK, shots } = await import('./shots.mjs');

/** Invited by `answers` in everything.mjs. */
export const COLLEAGUE = 'ann@shop.example';
const NEWCOMER = 'ben@shop.example';
const COLLEAGUES_PASSWORD = 'a sentence that nobody guesses';
const OTHER_MERCHANT = 'Kaffeehaus Nord';
/** A hung node is noticed by its time-outs, and told once it has been seen three times. */
const UNTIL_ALERT_MS = 300_000;

export async function* rarePages(browser, { sandbox, dashboard, mailbox }) {
  const context = await browser.newContext(LOOK);
  const page = await context.newPage();
  const site = new Site(page, dashboard.url);
  await signIn(page, dashboard);
  yield* decided(site);
  yield* keyThatIsSet(site);
  yield* joining(browser, site, mailbox);
  yield* forgotten(browser, dashboard, mailbox);
  yield* alerts(site);
  const node = sandbox.servers().find(({ name }) => name.startsWith('anvil-polygon'));
  process.kill(node.pid, 'SIGSTOP');
  try {
    yield* secondFactor(browser, site, dashboard);
    yield* hungNode(site);
  } finally {
    process.kill(node.pid, 'SIGCONT');
  }
  yield* withoutMail(site, sandbox);
  await context.close();
}

/** The dashboard as one person goes through it. */
class Site {
  constructor(page, url) {
    this.page = page;
    this.url = url;
  }

  open(path) {
    return this.page.goto(`${this.url}/${path}`);
  }

  async send() {
    await this.page.locator('main form .button-main').last().click();
    await this.page.waitForLoadState('load');
  }

  at(name, path) {
    return at(this.page, `dashboard/${name}`, `${this.url}/${path}`);
  }

  /** The page that is there, which cannot be asked for again. */
  now(name) {
    return shots(this.page, `dashboard/${name}`, null);
  }
}

async function* decided(site) {
  const { page } = site;
  await site.open('review');
  await page.locator('.table .what a').last().click();
  const entry = new URL(page.url()).pathname.split('/').at(-1);
  const form = page.locator('form[action$="/dismiss"]');
  await form.locator('[name=note]').fill('A test of our own: the money stays where it is.');
  await form.locator('button').click();
  await page.waitForURL(/review$/);
  yield* site.at('review-decided', `review/${entry}`);
}

async function* keyThatIsSet(site) {
  const preview = async () => {
    await site.open('settings/wallets/new?network=ethereum');
    await site.page.fill('[name=xpub]', xpubOf('screenshots'));
    await site.send();
  };
  await preview();
  yield* site.now('wallet-preview');
  await site.send();
  await preview();
  yield* site.now('wallet-preview-set');
}

/** Somebody new takes the link of the mail, and is then asked to join another merchant with the account that they have. */
async function* joining(browser, site, mailbox) {
  const context = await browser.newContext(LOOK);
  const ann = new Site(await context.newPage(), site.url);
  const first = await linkIn(mailbox, COLLEAGUE, 1);
  yield* at(ann.page, 'dashboard/link-invitation', first);
  await ann.page.fill('[name=password]', COLLEAGUES_PASSWORD);
  await ann.send();
  await signIn(ann.page, { url: site.url, email: COLLEAGUE, password: COLLEAGUES_PASSWORD });

  await inviteOwner(site, COLLEAGUE);
  yield* site.now('operator-invited');

  const second = await linkIn(mailbox, COLLEAGUE, 2);
  yield* at(ann.page, 'dashboard/link-of-an-account', second);
  yield* ann.at('invitation-accept', `invitations/link/${second.split('/').at(-1)}`);
  yield* ann.at('invitations-open', 'invitations');
  yield* ann.at('home-invited', '');
  await context.close();
}

/** As the operator does it for a merchant. */
async function inviteOwner(site, email) {
  await site.open('operator/merchants');
  await site.page.getByRole('link', { name: OTHER_MERCHANT }).click();
  await site.open(`${new URL(site.page.url()).pathname.replace(/^\/dashboard\//, '')}/invite`);
  await site.page.fill('[name=email]', email);
  await site.send();
}

async function* forgotten(browser, { url, email }, mailbox) {
  const context = await browser.newContext(LOOK);
  const stranger = new Site(await context.newPage(), url);
  await stranger.open('sign-in/forgotten');
  await stranger.page.fill('[name=email]', email);
  await stranger.send();
  yield* stranger.now('sign-in-forgotten-asked');
  yield* at(stranger.page, 'dashboard/link-reset', await linkIn(mailbox, email, 1));
  await context.close();
}

/** What waits in the review queue is told as well; of one of them somebody says that they know. */
async function* alerts(site) {
  yield* site.at('alerts', 'alerts');
  await site.page.locator('.alert summary').first().click();
  const form = site.page.locator('.alert form').first();
  await form.locator('textarea').fill('Ann asks the buyer by mail.');
  await form.locator('button').click();
  await site.page.waitForLoadState('load');
  yield* site.at('alerts-all', 'alerts?show=all');
}

async function* secondFactor(browser, site, { url, email, password }) {
  const { page } = site;
  yield* site.at('confirm', 'confirm?to=/dashboard/account');
  await site.open('account/second-factor');
  await site.send();
  yield* site.now('second-factor-begun');
  const shown = await page.locator('code.whole').innerText();
  const secret = Buffer.from(base32nopad.decode(shown.replaceAll(/\s/g, '')));
  await page.fill('[name=code]', '000000');
  await site.send();
  yield* site.now('second-factor-refused');
  await page.fill('[name=code]', codeAt(secret, stepAt(new Date())));
  await site.send();
  yield* site.now('recovery-codes-new');
  yield* site.at('recovery-codes', 'account/recovery-codes');
  yield* site.at('confirm-code', 'confirm?to=/dashboard/account');

  const context = await browser.newContext(LOOK);
  const signedOut = new Site(await context.newPage(), url);
  await signedOut.open('sign-in');
  await signedOut.page.fill('[name=email]', email);
  await signedOut.page.fill('[name=password]', password);
  await signedOut.send();
  yield* signedOut.now('sign-in-code');
  await context.close();
}

async function* hungNode(site) {
  const isTold = async () => {
    await site.page.waitForTimeout(5_000);
    await site.open('operator/alerts');
    return (await site.page.locator('.alert').count()) > 0;
  };
  await eventually(isTold, Boolean, UNTIL_ALERT_MS);
  yield* site.at('operator-alerts-open', 'operator/alerts');
  yield* site.at('operator-unwell', 'operator');
}

/** Where nothing is mailed, whoever invites hands the link over. */
async function* withoutMail(site, sandbox) {
  await sandbox.stop();
  delete process.env['SMTP_URL'];
  delete process.env['MAIL_FROM'];
  await sandbox.start();
  await site.open('settings/people/new');
  await site.page.fill('[name=email]', NEWCOMER);
  await site.send();
  yield* site.now('person-invited-link');
  await inviteOwner(site, NEWCOMER);
  yield* site.now('operator-invited-link');
}

/** The link of the mail that came to somebody as the nth with one. */
function linkIn(mailbox, email, nth) {
  const LINK = /https?:\/\/\S*\/dashboard\/link\/[\w-]+/;
  const found = () => mailbox.mailsTo(email).flatMap(({ text }) => LINK.exec(text)?.[0] ?? [])[nth - 1];
  return eventually(found, (link) => link !== undefined, 30_000);
}
