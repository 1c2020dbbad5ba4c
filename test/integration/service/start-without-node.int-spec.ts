import { Logger } from '@nestjs/common';
import { sandboxPolygon } from '../../../src/config/networks.js';
import { NetworkHealthService } from '../../../src/modules/chains/network-health.service.js';
import { Api } from '../../support/api/api.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { stablePort } from '../../support/servers/ports.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

let anvil: TestAnvil;
beforeAll(async () => (anvil = await startTestAnvil({ blockTimeS: 1 })));
afterAll(() => anvil.stop());

it('starts with one of two nodes down: says what it waits for, when it gave up, and which host fails how', async () => {
  const said: string[] = [];
  for (const level of ['log', 'warn', 'error'] as const) {
    jest.spyOn(Logger.prototype, level).mockImplementation((...words: unknown[]) => {
      said.push(`${level} ${JSON.stringify(words)}`);
    });
  }
  // The time is up once the one that runs has caught up, for which a busy machine may need longer.
  const { whenCaughtUp } = NetworkHealthService.prototype;
  jest.spyOn(NetworkHealthService.prototype, 'whenCaughtUp').mockImplementation(async function (
    this: NetworkHealthService,
    limitMs,
  ) {
    for (;;) {
      const missing = await whenCaughtUp.call(this, limitMs);
      if (!missing.includes('ethereum')) return missing;
    }
  });
  const host = `127.0.0.1:${await stablePort()}`;
  const service = await Service.start({
    chain: anvil,
    networks: [sandboxPolygon(`http://${host}/a-secret-path-0123`, { USDC: `0x${'1'.repeat(40)}` })],
    catchUpLimitMs: 3_000,
  });
  service.leaveUncompared('it has no node', ['polygon']);
  const { key } = await service.shop();
  expect((await new Api(service, key).create({ amount: 1, currency: 'CHF' })).status).toBe(201);
  expect(said).toContainEqual(expect.stringMatching(/^log .*"ethereum","polygon".*waiting until/));
  expect(said).toContainEqual(expect.stringMatching(/^warn .*"networks":\["polygon"\].*gave up waiting/));
  const failure = await eventually(
    () => said.find((line) => line.includes('polygon cannot be watched')),
    (line) => line !== undefined,
  );
  expect(failure).toContain(`(${host}, ECONNREFUSED)`);
  expect(said.join()).not.toContain('a-secret-path');
  await service.stop();
});
