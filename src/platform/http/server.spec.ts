import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import type { Problems } from '../problems/problem.js';
import { createHttpServer, LimitedExpressAdapter } from './server.js';

const refusing = { problems: {} as Problems, baseUrl: 'http://rappen.example' };

it.each(['its own port', 'a port beside it'])(
  'changes the prototype of no message that comes to %s',
  async (port) => {
    const adapter = new LimitedExpressAdapter(refusing);
    const app = adapter.getInstance<Express>();
    const server = port === 'its own port' ? serverOf(adapter) : createHttpServer(app, refusing);
    const prototypes: unknown[] = [];
    server.prependListener('request', (...messages) =>
      prototypes.push(...messages.map(Object.getPrototypeOf)),
    );
    app.use((request, response) => {
      prototypes.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
      response.send(request.path);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/asked?for=this`);
    server.close();
    expect(await answer.text()).toBe('/asked');
    const theirs = [app.request, app.response, app.request, app.response];
    expect(prototypes.map((prototype, i) => prototype === theirs[i])).toEqual([true, true, true, true]);
  },
);

function serverOf(adapter: LimitedExpressAdapter): Server {
  adapter.initHttpServer();
  return adapter.getHttpServer();
}
