import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import {
  MAX_FAILING_IN_FLIGHT,
  MAX_IN_FLIGHT,
  MAX_PER_ENDPOINT,
  MAX_RESTING,
} from '../../../src/modules/webhooks/domain/limits.js';
import { eventually, type Received, WebhooksFixture } from './webhooks-fixture.js';

/** Longer than any of these tests: whatever hangs, hangs to their end, so that counts decide and no clock. */
const NEVER_MS = 600_000;

let fixture: WebhooksFixture;
let servers: HangingServer[];
beforeAll(async () => (fixture = await WebhooksFixture.open()));
beforeEach(async () => {
  await fixture.reset();
  servers = [];
});
afterEach(() => servers.forEach((server) => server.stop()));
afterAll(() => fixture.close());

/** Takes connections and answers in its own way, which is never to an end. */
class HangingServer {
  readonly sockets = new Set<Socket>();
  /** Of all time. */
  connections = 0;
  private readonly timers: NodeJS.Timeout[] = [];

  private constructor(private readonly server: Server) {}

  static async start(
    answer: (socket: Socket, every: (write: () => void) => void) => void,
  ): Promise<HangingServer> {
    const server = createServer();
    const hanging = new HangingServer(server);
    server.on('connection', (socket) => {
      hanging.connections += 1;
      hanging.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => hanging.sockets.delete(socket));
      socket.once('data', () => answer(socket, (write) => hanging.timers.push(setInterval(write, 20))));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(hanging);
    return hanging;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  stop(): void {
    this.timers.forEach(clearInterval);
    this.sockets.forEach((socket) => socket.destroy());
    this.server.close();
  }
}

const silent = () => HangingServer.start(() => undefined);
const drippingBody = () =>
  HangingServer.start((socket, every) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    every(() => socket.write('1\r\n.\r\n'));
  });
const drippingHeaders = () =>
  HangingServer.start((socket, every) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    every(() => socket.write('x'));
  });
const delivered = async () => (await fixture.deliveries()).filter((d) => d.state === 'delivered').length;
const patient = () => fixture.pump({ sender: fixture.sender({ deadlineMs: NEVER_MS }) });

describe('a good endpoint gets all of its events', () => {
  it('while a silent, two dripping, a dead and a failing one have theirs, and none takes more than its cap', async () => {
    const hanging = [await silent(), await drippingBody(), await drippingHeaders()];
    const good = await fixture.receiver();
    for (const { url } of hanging) await fixture.endpoints(1, url, 12);
    await fixture.endpoints(1, 'http://127.0.0.1:9/', 12); // where nobody listens
    await fixture.endpoints(1, (await fixture.receiver()).answer(500).url, 12);
    await fixture.endpoints(1, good.url, 40);
    const pump = patient();
    await eventually('the good one has everything', async () => {
      await pump.turn();
      return good.received.length === 40 && (await delivered()) === 40;
    });
    for (const server of hanging) {
      expect(server.sockets.size).toBe(MAX_PER_ENDPOINT); // still hanging, so nothing waited for them
      expect(server.connections).toBe(MAX_PER_ENDPOINT);
    }
    servers.forEach((server) => server.stop());
    await pump.idle();
  });

  it('while endpoints that failed before hang in all of the room that they are given', async () => {
    const server = await silent();
    const many = MAX_IN_FLIGHT / MAX_PER_ENDPOINT + 4;
    await fixture.endpoints(many, server.url, MAX_PER_ENDPOINT);
    await fixture.dataSource.query('UPDATE webhook_endpoint SET consecutive_failures = 1');
    const good = await fixture.receiver();
    const pump = patient();
    await pump.turn();
    await eventually('they hang', () => server.sockets.size === MAX_FAILING_IN_FLIGHT);
    await fixture.endpoints(1, good.url, 40);
    await eventually('the good one has everything', async () => {
      await pump.turn();
      return good.received.length === 40 && (await delivered()) === 40;
    });
    expect(server.connections).toBe(MAX_FAILING_IN_FLIGHT);
    server.stop();
    await pump.idle();
  });

  it('while more endpoints that failed before wait than are looked at, all of them for longer', async () => {
    const server = await silent();
    await fixture.endpoints(200, server.url, 1);
    await fixture.dataSource.query('UPDATE webhook_endpoint SET consecutive_failures = 1');
    const good = await fixture.receiver();
    await fixture.endpoints(1, good.url, 40);
    const pump = patient();
    await eventually('the good one has everything', async () => {
      await pump.turn();
      return good.received.length === 40 && (await delivered()) === 40;
    });
    await eventually('those that may be tried hang', () => server.sockets.size === MAX_FAILING_IN_FLIGHT);
    expect(server.connections).toBe(MAX_FAILING_IN_FLIGHT);
    server.stop();
    await pump.idle();
  });

  it('although another event of its own hangs', async () => {
    const receiver = await fixture.receiver();
    const held: (() => void)[] = [];
    receiver.respond = (_, response) => {
      if (receiver.received.length === 1) held.push(() => response.end());
      else response.end();
    };
    await fixture.endpoints(1, receiver.url, 30);
    const pump = patient();
    await eventually('all others have arrived', async () => {
      await pump.turn();
      return (await delivered()) === 29;
    });
    held.forEach((answer) => answer());
    await pump.idle();
    expect(await delivered()).toBe(30);
  });
});

