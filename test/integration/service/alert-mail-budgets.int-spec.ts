import { DataSource } from 'typeorm';
import { AlertsJobs } from '../../../src/modules/alerts/alerts.jobs.js';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import type { NewAlert } from '../../../src/modules/alerts/alerts.types.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { Retention } from '../../../src/platform/retention/retention.js';
import { Staff } from '../../support/dashboard/staff.js';
import { by } from '../../support/intents/by.js';
import { MailServer, mailText } from '../../support/servers/mail-server.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

const OPERATOR = 'ops@example.com';
const ALERT = /^Alert \d+$/m;
const MORE = /^(One|\d+) more alerts?$/m;

let mailServer: MailServer;
let service: Service;
let dataSource: DataSource;
let alerts: AlertsService;
let subjects = 0;

beforeAll(async () => {
  mailServer = await MailServer.start();
  const env = {
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Rappen <pay@example.com>',
    OPERATOR_EMAIL: OPERATOR,
  };
  service = await Service.start({ env });
  dataSource = service.app.get(DataSource);
  alerts = service.app.get(AlertsService);
});
afterAll(async () => {
  await service.stop();
  await mailServer.stop();
});

async function merchant(...alertEmails: string[]): Promise<string> {
  const { merchantId } = await service.shop();
  await mailing(merchantId, alertEmails);
  return merchantId;
}

const mailing = (merchantId: string, alertEmails: string[]) =>
  service.app.get(MerchantsService).set(merchantId, { alertEmails }, by('test'));

/** With the mailbox of one of its people, which is proved. */
async function merchantOfMember(): Promise<{ merchantId: string; email: string }> {
  const merchantId = await merchant();
  const { email } = await Staff.of(service, { merchantId, role: 'reviewer', isEmailProven: true });
  await mailing(merchantId, [email]);
  return { merchantId, email };
}

async function raise(merchantId: string | null, times = 1): Promise<NewAlert[]> {
  const raised = Array.from({ length: times }, (): NewAlert => {
    subjects += 1;
    const kind = merchantId === null ? 'network-unavailable' : 'webhook-endpoint-disabled';
    const words = { summary: `Alert ${subjects}`, detail: 'Something happened.' };
    return { kind, subject: `subject_${subjects}`, merchantId, ...words };
  });
  await dataSource.transaction(async (tx) => {
    for (const alert of raised) await alerts.raise(tx, alert);
  });
  return raised;
}

/** As several instances do, until nothing is left that may go now. */
async function sendAll(): Promise<void> {
  const jobs = service.app.get(AlertsJobs);
  const one = async () => {
    while (await jobs.mailNext());
  };
  await Promise.all([one(), one(), one()]);
  await eventually(
    async () => {
      const [row] = await dataSource.query<[{ due: number }]>(
        `SELECT (SELECT count(*) FROM alert_notice WHERE attempts = 0 OR lease_token IS NOT NULL)::int +
                (SELECT count(*) FROM alert_mail WHERE lease_token IS NOT NULL)::int AS due`,
      );
      return row.due;
    },
    (due) => due === 0,
  );
}

/** Everything that was counted, and waits, is so much older. */
const letPass = (minutes: number) =>
  dataSource.query(
    `UPDATE alert_mail SET counted_at = counted_at - make_interval(mins => $1),
                           next_attempt_at = next_attempt_at - make_interval(mins => $1)`,
    [minutes],
  );

const mailsTo = (address: string, pattern: RegExp, name = '') =>
  mailServer
    .mailsTo(address)
    .map(mailText)
    .filter((text) => pattern.test(text) && text.includes(name));
/** How many alerts the mails say that there were more. */
const toldMore = (address: string) =>
  mailsTo(address, MORE).map((text) => Number(MORE.exec(text)?.[1]?.replace('One', '1')));
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

it('is five mails an hour to an address that nobody proved, whoever names it, and one of each with the others', async () => {
  const { merchantId: own, email } = await merchantOfMember();
  const [local, domain] = email.split('@');
  // Spellings of one mailbox.
  const spellings = [email, `${local}+a@${domain}`, `${local}+b@${domain}`] as const;
  const attackers = [await merchant(spellings[0]), await merchant(spellings[1], spellings[2])] as const;
  for (let round = 0; round < 20; round++) {
    const raised = [...(await raise(attackers[0])), ...(await raise(attackers[1]))];
    await sendAll();
    // An endpoint that is enabled again: the next time is another alert.
    for (const { kind, subject } of raised) await alerts.resolve(dataSource.manager, kind, subject);
  }
  const singly = () => sum(spellings.map((address) => mailsTo(address, ALERT).length));
  expect(singly()).toBe(5);
  expect(spellings.flatMap(toldMore)).toEqual([]);

  await raise(own, 20);
  await sendAll();
  expect(singly()).toBe(25);

  await letPass(61);
  await sendAll();
  // Each of twenty rounds was for three addresses of two merchants.
  expect(spellings.flatMap(toldMore)).toHaveLength(3);
  expect(5 + sum(spellings.flatMap(toldMore))).toBe(60);
  const [text] = mailsTo(email, MORE);
  expect(text).toContain(`${service.config.baseUrl}/dashboard/alerts\r\n`);
});

