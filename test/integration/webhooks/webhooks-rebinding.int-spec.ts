import type { DomainError } from '../../../src/kernel/domain-error.js';
import { dnsResolver } from '../../../src/modules/webhooks/delivery/resolve.js';
import { by } from '../../support/intents/by.js';
import { DnsServer, type Zone } from '../../support/servers/dns-server.js';
import { type Receiver, WebhooksFixture } from './webhooks-fixture.js';

const LOOPBACK = '127.0.0.1';
const PUBLIC = '93.184.216.34';
const DELIVERIES = 60;
/** All of them public. */
const several = (count: number) => Array.from({ length: count }, (_, i) => `93.184.216.${i + 1}`);

let fixture: WebhooksFixture;
let dns: DnsServer;
let receiver: Receiver;
beforeAll(async () => {
  fixture = await WebhooksFixture.open();
  dns = await DnsServer.start(() => []);
});
beforeEach(async () => {
  await fixture.reset();
  dns.answered.length = 0;
  // Closed after each answer, so that every delivery dials, and every dial asks.
  receiver = (await fixture.receiver()).answer(200, '', { connection: 'close' });
});
afterAll(async () => {
  await fixture.close();
  await dns.stop();
});

const resolve = () => dnsResolver([dns.address]);
const onlyA =
  (addresses: () => readonly string[]): Zone =>
  (_, type) =>
    type === 'A' ? addresses() : [];
/** Another answer at each question. */
const alternating = (...answers: readonly (readonly string[])[]): Zone => {
  let turn = 0;
  return onlyA(() => answers[turn++ % answers.length]!);
};
const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: DomainError) => error.code,
  );

/** Delivered one after the other: a turn sends what is due, at most four of an endpoint at once. */
async function deliverMany(url: string, policy = { sandbox: true }) {
  const { secretBox, merchantId } = fixture;
  const id = 'we_rebinding';
  const sealed = secretBox.seal(`whsec_${Buffer.alloc(24, 1).toString('base64')}`, {
    table: 'webhook_endpoint', column: 'secret', rowId: id,
  }); // prettier-ignore
  await fixture.dataSource.query(
    'INSERT INTO webhook_endpoint (id, merchant_id, url, secret) VALUES ($1, $2, $3, $4)',
    [id, merchantId, url, sealed],
  );
  for (let i = 0; i < DELIVERIES; i++) await fixture.append();
  await fixture.deliver(fixture.pump({ sender: fixture.sender({ resolve: resolve(), policy }) }));
  return (await fixture.attempts()).map((a) => a.error);
}

describe('a name server that changes its mind at every question', () => {
  it.each(['10.0.0.1', '169.254.169.254', '192.168.1.1', '100.64.0.1', '0.0.0.0'])(
    'never gets a delivery to %s: each dial goes where its own vetted answer said',
    async (inside) => {
      dns.zone = alternating([LOOPBACK], [inside]);
      const errors = await deliverMany(`http://rebind.example:${receiver.port}/`);
      const allowed = dns.answered.filter(({ addresses }) => addresses.includes(LOOPBACK)).length;
      expect(errors).toHaveLength(DELIVERIES);
      expect(errors.filter((error) => error === null)).toHaveLength(receiver.received.length);
      expect(new Set(errors)).toEqual(new Set([null, 'name-not-resolved']));
      expect(receiver.received.length).toBeLessThanOrEqual(allowed);
      expect(receiver.received.length).toBeGreaterThan(0);
    },
  );

  it('that was public when the URL was saved never leads to this machine', async () => {
    dns.zone = onlyA(() => [PUBLIC]);
    const url = `https://rebind.example:${receiver.port}/`;
    const service = fixture.service(resolve(), { sandbox: false });
    await service.createEndpoint({ merchantId: fixture.merchantId, url }, by('test'));
    await fixture.reset();
    dns.zone = onlyA(() => [LOOPBACK]);
    const connections = receiver.countConnections();
    expect(new Set(await deliverMany(url, { sandbox: false }))).toEqual(new Set(['name-not-resolved']));
    expect(connections()).toBe(0);
  });
});

describe('a name with more than one address', () => {
  it.each<[string, Zone]>([
    ['public and private', onlyA(() => [PUBLIC, '10.0.0.1'])],
    ['private last of eight', onlyA(() => [...Array<string>(7).fill(PUBLIC), '127.0.0.1'])],
    ['public in IPv4, loopback in IPv6', (_, type) => (type === 'A' ? [PUBLIC] : ['0:0:0:0:0:0:0:1'])],
    ['public in IPv4, mapped in IPv6', (_, type) => (type === 'A' ? [PUBLIC] : ['0:0:0:0:0:ffff:7f00:1'])],
    ['public in IPv4, NAT64 in IPv6', (_, type) => (type === 'A' ? [PUBLIC] : ['64:ff9b:0:0:0:0:a00:1'])],
    ['more addresses than an honest name has', onlyA(() => several(33))],
    ['no address', () => []],
  ])('is refused when it is saved and when it is dialled: %s', async (_, zone) => {
    dns.zone = zone;
    const url = `https://mixed.example:${receiver.port}/`;
    const service = fixture.service(resolve(), { sandbox: false });
    expect(await refusalOf(service.createEndpoint({ merchantId: fixture.merchantId, url }, by('test')))).toBe(
      'invalid-webhook-url',
    );
    const sent = await fixture.sender({ resolve: resolve(), policy: { sandbox: false } }).send({
      url,
      signature: { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' },
      body: '{}',
    });
    expect(sent).toMatchObject({ httpStatus: null, error: 'name-not-resolved' });
  });

  it('is taken when all of them are public', async () => {
    dns.zone = (_, type) => (type === 'A' ? several(31) : ['2606:4700:0:0:0:0:0:1111']);
    const service = fixture.service(resolve(), { sandbox: false });
    const created = service.createEndpoint(
      { merchantId: fixture.merchantId, url: 'https://good.example/' },
      by('test'),
    );
    expect(await refusalOf(created)).toBeNull();
  });
});