describe('an endpoint that fails at once', () => {
  /** Turns that find nothing more to do, however often they are asked. */
  const settled = async (pump: ReturnType<typeof patient>) => {
    for (let i = 0; i < 20; i++) {
      await pump.turn();
      await pump.idle();
    }
  };
  const resting = () => fixture.pump({ restMs: NEVER_MS });
  const dead = () => HangingServer.start((socket) => socket.resetAndDestroy());

  it('is tried once with each of its slots until these have rested, while another of its merchant has all', async () => {
    const server = await dead();
    const good = await fixture.receiver();
    await fixture.endpoint(server.url);
    await fixture.endpoint(good.url);
    for (let n = 0; n < 12; n++) await fixture.append();
    await settled(resting());
    expect(server.connections).toBe(MAX_PER_ENDPOINT);
    expect(good.received).toHaveLength(12);
  });

  it('is tried again as soon as a slot has rested', async () => {
    const server = await dead();
    await fixture.endpoints(1, server.url, 12);
    const pump = fixture.pump({ restMs: 20 });
    await eventually('all are tried', async () => {
      await pump.turn();
      return server.connections === 12;
    });
    await pump.idle();
  });

  it('and takes every other event gets each as soon as one that takes all', async () => {
    const receiver = await fixture.receiver();
    receiver.respond = (_, response) =>
      response.writeHead(receiver.received.length % 2 === 0 ? 204 : 500).end();
    await fixture.endpoints(1, receiver.url, 40);
    await settled(resting());
    expect(receiver.received).toHaveLength(40);
  });

  it('holds up no other, however many they are, and all together get no more than what may rest', async () => {
    const server = await dead();
    await fixture.endpoints(MAX_RESTING / MAX_PER_ENDPOINT + 4, server.url, MAX_PER_ENDPOINT);
    await fixture.dataSource.query('UPDATE webhook_endpoint SET consecutive_failures = 1');
    const pump = resting();
    await settled(pump);
    expect(server.connections).toBe(MAX_RESTING);
    const good = await fixture.receiver();
    await fixture.endpoints(1, good.url, 40);
    await settled(pump);
    expect(good.received).toHaveLength(40);
    expect(server.connections).toBe(MAX_RESTING);
  });
});

describe('while something is being sent', () => {
  it('no transaction is open and nothing is locked', async () => {
    const server = await silent();
    await fixture.endpoints(4, server.url, MAX_PER_ENDPOINT);
    const pump = patient();
    await pump.turn();
    await eventually('they hang', () => server.sockets.size === 4 * MAX_PER_ENDPOINT);
    const [row] = await fixture.dataSource.query<[{ open: number; locks: number }]>(
      `WITH others AS (
         SELECT pid, xact_start FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
       )
       SELECT (SELECT count(*)::int FROM others WHERE xact_start IS NOT NULL) AS open,
              (SELECT count(*)::int FROM pg_locks JOIN others USING (pid)) AS locks`,
    );
    expect(row).toEqual({ open: 0, locks: 0 });
    server.stop();
    await pump.idle();
  });

  it('a process that stalls past its lease cannot overwrite what another has done since', async () => {
    const receiver = await fixture.receiver();
    const held: (() => void)[] = [];
    receiver.respond = (_, response) => held.push(() => response.writeHead(410).end());
    await fixture.endpoints(1, receiver.url, 1);
    const stalled = patient();
    await stalled.turn();
    await eventually('it is under way', () => held.length === 1);
    await fixture.dataSource.query(`UPDATE delivery SET lease_until = now() - interval '1 second'`);
    expect(await fixture.recover()).toBe(1);
    receiver.respond = (_, response) => response.end();
    await fixture.deliver();
    expect(await fixture.deliveries()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
    held.forEach((answer) => answer());
    await stalled.idle();
    expect(await fixture.deliveries()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
    expect(await fixture.attempts()).toMatchObject([{ http_status: 200 }]);
    const [endpoint] = await fixture.dataSource.query('SELECT disabled_at FROM webhook_endpoint');
    expect(endpoint.disabled_at).toBeNull();
    expect(new Set(receiver.received.map((r) => r.headers['webhook-id'])).size).toBe(1);
  });

  it('the database’s clock signs, in whole seconds, whatever this machine believes', async () => {
    const receiver = await fixture.receiver();
    const { secret } = await fixture.endpoint(receiver.url);
    await fixture.append();
    const wrong = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2001, 0, 1));
    try {
      const pump = fixture.pump();
      await pump.turn();
      await pump.idle();
    } finally {
      wrong.mockRestore();
    }
    const [request] = receiver.received as [Received];
    expect(request.headers['webhook-timestamp']).toMatch(/^\d{10}$/);
    expect(() => new Webhook(secret).verify(request.body, request.headers)).not.toThrow();
  });
});