it('is told in turn where many name one address, and no more of it in the next hour', async () => {
  const address = 'crowd@shop.example';
  const first = await merchant(address);
  const crowd = [first];
  while (crowd.length < 8) crowd.push(await merchant(address));
  await raise(first, 5);
  await sendAll();
  for (const one of crowd) await raise(one, 3);
  await sendAll();
  expect(mailsTo(address, ALERT)).toHaveLength(5);
  await letPass(61);
  await sendAll();
  expect(toldMore(address)).toEqual([3, 3, 3, 3, 3]);
  // The first comes again, and is behind those who wait.
  await raise(first);
  await sendAll();
  await letPass(61);
  await sendAll();
  expect(toldMore(address)).toEqual([3, 3, 3, 3, 3, 3, 3, 3, 1]);
  expect(mailsTo(address, ALERT)).toHaveLength(5);
});

it('is twenty an hour to a member, and to the operator, and the others together', async () => {
  const { merchantId, email } = await merchantOfMember();
  for (const [whose, address, page] of [
    [merchantId, email, '/dashboard/alerts'],
    [null, OPERATOR, '/dashboard/operator/alerts'],
  ] as const) {
    await raise(whose, 22);
    await sendAll();
    const singly = mailsTo(address, /You get this mail because/).length;
    expect(singly).toBe(20);
    // The operator also hears of the service itself.
    await letPass(61);
    await sendAll();
    expect(singly + sum(toldMore(address))).toBeGreaterThanOrEqual(22);
    expect(toldMore(address)).toHaveLength(1);
    expect(mailsTo(address, MORE)[0]).toContain(`${service.config.baseUrl}${page}\r\n`);
  }
});

it('is fifty an hour of one merchant to addresses that nobody proved, also when it names others each time', async () => {
  const merchantId = await merchant();
  const reached = (round: number) => `r${round}a0@shop.example`;
  for (let round = 0; round < 6; round++) {
    await mailing(
      merchantId,
      Array.from({ length: 10 }, (_, i) => `r${round}a${i}@shop.example`),
    );
    await raise(merchantId);
    await sendAll();
  }
  expect([0, 1, 2, 3, 4, 5].map((round) => mailsTo(reached(round), ALERT).length)).toEqual([
    1, 1, 1, 1, 1, 0,
  ]);
  // Whoever is set no more is not told.
  await mailing(merchantId, [reached(5)]);
  await letPass(61);
  await sendAll();
  expect([0, 5].map((round) => toldMore(reached(round)))).toEqual([[], [1]]);
  expect(toldMore('r5a1@shop.example')).toEqual([]);
});

it('counts an alert once, however often it is tried, and reaches an address that is set meanwhile', async () => {
  const [full, free, late] = ['full@shop.example', 'free@shop.example', 'late@shop.example'];
  const merchantId = await merchant(full, free);
  await raise(await merchant(full), 5);
  await sendAll();
  mailServer.refusals = [451, 451];
  await raise(merchantId);
  await sendAll();
  await haste();
  await sendAll();
  await mailing(merchantId, [full, free, late]);
  await haste();
  await sendAll();
  expect([free, late].map((address) => mailsTo(address, ALERT).length)).toEqual([1, 1]);
  await raise(await merchant(free), 4);
  await sendAll();
  expect(mailsTo(free, ALERT)).toHaveLength(5);
  await letPass(61);
  await sendAll();
  expect(toldMore(full)).toEqual([1]);
});

it('is tried again where a server refuses what is told together', async () => {
  const address = 'again@shop.example';
  await raise(await merchant(address), 7);
  await sendAll();
  await letPass(61);
  mailServer.refusals = [451];
  await sendAll();
  expect(toldMore(address)).toEqual([]);
  await letPass(1);
  await sendAll();
  expect(toldMore(address)).toEqual([2]);
});

it('is forgotten a day after it was counted, and what waits is not', async () => {
  const address = 'forgotten@shop.example';
  await raise(await merchant(address), 6);
  await sendAll();
  const kept = async () => {
    await service.app.get(Retention).run();
    const sql = 'SELECT counted_at IS NULL AS waits FROM alert_mail WHERE address = $1 ORDER BY 1';
    return (await dataSource.query<{ waits: boolean }[]>(sql, [address])).map(({ waits }) => waits);
  };
  expect(await kept()).toEqual([false, false, false, false, false, true]);
  await dataSource.query(`UPDATE alert_mail SET counted_at = counted_at - interval '1 day'`);
  expect(await kept()).toEqual([true]);
});

/** What waits for its next try is due now. */
const haste = () =>
  dataSource.query('UPDATE alert_notice SET next_attempt_at = clock_timestamp() WHERE lease_token IS NULL');
