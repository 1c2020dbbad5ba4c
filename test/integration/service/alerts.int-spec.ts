import { DataSource } from 'typeorm';
import { ANYBODYS } from '../../../src/database/by.js';
import { AlertsJobs } from '../../../src/modules/alerts/alerts.jobs.js';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import {
  type Acknowledgement,
  type Following,
  type NewAlert,
} from '../../../src/modules/alerts/alerts.types.js';
import { FacesService } from '../../../src/modules/merchants/faces.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { Mailer } from '../../../src/platform/mail/mailer.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { disc, pngOf } from '../../support/browser/logo.js';
import { Staff } from '../../support/dashboard/staff.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { by } from '../../support/intents/by.js';
import { MailServer, mailText } from '../../support/servers/mail-server.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

const OPERATOR = 'ops@example.com';

let mailServer: MailServer;
let database: TestDatabase;
let service: Service;
let dataSource: DataSource;
let alerts: AlertsService;
let subjects = 0;

beforeAll(async () => {
  mailServer = await MailServer.start();
  database = await createTestDatabase();
  service = await start();
  dataSource = service.app.get(DataSource);
  alerts = service.app.get(AlertsService);
});
afterAll(async () => {
  await service.stop();
  await database.drop();
  await mailServer.stop();
});

const start = () =>
  Service.start({
    databaseUrl: database.url,
    env: { SMTP_URL: mailServer.url, MAIL_FROM: 'Rappen <pay@example.com>', OPERATOR_EMAIL: OPERATOR },
  });

async function merchant(...alertEmails: string[]): Promise<string> {
  const { merchantId } = await service.shop();
  await service.app.get(MerchantsService).set(merchantId, { alertEmails }, by('test'));
  return merchantId;
}

function anAlert(merchantId: string | null, given: Partial<NewAlert> = {}): NewAlert {
  subjects += 1;
  return {
    kind: merchantId === null ? 'network-unavailable' : 'review-entry',
    subject: `subject_${subjects}`,
    merchantId,
    summary: `Alert ${subjects}`,
    detail: 'Something happened.',
    ...given,
  };
}

const raise = (alert: NewAlert) => dataSource.transaction((tx) => alerts.raise(tx, alert));
/** Without waiting for the job's turn. */
async function sendAll(from: Service = service): Promise<void> {
  while (await from.app.get(AlertsJobs).sendNext('mail'));
}
const resolve = ({ kind, subject }: NewAlert, unseenForS?: number) =>
  dataSource.transaction((tx) => alerts.resolve(tx, kind, subject, unseenForS));
const subjectsTo = async (email: string, count: number) =>
  (
    await eventually(
      () => mailServer.mailsTo(email),
      ({ length }) => length >= count,
    )
  ).map(({ headers }) => headers['subject']);
const acknowledge = (id: string, name: string, whose: Acknowledgement['whose'] = ANYBODYS) =>
  alerts.acknowledge(dataSource.manager, id, by(name), { note: 'known', whose });
const stored = async ({ merchantId, subject }: NewAlert) =>
  (await alerts.list({ merchantId, pageSize: 100 })).items.filter((alert) => alert.subject === subject);

