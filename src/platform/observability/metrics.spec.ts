import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from './metrics.js';

beforeAll(() => Logger.overrideLogger(false));

it('answers 503 to a scrape that meets a database that is away, and 200 to the next', async () => {
  const metrics = new Metrics();
  let away = true;
  new Gauge({
    name: 'rows',
    help: 'Asked of the database.',
    registers: [metrics.registry],
    collect() {
      if (away) throw new Error('connect ECONNREFUSED');
      this.set(7);
    },
  });
  const server = createServer(metrics.listener()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
  expect((await fetch(url)).status).toBe(503);
  away = false;
  expect(await (await fetch(url)).text()).toContain('rows 7');
  server.closeAllConnections();
  server.close();
});
