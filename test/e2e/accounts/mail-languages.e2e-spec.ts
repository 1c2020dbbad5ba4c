import { DataSource } from 'typeorm';
import { InvitationsService } from '../../../src/modules/accounts/people/invitations.service.js';
import { ForgottenPasswords } from '../../../src/modules/accounts/sign-in/forgotten-passwords.service.js';
import { AlertsJobs } from '../../../src/modules/alerts/alerts.jobs.js';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import type { AlertKind } from '../../../src/modules/alerts/alerts.types.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { Staff } from '../../support/dashboard/staff.js';
import { by, CLI_ACTOR } from '../../support/intents/by.js';
import { MailServer } from '../../support/servers/mail-server.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

const GERMAN = { 'accept-language': 'de-CH,de;q=0.9' };
const ENGLISH = { 'accept-language': 'en' };

let mail: MailServer;
let service: Service;
let merchantId: string;

beforeAll(async () => {
  mail = await MailServer.start();
  const env = {
    SMTP_URL: mail.url,
    MAIL_FROM: 'Rappen <pay@rappen.example>',
    OPERATOR_EMAIL: 'ops@x.example',
  };
  service = await Service.start({ env });
  ({ merchantId } = await service.shop());
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

const languageOf = async ({ email }: Staff) => {
  const sql = 'SELECT language FROM person WHERE email = $1';
  const [row] = await service.app.get(DataSource).query<[{ language: string | null }]>(sql, [email]);
  return row.language;
};
const owner = () => Staff.of(service, { merchantId, role: 'owner', isEmailProven: true });
/** As the page of the mail has it: in the header it is encoded. */
const subjectOf = ({ html }: { html: string }) => /<title>(.*?)<\/title>/.exec(html)?.[1] ?? '';
/** The first mail to somebody that has such a subject. */
async function mailTo(address: string, pattern = /./) {
  const [found] = await eventually(
    () => mail.mailsTo(address).filter((one) => pattern.test(subjectOf(one))),
    ({ length }) => length > 0,
  );
  return found!;
}
const invite = (email: string, inviter: Staff) =>
  inviter.post('/dashboard/settings/people', { email, role: 'reviewer' });

it('is learnt of the browser at first, and afterwards of a choice alone', async () => {
  const somebody = await owner();
  expect(await languageOf(somebody)).toBeNull();
  await somebody.get('/dashboard', GERMAN);
  expect(await languageOf(somebody)).toBe('de');
  await somebody.get('/dashboard', ENGLISH);
  expect(await languageOf(somebody)).toBe('de');
  await somebody.post('/dashboard/language', { language: 'en', to: '/dashboard' }, GERMAN);
  await somebody.get('/dashboard', GERMAN);
  expect(await languageOf(somebody)).toBe('en');
});

it('is that of who invites, until whoever is invited has one of their own', async () => {
  const german = await owner();
  await german.get('/dashboard', GERMAN);
  await invite('new@staff.example', german);
  const { text, html } = await mailTo('new@staff.example', /^Einladung auf Rappen: /);
  expect(text).toContain(`${german.email} lädt Sie ein: `);
  expect(html).toContain('<html lang="de">');

  const english = await Staff.of(service, { isOperator: true });
  await english.get('/dashboard/account', ENGLISH);
  await invite(english.email, german);
  expect((await mailTo(english.email, /^Join /)).html).toContain('<html lang="en">');
  await service.app
    .get(InvitationsService)
    .invite({ email: 'unknown@staff.example', merchantId, role: 'owner' }, CLI_ACTOR);
  expect((await mailTo('unknown@staff.example')).text).toContain('The operator of this service invites you');
});

it('is in what people hear of their account, and in the link for a new password', async () => {
  const somebody = await owner();
  await somebody.get('/dashboard', GERMAN);
  await service.app.get(ForgottenPasswords).ask(somebody.email, '192.0.2.1');
  await mailTo(somebody.email, /^Wählen Sie ein neues Passwort/);
  const another = await owner();
  await another.get('/dashboard', ENGLISH);
  const { text, html } = await mailTo(somebody.email, /^Jemand wurde hinzugefügt/);
  expect(text).toMatch(
    new RegExp(`^Die Kommandozeile des Betreibers hat ${another.email} zu .+ hinzugefügt: Inhaber\\.`),
  );
  expect(text).toMatch(/\nWann: \d\d\.\d\d\.\d{4}, \d\d:\d\d UTC\r?\n/);
  expect(html).toContain(`<a href="${service.url}/dashboard/settings/people">`);
});

it('divides those whom an alert is mailed to: one mail in each language, and what owners read for who has no account', async () => {
  const { merchantId: another } = await service.shop(undefined, 'Laden');
  const member = (language: Record<string, string>) =>
    Staff.of(service, { merchantId: another, role: 'owner' }).then(async (staff) => {
      await staff.get('/dashboard', language);
      return staff;
    });
  const german = await member(GERMAN);
  const english = await member(ENGLISH);
  const alertEmails = [german.email, 'alerts@laden.example', english.email];
  await service.app.get(MerchantsService).set(another, { alertEmails }, by('test'));
  const raise = (kind: AlertKind, whose: string | null, subject: string, summary: string, detail: string) =>
    service.app
      .get(DataSource)
      .transaction((tx) =>
        service.app.get(AlertsService).raise(tx, { kind, merchantId: whose, subject, summary, detail }),
      );
  await raise(
    'review-entry',
    another,
    'pi_1',
    'A payment of CHF 1.00 waits for your decision',
    'Less arrived than was asked for, and the payment has expired.',
  );
  await raise('rates-unavailable', null, 'rates', 'No rate for BTC/CHF', 'Look at it.');
  while (await service.app.get(AlertsJobs).sendNext('mail'));

  const inGerman = await mailTo('alerts@laden.example');
  expect(inGerman.to).toEqual([german.email, 'alerts@laden.example']);
  expect(subjectOf(inGerman)).toBe('Eine Zahlung über CHF 1.00 wartet auf Ihren Entscheid');
  expect(inGerman.text).toContain('Es kam weniger an als verlangt, und die Zahlung ist abgelaufen.');
  expect(inGerman.text).toMatch(/Ansehen: http\S+\/dashboard\/review\/pi_1/);
  const inEnglish = await mailTo(english.email, /^A payment of CHF 1\.00/);
  expect(inEnglish.to).toEqual([english.email]);
  expect(subjectOf(await mailTo('ops@x.example'))).toBe('No rate for BTC/CHF');
});