describe('an alert', () => {
  it('is one per kind and subject until it is resolved, with the latest words', async () => {
    const alert = anAlert(await merchant());
    await Promise.all([raise(alert), raise(alert), raise(alert)]);
    await raise({ ...alert, detail: 'It got worse.' });
    expect(await stored(alert)).toMatchObject([{ detail: 'It got worse.', resolvedAt: null }]);
    await resolve(alert);
    await raise(alert);
    expect(await stored(alert)).toMatchObject([
      { resolvedAt: null },
      { resolvedAt: expect.any(Date) as Date },
    ]);
  });

  it('does not exist when the transaction of its trouble is rolled back', async () => {
    const alert = anAlert(await merchant());
    await dataSource
      .transaction(async (tx) => {
        await alerts.raise(tx, alert);
        throw new Error('no');
      })
      .catch(() => undefined);
    expect(await stored(alert)).toEqual([]);
  });

  it('is not resolved by one who sees nothing while another has just seen it', async () => {
    const alert = anAlert(null);
    await raise(alert);
    await resolve(alert, 3600);
    expect(await stored(alert)).toMatchObject([{ resolvedAt: null }]);
  });

  it('counts and is listed as open until somebody acknowledges it, who stays the one', async () => {
    const merchantId = await merchant();
    const alert = anAlert(merchantId);
    await raise(alert);
    const [{ id } = { id: '' }] = await stored(alert);
    expect(await alerts.openCount(merchantId)).toBe(1);
    expect(await acknowledge(id, 'ann', merchantId)).toMatchObject({ acknowledgedBy: 'ann' });
    expect(await acknowledge(id, 'bob')).toMatchObject({ acknowledgedBy: 'ann' });
    expect(await alerts.openCount(merchantId)).toBe(0);
    expect(await alerts.list({ merchantId, open: true })).toEqual({ items: [], total: 0 });
    await raise(alert);
    expect(await alerts.openCount(merchantId)).toBe(0);
  });

  it('is nobody else’s to acknowledge or to see', async () => {
    const [mine, other] = [await merchant(), await merchant()];
    const alert = anAlert(mine);
    await raise(alert);
    const [{ id } = { id: '' }] = await stored(alert);
    await expect(acknowledge(id, 'eve', other)).rejects.toThrow('no alert');
    await expect(acknowledge(id, 'eve', null)).rejects.toThrow('no alert');
    expect((await alerts.list({ merchantId: other })).total).toBe(0);
    expect((await alerts.list({ merchantId: mine })).total).toBe(1);
  });

  describe('of kinds that follow a list', () => {
    const kinds = ['wallet-gap', 'coin-unwatched'] as const;
    type Listed = NewAlert<(typeof kinds)[number]>;
    const listed = (kind: Listed['kind']): Listed => ({ ...anAlert(null), kind });
    const follow = (troubles: readonly Listed[], how: Following = {}) =>
      alerts.follow(dataSource.manager, kinds, () => Promise.resolve(troubles), how);
    const isOver = async (alert: NewAlert) =>
      (await stored(alert)).map(({ resolvedAt }) => resolvedAt !== null);

    it('is raised while the list has it, and over when it has it no more', async () => {
      const [gap, crowd, other] = [listed('wallet-gap'), listed('coin-unwatched'), anAlert(null)];
      await raise(other);
      await follow([gap, crowd]);
      expect([await isOver(gap), await isOver(crowd)]).toEqual([[false], [false]]);
      // The same subject of another kind is another trouble.
      await follow([{ ...gap, kind: 'coin-unwatched' }, crowd]);
      expect(await isOver(gap)).toEqual([false, true]);
      await follow([]);
      expect([await isOver(gap), await isOver(crowd)]).toEqual([[true, true], [true]]);
      expect(await isOver(other)).toEqual([false]);
    });

    it('stays as it is while the list has it and it is not due', async () => {
      const [standing, fresh] = [listed('wallet-gap'), listed('coin-unwatched')];
      await follow([standing]);
      await follow([{ ...standing, detail: 'It got worse.' }, fresh], { isDue: () => false });
      expect(await stored(standing)).toMatchObject([{ detail: standing.detail, resolvedAt: null }]);
      expect(await stored(fresh)).toEqual([]);
      await follow([]);
    });

    it('is not over while another instance may still see it, or raises it during the look', async () => {
      const [seen, late] = [listed('wallet-gap'), listed('coin-unwatched')];
      await follow([seen]);
      await follow([], { unseenForS: ({ kind }) => (kind === 'wallet-gap' ? 3600 : 0) });
      expect(await isOver(seen)).toEqual([false]);
      await alerts.follow(dataSource.manager, kinds, async () => {
        await raise(late);
        return [];
      });
      expect([await isOver(seen), await isOver(late)]).toEqual([[true], [false]]);
      await follow([]);
    });
  });

  it('is a number for Prometheus', async () => {
    await raise(anAlert(null, { kind: 'network-halted' }));
    const text = await service.app.get(Metrics).text();
    expect(text).toContain('rappen_alerts_open{kind="network-halted"} 1');
    expect(text).toMatch(/rappen_alert_oldest_age_seconds\{kind="network-halted"\} \d/);
  });
});

