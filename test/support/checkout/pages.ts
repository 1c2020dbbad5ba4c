import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpException } from '@nestjs/common';
import express, { type NextFunction, type Request, type Response } from 'express';
import { PATHS, PRODUCT } from '../../../src/app.product.js';
import type { Config } from '../../../src/config/config.types.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { DomainError } from '../../../src/kernel/domain-error.js';
import type { RefundFlaw } from '../../../src/modules/checkout/catalogue/catalogue.types.js';
import { CheckoutLanguages } from '../../../src/modules/checkout/checkout.languages.js';
import { CheckoutPages } from '../../../src/modules/checkout/checkout.pages.js';
import { FacesController } from '../../../src/modules/checkout/faces.controller.js';
import { statusView } from '../../../src/modules/checkout/views/status.view.js';
import type { CheckoutIntent } from '../../../src/modules/intents/checkout.types.js';
import type { FacesService } from '../../../src/modules/merchants/faces.service.js';
import { securityHeaders } from '../../../src/platform/http/security-headers.js';
import { surfaces } from '../../../src/platform/http/surface.js';
import { AssetsController } from '../../../src/platform/pages/assets.controller.js';
import { Assets } from '../../../src/platform/pages/assets.js';
import { Views } from '../../../src/platform/pages/views.js';
import { ErrorPages } from '../../../src/platform/problems/error-pages.js';
import { Problems } from '../../../src/platform/problems/problem.js';
import { LOGO } from '../browser/logo.js';

const LOCAL = { databaseUrl: '', secretKey: Buffer.alloc(32), networks: [] };

/** As long as the ids of payments are, since pages show them; found by the name as well. */
function idOf(name: string): string {
  return `pi_${name.replaceAll('-', '')}01jd6w3h4k2m9x7c5v8b1n0qzr3t6y`.slice(0, 33);
}

/** The checkout's pages without the rest: real models, views, files and headers; only the intents are given. */
export class Pages {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(
    intents: Readonly<Record<string, CheckoutIntent>>,
    mode: Config['mode'] = 'sandbox',
  ): Promise<Pages> {
    const app = express().set('query parser', 'simple');
    const server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const assets = new Assets();
    const errorPages = new ErrorPages();
    const config = { ...loadConfig({}, LOCAL), mode };
    const languages = new CheckoutLanguages({ checkoutUrl: url });
    const pages = new CheckoutPages(new Views(), errorPages, languages, config, assets);
    pages.onModuleInit();
    const files = new AssetsController(assets);
    const faces = new FacesController({ logo: () => Promise.resolve(LOGO.png) } as unknown as FacesService);
    const problems = new Problems(PRODUCT.problems);
    const find = (request: Request<{ id: string }>): CheckoutIntent => {
      const { id } = request.params;
      const name = Object.hasOwn(intents, id) ? id : Object.keys(intents).find((each) => idOf(each) === id);
      if (name !== undefined) return { ...intents[name]!, id: idOf(name) };
      throw new DomainError('not_found', 'intent-not-found', 'There is no such payment.');
    };

    app.use(
      securityHeaders(),
      surfaces(
        {
          mode: 'production',
          baseUrl: 'http://base.invalid',
          checkoutUrl: url,
          port: 0,
          checkoutPort: null,
        },
        PATHS,
      ),
    );
    app.get('/assets/:name', (request, response) => files.get(request.params.name, request, response));
    app.get('/pay/faces/:name', (request, response) => faces.get(request.params.name, response));
    app.get('/pay/error/:status', (request) => {
      throw new HttpException('', Number(request.params.status));
    });
    app.get('/pay/refused/:flaw', (request, response) => {
      const wish = { network: 'ethereum', address: '0x52ab91c0D4e7', note: 'To my wallet, please.' };
      const flaw = request.params.flaw as RefundFlaw;
      const intent = { ...intents['expired-short']!, id: idOf('expired-short') };
      response
        .type('html')
        .send(pages.pay(intent, languages.catalogueOf(request), { refund: '1' }, { ...wish, flaw }));
    });
    app.get('/pay/:id', (request, response) => {
      languages.keep(request, response);
      response.type('html').send(pages.pay(find(request), languages.catalogueOf(request), request.query));
    });
    app.get('/pay/:id/status', (request, response) => {
      response.json(statusView(find(request), languages.catalogueOf(request)));
    });
    app.get('/pay/:id/events', (request, response) => {
      response
        .type('text/event-stream')
        .write(`data: ${JSON.stringify(statusView(find(request), languages.catalogueOf(request)))}\n\n`);
    });
    app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
      const refusal = problems.refusalOf(error);
      const page = errorPages.render(request, refusal, '4bf92f3577b34da6a3ce929d0e0e4736');
      response.status(refusal.status).type('html').send(page);
    });
    return new Pages(server, url);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
