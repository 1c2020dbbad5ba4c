import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Config } from '../../../src/config/config.types.js';
import { dataSourceOptions } from '../../../src/database/data-source.js';
import { newId } from '../../../src/kernel/ids.js';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import { AlertEntity } from '../../../src/modules/alerts/data/alert.entity.js';
import { AlertsRepository } from '../../../src/modules/alerts/data/alerts.repository.js';
import { NoticesRepository } from '../../../src/modules/alerts/data/notices.repository.js';
import { DeliveriesRepository } from '../../../src/modules/webhooks/data/deliveries.repository.js';
import { EndpointsRepository } from '../../../src/modules/webhooks/data/endpoints.repository.js';
import { OUTBOX_CTES } from '../../../src/modules/webhooks/data/outbox.shared.sql.js';
import { promoteDue } from '../../../src/modules/webhooks/data/promote.statement.js';
import { Recovery } from '../../../src/modules/webhooks/data/recover.statement.js';
import { WebhookEndpointEntity } from '../../../src/modules/webhooks/data/webhook-endpoint.entity.js';
import { DeliveryPump, type PumpOptions } from '../../../src/modules/webhooks/delivery/delivery-pump.js';
import { DisableNotices } from '../../../src/modules/webhooks/delivery/disable-notices.js';
import { EndpointVetting } from '../../../src/modules/webhooks/delivery/endpoint-vetting.js';
import { type Resolve, resolveByDns } from '../../../src/modules/webhooks/delivery/resolve.js';
import { type SenderOptions, WebhookSender } from '../../../src/modules/webhooks/delivery/sender.js';
import { TestEvents } from '../../../src/modules/webhooks/delivery/test-events.js';
import { OutboxService } from '../../../src/modules/webhooks/outbox.service.js';
import { WebhookDeliveriesService } from '../../../src/modules/webhooks/webhook-deliveries.service.js';
import { WebhooksService } from '../../../src/modules/webhooks/webhooks.service.js';
import { type EndpointRef, SEALED_SECRETS } from '../../../src/modules/webhooks/webhooks.types.js';
import { Mailer } from '../../../src/platform/mail/mailer.js';
import { SecretBox } from '../../../src/platform/secrets/secret-box.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { by } from '../../support/intents/by.js';

export const SANDBOX = { sandbox: true };