describe('a mail', () => {
  it('goes to everybody who is set for the merchant’s alerts, and says where to look', async () => {
    const alert = anAlert(await merchant('a@shop.example', 'b@shop.example'), { subject: 'pi_1' });
    await raise(alert);
    await sendAll();
    const [mail] = await eventually(
      () => mailServer.mailsTo('a@shop.example'),
      ({ length }) => length > 0,
    );
    const [row] = await eventually(
      () => stored(alert),
      (rows) => rows[0]?.mailedAt != null,
    );
    expect(mail).toMatchObject({
      from: 'pay@example.com',
      to: ['a@shop.example', 'b@shop.example'],
      headers: {
        from: 'Rappen <pay@example.com>',
        subject: alert.summary,
        'message-id': `<${row?.id}_en@example.com>`,
        'auto-submitted': 'auto-generated',
      },
    });
    expect(mail?.text).toContain('Something happened.');
    expect(mail?.text).toContain(`${service.config.baseUrl}/dashboard/review/pi_1`);
    expect(mail?.html).toContain(`<a href="${service.config.baseUrl}/dashboard/review/pi_1">`);
    expect(mail?.html).toContain('<p class="letter-head">Test Shop</p>');
  });

  it('has the merchant’s logo in itself, and its colour', async () => {
    const merchantId = await merchant('face@shop.example');
    const logo = pngOf(160, 64, disc([180, 30, 20], 64));
    const face = await service.app.get(FacesService).set(merchantId, { color: '#0a5c36', logo }, by('test'));
    await raise(anAlert(merchantId));
    await sendAll();
    const [mail] = await eventually(
      () => mailServer.mailsTo('face@shop.example'),
      ({ length }) => length > 0,
    );
    expect(mail?.text).toContain('Something happened.');
    expect(mail?.html).toContain('<img src="cid:logo" width="80" height="32" alt="">Test Shop');
    expect(mail?.html).toContain('2px solid #0a5c36');
    const picture = mail?.parts.find(({ headers }) => headers['content-type']?.startsWith('image/png'));
    expect(picture?.headers).toMatchObject({
      'content-id': '<logo>',
      'content-disposition': expect.stringMatching(/^inline/),
    });
    const stored = await service.app.get(FacesService).logo(face.logo!.hash);
    expect(Buffer.from(picture?.body ?? '', 'base64').equals(stored!)).toBe(true);
  });

  it('goes to the operator about what is the operator’s', async () => {
    const alert = anAlert(null);
    await raise(alert);
    await sendAll();
    const mails = await eventually(
      () => mailServer.mailsTo(OPERATOR).filter(({ headers }) => headers['subject'] === alert.summary),
      ({ length }) => length > 0,
    );
    expect(mails[0]?.text).toContain('/dashboard/operator');
  });

  it('is tried again after a refusal, and then sent once', async () => {
    const alert = anAlert(await merchant('again@shop.example'));
    await refuseNext(451, 550);
    await raise(alert);
    for (const left of [1, 0]) {
      await sendAll();
      await eventually(
        () => mailServer.refusals.length,
        (length) => length <= left,
      );
      await eventually(hasteRetries, (hastened) => hastened > 0);
    }
    await sendAll();
    await eventually(
      () => stored(alert),
      (rows) => rows[0]?.mailedAt != null,
    );
    expect(mailServer.mailsTo('again@shop.example')).toHaveLength(1);
  });

  it('reaches the others when one of its addresses does not exist', async () => {
    mailServer.unknown.add('gone@shop.example');
    await raise(anAlert(await merchant('gone@shop.example', 'here@shop.example')));
    await sendAll();
    await eventually(
      () => mailServer.mailsTo('here@shop.example'),
      ({ length }) => length === 1,
    );
  });

  it('reaches a reader of one language where the mailbox of the other’s is gone, and nobody twice', async () => {
    mailServer.unknown.add('left@shop.example');
    const merchantId = await merchant();
    const { email } = await Staff.of(service, { merchantId, role: 'reviewer', isEmailProven: true });
    await dataSource.query(`UPDATE person SET language = 'de' WHERE email = $1`, [email]);
    const alertEmails = ['left@shop.example', email];
    await service.app.get(MerchantsService).set(merchantId, { alertEmails }, by('test'));
    const alert = anAlert(merchantId);
    await raise(alert);
    await sendAll();
    await eventually(
      () => stored(alert),
      (rows) => rows[0]?.mailedAt != null,
    );
    expect(mailServer.mailsTo(email)).toHaveLength(1);
  });

  it('reaches an address whose server wants it later, though another has taken it', async () => {
    mailServer.busy.add('later@shop.example');
    await raise(anAlert(await merchant('later@shop.example', 'now@shop.example')));
    await sendAll();
    await eventually(
      () => mailServer.mailsTo('now@shop.example'),
      ({ length }) => length === 1,
    );
    mailServer.busy.delete('later@shop.example');
    const [mail] = await eventually(
      async () => {
        await dataSource.query(
          'UPDATE alert_mail SET next_attempt_at = clock_timestamp() WHERE next_attempt_at > clock_timestamp() AND lease_token IS NULL',
        );
        await service.app.get(AlertsJobs).sendCollected();
        return mailServer.mailsTo('later@shop.example');
      },
      ({ length }) => length > 0,
    );
    expect(mailText(mail!)).toContain('One more alert');
    expect(mailServer.mailsTo('now@shop.example')).toHaveLength(1);
  });

  it('is not sent any more once the trouble is over', async () => {
    const merchantId = await merchant('calm@shop.example');
    const [over, last] = [anAlert(merchantId), anAlert(merchantId)];
    await dataSource.transaction(async (tx) => {
      await alerts.raise(tx, over);
      await alerts.resolve(tx, over.kind, over.subject);
    });
    await raise(last);
    await sendAll();
    expect(await subjectsTo('calm@shop.example', 1)).toEqual([last.summary]);
  });

  it('is sent although somebody has said that they know, before the first try or after one that failed', async () => {
    const merchantId = await merchant('told@shop.example');
    const [untried, tried] = [anAlert(merchantId), anAlert(merchantId)];
    await refuseNext(451);
    await raise(tried);
    await sendAll();
    await eventually(
      () => mailServer.refusals.length,
      (length) => length === 0,
    );
    const [{ id } = { id: '' }] = await stored(tried);
    await acknowledge(id, 'a thief', merchantId);
    // In one transaction: no job can have been quicker.
    await dataSource.transaction(async (tx) => {
      await alerts.raise(tx, untried);
      const rows = await tx.query<{ id: string }[]>('SELECT id FROM alert WHERE subject = $1', [
        untried.subject,
      ]);
      await alerts.acknowledge(tx, rows[0]!.id, by('a thief'), { note: null, whose: merchantId });
    });
    await hasteRetries();
    await sendAll();
    const sent = await subjectsTo('told@shop.example', 2);
    expect(sent.sort()).toEqual([untried, tried].map(({ summary }) => summary).sort());
  });

  it('is dropped when nobody is set for the merchant’s alerts', async () => {
    await raise(anAlert(await merchant()));
    await sendAll();
    await eventually(waiting, (count) => count === 0);
  });

  it('is one mail however many instances look', async () => {
    const second = await start();
    const merchantId = await merchant();
    const { email } = await Staff.of(service, { merchantId, role: 'reviewer', isEmailProven: true });
    await service.app.get(MerchantsService).set(merchantId, { alertEmails: [email] }, by('test'));
    const many = Array.from({ length: 20 }, () => anAlert(merchantId));
    await dataSource.transaction(async (tx) => {
      for (const alert of many) await alerts.raise(tx, alert);
    });
    await Promise.all([service, second, service, second].map(sendAll));
    await eventually(waiting, (count) => count === 0);
    const received = mailServer.mailsTo(email).map(({ headers }) => headers['subject']);
    const sent = received.filter((subject) => /^Alert \d+$/.test(subject ?? ''));
    expect(sent.sort()).toEqual(many.map(({ summary }) => summary).sort());
    await second.stop();
  });

  it('has one subject line whatever a person typed into it', async () => {
    const subject = 'Order\r\nBcc: eve@example.com\r\n\r\nHello\u2028é';
    await service.app.get(Mailer).send({ to: ['header@shop.example'], subject, text: 'x', language: 'en' });
    const [mail] = mailServer.mailsTo('header@shop.example');
    expect(mail?.to).toEqual(['header@shop.example']);
    expect(Object.keys(mail?.headers ?? {})).not.toContain('bcc');
    expect(mail?.text.trim()).toBe('x');
  });
});

