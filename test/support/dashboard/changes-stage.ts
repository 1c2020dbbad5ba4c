import { DataSource } from 'typeorm';
import type { Permission } from '../../../src/modules/accounts/accounts.types.js';
import { PasswordRequestsRepository } from '../../../src/modules/accounts/sign-in/data/password-requests.repository.js';
import { MOVED_BY_JOBS, personRows, tenantRows } from '../database/tenant-rows.js';
import { SILENT_CHAIN } from '../nodes/wallet.js';
import { nameOf, type Route } from '../service/routes.js';
import { Service } from '../service/service.js';
import { written } from '../service/written.js';
import { partOf } from './dashboard-changes.js';
import { type DashboardRoute, dashboardRoutes } from './dashboard-routes.js';
import { aPerson, aWorld, type Person, type World } from './dashboard-stage.js';
import { wholeTenant } from './dashboard-tenant.js';

/** What became of a request, and what it left. */
export interface Outcome {
  readonly status: number;
  readonly location: string | null;
  /** The tables that are not as before, but the log of changes. */
  readonly changed: readonly string[];
  /** Whom the log names, for each new entry. */
  readonly actors: readonly string[];
}

/** What is told of a change, and how far the jobs are, is no change; that a delivery is sent again is one. */
export const BESIDE_A_CHANGE = [...MOVED_BY_JOBS, 'mails'].filter((name) => name !== 'delivery');

export const isOnesOwn = (permission: Permission | null) =>
  permission === null || permission === 'self' || permission === 'account';

/** @returns what is not as the route says of its entries */
export function wrongEntries({ access }: Route, actors: readonly string[], by: string): string[] {
  const isRecorded = actors.length > 0 && actors.every((name) => name === by);
  const isRight = access?.unrecorded === null ? isRecorded : actors.length === 0;
  return isRight ? [] : [`left ${actors.length} entries of ${actors.join(', ') || 'nobody'}`];
}

/** Two merchants that are changed, and one of others that stays as it was. */
export class ChangesStage {
  /** Each way to change something at the dashboard. */
  readonly posts: readonly DashboardRoute[];

  private constructor(
    readonly service: Service,
    readonly world: World,
    /** Nobody of ours belongs to it. */
    private readonly theirId: string,
    /** Before anything was changed: what makes a change possible must leave them alone as well. */
    readonly theirRows: Readonly<Record<string, string>>,
  ) {
    this.posts = dashboardRoutes(service.app).filter(({ method }) => method === 'POST');
  }

  static async start(): Promise<ChangesStage> {
    // A job that answers one would leave its link and its entry between those of any other change.
    jest.spyOn(PasswordRequestsRepository.prototype, 'take').mockResolvedValue(null);
    const service = await Service.start({
      chain: SILENT_CHAIN,
      standsAt: 1_000,
      env: { TRUST_PROXY: '1', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Rappen <pay@rappen.example>' },
    });
    const world = await aWorld(service);
    const { merchantId } = await wholeTenant(service, 'Their Shop');
    const dataSource = service.app.get(DataSource);
    await dataSource.query(`UPDATE merchant SET accept_seen_late = false`);
    return new ChangesStage(service, world, merchantId, await tenantRows(dataSource, merchantId));
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  query<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.dataSource.query<Row[]>(sql, [...values]);
  }

  /** @param part as `PARTS` has it */
  postsIn(part: string): readonly DashboardRoute[] {
    return this.posts.filter((route) => partOf(nameOf(route)) === part);
  }

  anOwner(): Promise<Person> {
    return aPerson(this.service, [[this.world.merchantId, 'owner']]);
  }

  async outcomeOf(
    send: () => Promise<Pick<Response, 'status' | 'headers'>>,
    personId: string,
  ): Promise<Outcome> {
    await written(this.service);
    await this.forgetMails();
    const second = await this.ofTheSecond(personId);
    const before = await this.stored(personId);
    const [log] = await this.query<{ last: string }>('SELECT coalesce(max(id), 0) AS last FROM audit_entry');
    const { status, headers } = await send();
    await written(this.service);
    const entries = await this.query<{ actor: string }>('SELECT actor FROM audit_entry WHERE id > $1', [
      log!.last,
    ]);
    const after = await this.stored(personId);
    expect(await this.ofTheSecond(personId)).toEqual(second);
    expect(await tenantRows(this.dataSource, this.theirId)).toEqual(this.theirRows);
    return {
      status,
      location: headers.get('location'),
      actors: entries.map(({ actor }) => actor),
      changed: Object.keys(after).filter((name) => after[name] !== before[name]),
    };
  }

  private get dataSource(): DataSource {
    return this.service.app.get(DataSource);
  }

  /** What is stored of the first merchant and its people, of who asks, and of nobody, without the log of changes. */
  private async stored(personId: string): Promise<Record<string, string>> {
    const { audit_entry: _, session: __, ...rows } = await tenantRows(this.dataSource, this.world.merchantId);
    const { audit_entry: ___, ...own } = await personRows(this.dataSource, personId);
    const [beside] = await this.query<Record<string, unknown>>(
      `SELECT (SELECT count(*) FROM passkey_challenge) AS challenges,
              (SELECT jsonb_agg(l.* ORDER BY l.id) FROM one_time_link l) AS links,
              (SELECT jsonb_agg(r.* ORDER BY r.email) FROM password_request r) AS requests,
              (SELECT jsonb_agg((e.id, e.recipient, e.subject, e.stands_for) ORDER BY e.id) FROM outgoing_mail e) AS mails,
              (SELECT jsonb_agg(to_jsonb(a) ORDER BY id) FROM alert a WHERE merchant_id IS NULL) AS alerts,
              (SELECT jsonb_agg(to_jsonb(m) ORDER BY id) FROM merchant m) AS merchants`,
    );
    return {
      ...rows,
      ...Object.fromEntries(Object.entries(own).map(([name, of]) => [`own ${name}`, of])),
      ...Object.fromEntries(Object.entries(beside!).map(([name, of]) => [name, JSON.stringify(of)])),
    };
  }

  /**
   * Where people could look: who asks is one of its people, and has a session that says so. Others belong to the first merchant as
   * well, and are told of that.
   */
  private async ofTheSecond(personId: string): Promise<object> {
    const {
      session: _,
      outgoing_mail: __,
      ...rows
    } = await tenantRows(this.dataSource, this.world.otherId, personId);
    const mails = await this.query(
      `SELECT e.id, e.recipient, e.subject, e.stands_for
       FROM membership ms JOIN person p ON p.id = ms.person_id JOIN outgoing_mail e ON e.recipient = p.email
       WHERE ms.merchant_id = $1 AND p.id <> $2
         AND NOT EXISTS (SELECT FROM membership f WHERE (f.person_id, f.merchant_id) = (p.id, $3)) ORDER BY e.id`,
      [this.world.otherId, personId, this.world.merchantId],
    );
    return { ...rows, mails };
  }

  /**
   * Each change is told to everybody whom it concerns, and with all of that each comparison would read thousands of mails.
   * Those to people of whom nothing may change stay: who belongs to the second and to the first as well is told of the first.
   */
  private async forgetMails(): Promise<void> {
    await this.query(
      `DELETE FROM outgoing_mail WHERE recipient NOT IN (
         SELECT p.email FROM person p JOIN membership ms ON ms.person_id = p.id
         WHERE ms.merchant_id IN ($1, $2)
           AND NOT EXISTS (SELECT FROM membership f WHERE (f.person_id, f.merchant_id) = (p.id, $3)))`,
      [this.theirId, this.world.otherId, this.world.merchantId],
    );
  }
}
