import { DataSource } from 'typeorm';
import { OutgoingMailsRepository } from '../../../src/platform/mail/data/outgoing-mails.repository.js';
import { MailOutbox } from '../../../src/platform/mail/mail-outbox.js';
import { MailServer } from '../../support/servers/mail-server.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

let mailServer: MailServer;
let service: Service;
let dataSource: DataSource;
let recipients = 0;

beforeAll(async () => {
  mailServer = await MailServer.start();
  const { host } = new URL(mailServer.url);
  service = await Service.start({
    env: { SMTP_URL: `smtp://shop:password@${host}`, MAIL_FROM: 'Rappen <pay@example.com>' },
  });
  dataSource = service.app.get(DataSource);
});
afterAll(async () => {
  await service.stop();
  await mailServer.stop();
});
afterEach(() => willing());

function willing(): void {
  mailServer.unwilling = false;
  for (const place of ['connection', 'login', 'sender'] as const) delete mailServer.refuses[place];
}

/** @returns whom it goes to, and nothing else does */
async function told(): Promise<string> {
  recipients += 1;
  const to = `person${recipients}@shop.example`;
  const mail = { to, subject: 'News', text: 'Something happened.', language: 'en' } as const;
  await dataSource.transaction((tx) => service.app.get(MailOutbox).tell(tx, { kind: 'test', of: to }, mail));
  return to;
}

interface Standing {
  readonly attempts: number;
  readonly isEnded: boolean;
  readonly isSent: boolean;
  readonly isLeased: boolean;
}

async function standing(to: string): Promise<Standing> {
  const [row] = await dataSource.query<Standing[]>(
    `SELECT attempts, sealed_text IS NULL AS "isEnded", sent_at IS NOT NULL AS "isSent",
            lease_token IS NOT NULL AS "isLeased" FROM outgoing_mail WHERE recipient = $1`,
    [to],
  );
  return row!;
}

/** What follows of its tries, this many of them done. */
const tried = (to: string, times = 1): Promise<Standing> =>
  eventually(
    async () => {
      await service.app.get(MailOutbox).sendNext();
      return standing(to);
    },
    ({ attempts, isEnded, isLeased }) => isEnded || (attempts >= times && !isLeased),
  );

/** Whatever holds it: the next try is due. */
const hasten = (to: string) =>
  dataSource.query('UPDATE outgoing_mail SET next_attempt_at = clock_timestamp() WHERE recipient = $1', [to]);

describe('a mail to a person', () => {
  it.each([
    ['a password that is wrong', { login: 535 }],
    ['a login that is refused for good', { login: 550 }],
    ['a sender that is refused', { sender: 550 }],
    ['a server that takes nothing from here', { connection: 554 }],
    ['a server that refuses every recipient for who sends', {}, true],
  ])('outlives %s, and goes once that is mended', async (_what, refuses, unwilling = false) => {
    Object.assign(mailServer.refuses, refuses);
    mailServer.unwilling = unwilling;
    const to = await told();
    expect(await tried(to)).toMatchObject({ isEnded: false });
    expect(mailServer.mailsTo(to)).toEqual([]);
    willing();
    await hasten(to);
    expect(await tried(to, 2)).toMatchObject({ isSent: true });
    expect(mailServer.mailsTo(to)).toHaveLength(1);
  });

  it('is given up at once where there is no such mailbox', async () => {
    mailServer.unknown.add(`person${recipients + 1}@shop.example`);
    expect(await tried(await told())).toMatchObject({ attempts: 1, isEnded: true, isSent: false });
  });

  it('is tried again where its server wants it later', async () => {
    const to = `person${recipients + 1}@shop.example`;
    mailServer.busy.add(to);
    await told();
    expect(await tried(to)).toMatchObject({ isEnded: false });
    mailServer.busy.delete(to);
    await hasten(to);
    expect(await tried(to, 2)).toMatchObject({ isSent: true });
  });

  it('that went, but could not be noted as sent, goes again by the same id, and is neither given up nor delayed', async () => {
    const end = jest
      .spyOn(service.app.get(OutgoingMailsRepository), 'end')
      .mockRejectedValueOnce(new Error('the database is away'));
    const to = await told();
    await eventually(
      () =>
        service.app
          .get(MailOutbox)
          .sendNext()
          .catch(() => true),
      () => end.mock.calls.length > 0,
    );
    end.mockRestore();
    expect(mailServer.mailsTo(to)).toHaveLength(1);
    // As a process that dies there leaves it: for whoever claims it once its lease is over.
    expect(await standing(to)).toEqual({ attempts: 1, isEnded: false, isSent: false, isLeased: true });
    await hasten(to);
    expect(await tried(to, 2)).toMatchObject({ isSent: true });
    const ids = mailServer.mailsTo(to).map(({ headers }) => headers['message-id']);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });
});