it.each([
  ['a@shop.example, b@shop.example'],
  ['Shop <a@shop.example>'],
  ['a@shop.example\nBcc: b@x.example'],
])('refuses %j as a merchant’s address', async (address) => {
  await expect(merchant(address)).rejects.toThrow('plain addresses');
});

it('keeps no backlog of mails where no server is configured', async () => {
  const silent = await Service.start();
  const own = silent.app.get(DataSource);
  await own.transaction((tx) => silent.app.get(AlertsService).raise(tx, anAlert(null)));
  expect(await silent.app.get(AlertsService).openCount(null)).toBe(1);
  expect(await own.query('SELECT 1 FROM alert_notice')).toEqual([]);
  await silent.stop();
});

/** Only once nothing else is under way that would take the refusal instead. */
async function refuseNext(...codes: number[]): Promise<void> {
  await eventually(waiting, (count) => count === 0);
  mailServer.refusals = codes;
}

/** What waits for its next try is due now. */
async function hasteRetries(): Promise<number> {
  const rows = await dataSource.query<[unknown[], number]>(
    'UPDATE alert_notice SET next_attempt_at = clock_timestamp() WHERE lease_token IS NULL AND attempts > 0',
  );
  return rows[1];
}

async function waiting(): Promise<number> {
  const [row] = await dataSource.query<[{ count: number }]>(
    'SELECT count(*)::int AS count FROM alert_notice',
  );
  return row.count;
}