export interface Received {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

type Respond = (request: Received, response: ServerResponse, req: IncomingMessage) => void;

/** A merchant's server on a port of its own. */
export class Receiver {
  readonly received: Received[] = [];
  respond: Respond = (_, response) => response.end('ok');

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (req, response) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        const headers = req.headers as Record<string, string>;
        const received = { url: req.url ?? '', headers, body: Buffer.concat(chunks).toString() };
        receiver.received.push(received);
        receiver.respond(received, response, req);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  answer(status: number, body = '', headers: Record<string, string> = {}): this {
    this.respond = (_, response) => response.writeHead(status, headers).end(body);
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** From now on, whether or not a request follows. */
  countConnections(): () => number {
    let connections = 0;
    this.server.on('connection', () => (connections += 1));
    return () => connections;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A server that answers whatever bytes it likes. */
export async function startRawReceiver(answer: Buffer | string): Promise<{ url: string; stop(): void }> {
  const server: TcpServer = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, stop: () => server.close() };
}

export interface DeliveryRow {
  readonly id: string;
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly state: string;
  readonly attempts: number;
  readonly wait_s: number;
}

export interface AttemptRow {
  readonly number: number;
  readonly http_status: number | null;
  readonly error: string | null;
  readonly response: string | null;
  readonly duration_ms: number;
}

/**
 * The module on a database of its own, without Nest and without its clockwork: a spec turns the pump itself, and no wait for
 * another try passes by the clock, so that what is counted is the same on a machine that is slow (`passWaits`).
 */
export class WebhooksFixture {
  readonly secretBox = new SecretBox([SEALED_SECRETS], randomBytes(32));
  private readonly senders: WebhookSender[] = [];
  private readonly receivers: { stop(): unknown }[] = [];
  private sequence = 0;

  private constructor(
    readonly dataSource: DataSource,
    readonly merchantId: string,
    readonly database: TestDatabase,
  ) {}

  static async open(): Promise<WebhooksFixture> {
    Logger.overrideLogger(false);
    const database = await createTestDatabase();
    const entities = [AlertEntity, WebhookEndpointEntity];
    const dataSource = new DataSource({ ...dataSourceOptions(database.url, 10), entities });
    await dataSource.initialize();
    const fixture = new WebhooksFixture(dataSource, newId('mer'), database);
    await fixture.addMerchant(fixture.merchantId);
    return fixture;
  }

  async close(): Promise<void> {
    await Promise.all(this.senders.map((sender) => sender.close()));
    await Promise.all(this.receivers.map((receiver) => receiver.stop()));
    await this.dataSource.destroy();
    await this.database.drop();
  }

  /** Empties everything but the merchant, so that specs of one file do not see each other's deliveries. */
  async reset(): Promise<void> {
    await this.dataSource.query(
      'TRUNCATE webhook_endpoint, event, delivery, delivery_attempt, alert CASCADE',
    );
  }

  async addMerchant(id = newId('mer')): Promise<string> {
    await this.dataSource.query(`INSERT INTO merchant (id, name, status) VALUES ($1, 'Test', 'approved')`, [
      id,
    ]);
    return id;
  }

  service(resolve: Resolve = resolveByDns, policy = SANDBOX): WebhooksService {
    const repository = new EndpointsRepository(this.dataSource);
    const vetting = new EndpointVetting(policy, resolve);
    const outbox = new OutboxService();
    return new WebhooksService(
      this.dataSource,
      repository,
      vetting,
      outbox,
      this.secretBox,
      this.disableNotices(),
    );
  }

  alerts(): AlertsService {
    const config = { mail: null, operator: { emails: [], webhook: null } } as unknown as Config;
    const notices = new NoticesRepository(this.dataSource);
    return new AlertsService(new AlertsRepository(this.dataSource), notices, new Mailer(config), config);
  }

  disableNotices(): DisableNotices {
    return new DisableNotices(this.dataSource, new EndpointsRepository(this.dataSource), this.alerts());
  }

  deliveriesService(sender = this.sender()): WebhookDeliveriesService {
    const endpoints = new EndpointsRepository(this.dataSource);
    return new WebhookDeliveriesService(
      this.dataSource,
      this.secretBox,
      new DeliveriesRepository(this.dataSource),
      endpoints,
      new TestEvents(this.dataSource, endpoints, sender, this.secretBox),
      new OutboxService(),
    );
  }

  /** As the job does. @throws what it would log */
  recover(): Promise<number> {
    return new Recovery(this.dataSource, (_, error) => {
      throw error;
    }).turn();
  }

  async receiver(): Promise<Receiver> {
    const receiver = await Receiver.start();
    this.receivers.push(receiver);
    return receiver;
  }

  async rawReceiver(answer: Buffer | string): Promise<string> {
    const receiver = await startRawReceiver(answer);
    this.receivers.push(receiver);
    return receiver.url;
  }

  async endpoint(
    url: string,
    merchantId = this.merchantId,
  ): Promise<EndpointRef & { readonly secret: string }> {
    const { endpoint, secret } = await this.service().createEndpoint({ merchantId, url }, by('test'));
    return { merchantId, endpointId: endpoint.id, secret };
  }

  /** Endpoints of merchants of their own, each with some events. */
  async endpoints(count: number, url: string, eventsEach: number): Promise<EndpointRef[]> {
    const refs: EndpointRef[] = [];
    for (let i = 0; i < count; i++) {
      const merchantId = await this.addMerchant();
      refs.push(await this.endpoint(url, merchantId));
      for (let n = 0; n < eventsEach; n++) await this.append(merchantId);
    }
    return refs;
  }

  sender(options: Partial<SenderOptions> = {}): WebhookSender {
    const sender = new WebhookSender({
      policy: SANDBOX,
      resolve: resolveByDns,
      deadlineMs: 10_000,
      ...options,
    });
    this.senders.push(sender);
    return sender;
  }

  /** Looks for no retries whose time has come, unless `promoteEveryMs` says how often. */
  pump(options: Partial<PumpOptions> = {}): DeliveryPump {
    const { dataSource, secretBox } = this;
    return new DeliveryPump({
      dataSource,
      secretBox,
      sender: options.sender ?? this.sender(),
      onRoom: () => undefined,
      random: () => 0.5,
      restMs: 0,
      promoteEveryMs: null,
      ...options,
    });
  }

  /** One delivery per endpoint of the merchant, through the same SQL that a transition uses. */
  async append(merchantId = this.merchantId): Promise<string> {
    const id = newId('evt');
    const body = JSON.stringify({ id, type: 'payment.status', sequence: ++this.sequence, title: 'Käse 🧀' });
    await this.dataSource.query(
      `WITH appended AS (SELECT $1::text AS id, $2::text AS merchant_id, 'payment.status' AS type,
                                $3::text AS subject, 1 AS sequence, $4::text AS body),
       ${OUTBOX_CTES} SELECT 1`,
      [id, merchantId, newId('pi'), body],
    );
    return id;
  }

  /** Sends all that is due now, with everything that becomes due by it. What failed waits until `passWaits`. */
  async deliver(pump = this.pump()): Promise<void> {
    for (let i = 0; i < 50; i++) {
      await pump.turn();
      await pump.idle();
      if ((await this.due()) === 0) return;
    }
    throw new Error('deliveries do not come to an end');
  }

  async due(): Promise<number> {
    const [row] = await this.dataSource.query<[{ n: number }]>(
      `SELECT count(*)::integer AS n FROM delivery d JOIN webhook_endpoint w ON w.id = d.endpoint_id
       WHERE d.state = 'pending' AND NOT d.delayed AND d.next_attempt_at <= now()
         AND w.disabled_at IS NULL AND w.deleted_at IS NULL`,
    );
    return row.n;
  }

  /** Lets the waits pass without waiting: every retry is among what is due. */
  async passWaits(): Promise<void> {
    await this.dataSource.query(`UPDATE delivery SET next_attempt_at = now() WHERE state = 'pending'`);
    while ((await promoteDue(this.dataSource)) > 0);
  }

  /** In the order of creation. `wait_s`: until the next try, from the end of the last one. */
  async deliveries(): Promise<DeliveryRow[]> {
    return this.dataSource.query<DeliveryRow[]>(
      `SELECT d.id, d.event_id, d.endpoint_id, d.state, d.attempts,
              extract(epoch FROM d.next_attempt_at - a.ended_at)::double precision AS wait_s
       FROM delivery d LEFT JOIN LATERAL (
         SELECT started_at + make_interval(secs => duration_ms / 1000.0) AS ended_at FROM delivery_attempt
         WHERE delivery_id = d.id ORDER BY id DESC LIMIT 1) a ON true
       ORDER BY d.id`,
    );
  }

  async attempts(): Promise<AttemptRow[]> {
    return this.dataSource.query<AttemptRow[]>(
      'SELECT number, http_status, error, response, duration_ms FROM delivery_attempt ORDER BY id',
    );
  }
}

/** Until a condition holds, for what another part does in its own time. */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
