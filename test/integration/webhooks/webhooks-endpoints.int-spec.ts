import type { DomainError } from '../../../src/kernel/domain-error.js';
import { newId } from '../../../src/kernel/ids.js';
import type { ResolvedAddress } from '../../../src/modules/webhooks/delivery/resolve.js';
import { by } from '../../support/intents/by.js';
import { WebhooksFixture } from './webhooks-fixture.js';

let fixture: WebhooksFixture;
beforeAll(async () => (fixture = await WebhooksFixture.open()));
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

const PUBLIC: ResolvedAddress = { address: '93.184.216.34', family: 4 };
const production = (...addresses: ResolvedAddress[]) =>
  fixture.service(() => Promise.resolve(addresses), { sandbox: false });
const create = (url: string, service = production(PUBLIC)) =>
  service.createEndpoint({ merchantId: fixture.merchantId, url }, by('test'));
const mine = (endpointId: string) => ({ merchantId: fixture.merchantId, endpointId });
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'accepted',
    (error: DomainError) => error.code,
  );

describe('webhook endpoints', () => {
  it('are created with a secret that is shown once, stored sealed, and sent nothing', async () => {
    const { endpoint, secret } = await create('https://Shop.example/hook');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(endpoint).toMatchObject({
      url: 'https://shop.example/hook',
      disabledAt: null,
      disabledReason: null,
    });
    expect(await production().listEndpoints(fixture.merchantId)).toEqual([endpoint]);
    const [row] = await fixture.dataSource.query('SELECT secret FROM webhook_endpoint');
    expect(row.secret).toMatch(/^v1\./);
    expect(row.secret).not.toContain(secret.slice(6));
    expect(await fixture.deliveries()).toEqual([]);
  });

  it('say why a URL is refused', async () => {
    await expect(create('http://shop.example/')).rejects.toMatchObject({
      code: 'invalid-webhook-url',
      message: 'The webhook URL must use https.',
    });
    const mixed = production(PUBLIC, { address: '10.0.0.1', family: 4 });
    await expect(create('https://shop.example/', mixed)).rejects.toMatchObject({
      code: 'invalid-webhook-url',
      message: 'The webhook URL must have a host that resolves to public addresses only, at most 32 of them.',
    });
    expect(await codeOf(create('https://shop.example/', production()))).toBe('invalid-webhook-url');
    expect(await codeOf(create('https://127.1/'))).toBe('invalid-webhook-url');
  });

  it('are ten per merchant at most, also when they are created at once', async () => {
    const codes = await Promise.all(
      Array.from({ length: 14 }, () => codeOf(create('https://shop.example/'))),
    );
    expect(codes.filter((code) => code === 'accepted')).toHaveLength(10);
    expect(codes.filter((code) => code === 'too-many-webhook-endpoints')).toHaveLength(4);
    const [first] = await production().listEndpoints(fixture.merchantId);
    await production().deleteEndpoint(mine(first!.id), by('test'));
    expect(await codeOf(create('https://shop.example/'))).toBe('accepted');
  });

  it('that do not exist, or no longer, or belong to another merchant, are not found and not changed', async () => {
    const service = production(PUBLIC);
    const { endpoint: deleted } = await create('https://shop.example/');
    await service.deleteEndpoint(mine(deleted.id), by('test'));
    const { endpoint } = await create('https://shop.example/');
    const before = await fixture.dataSource.query('SELECT * FROM webhook_endpoint ORDER BY id');
    const strangers = { merchantId: await fixture.addMerchant(), endpointId: endpoint.id };
    for (const ref of [mine(deleted.id), mine(newId('we')), mine('nonsense'), strangers]) {
      for (const call of [
        service.getEndpoint(ref),
        service.changeUrl(ref, 'https://evil.example/', by('test')),
        service.rotateSecret(ref, by('test')),
        service.deleteEndpoint(ref, by('test')),
        service.disable(ref, by('test')),
        service.enable(ref, { sendHeld: true }, by('test')),
      ])
        expect(await codeOf(call)).toBe('webhook-endpoint-not-found');
    }
    expect(await fixture.dataSource.query('SELECT * FROM webhook_endpoint ORDER BY id')).toEqual(before);
    expect(await service.listEndpoints(fixture.merchantId)).toEqual([endpoint]);
    expect(await service.listEndpoints(strangers.merchantId)).toEqual([]);
  });

  it('can move to another URL, which is judged like the first', async () => {
    const service = production(PUBLIC);
    const { endpoint } = await create('https://shop.example/');
    expect(await codeOf(service.changeUrl(mine(endpoint.id), 'https://10.0.0.1/', by('test')))).toBe(
      'invalid-webhook-url',
    );
    await service.changeUrl(mine(endpoint.id), 'https://New.example/hook', by('test'));
    expect(await service.getEndpoint(mine(endpoint.id))).toMatchObject({ url: 'https://new.example/hook' });
  });

  it('show that and why they are disabled', async () => {
    const service = production(PUBLIC);
    const { endpoint } = await create('https://shop.example/');
    await service.disable(mine(endpoint.id), by('test'));
    expect(await service.listEndpoints(fixture.merchantId)).toMatchObject([
      { disabledAt: expect.any(Date), disabledReason: 'by-merchant' },
    ]);
    await service.enable(mine(endpoint.id), { sendHeld: false }, by('test'));
    expect(await service.listEndpoints(fixture.merchantId)).toEqual([endpoint]);
  });

  it('report what waits', async () => {
    const service = production(PUBLIC);
    expect(await service.backlog()).toEqual({ pending: 0, oldestAgeS: 0, sending: 0 });
    await create('https://shop.example/');
    await fixture.append();
    await fixture.append();
    await fixture.dataSource.query(`UPDATE delivery SET next_attempt_at = now() - interval '1 minute'`);
    const ageS = async () => {
      const [{ age }] = await fixture.dataSource.query<[{ age: string }]>(
        'SELECT extract(epoch FROM now() - min(next_attempt_at)) AS age FROM delivery',
      );
      return Number(age);
    };
    const before = await ageS();
    const backlog = await service.backlog();
    expect(backlog.pending).toBe(2);
    expect(before).toBeGreaterThanOrEqual(60);
    expect(backlog.oldestAgeS).toBeGreaterThanOrEqual(before);
    expect(backlog.oldestAgeS).toBeLessThanOrEqual(await ageS());
    await fixture.dataSource.query(`UPDATE delivery SET next_attempt_at = now() + interval '1 minute'`);
    expect(await service.backlog()).toEqual({ pending: 2, oldestAgeS: 0, sending: 0 });
  });
});
