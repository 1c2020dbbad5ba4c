import { Controller, Get, Header, HttpCode, Post, Req, Res } from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import { OpenToAll } from '../../../platform/http/route-access.js';
import { ApiExcludeController } from '../../../platform/openapi/decorators.js';
import { Assets } from '../../../platform/pages/assets.js';
import { Views } from '../../../platform/pages/views.js';
import { receivedView } from './received.view.js';
import { ReceivedEvents } from './received-events.js';

const OF_THE_DEMO_SHOP = 'only a sandbox has it, with the events of its demo shop';
const IN_MEMORY = 'nothing is stored';

const readText = express.text({ type: () => true, limit: '256kb' });

/** The demo merchant's webhook receiver: POST receives, GET lists what came. */
@ApiExcludeController()
@Controller('sandbox/webhook')
export class ReceiverController {
  constructor(
    private readonly events: ReceivedEvents,
    private readonly views: Views,
    private readonly assets: Assets,
  ) {}

  @Get()
  @OpenToAll(OF_THE_DEMO_SHOP)
  @Header('Cache-Control', 'no-store')
  @Header('Vary', 'Accept')
  list(@Req() request: Request, @Res() response: Response): void {
    const events = this.events.list();
    // Only where HTML is asked for by name: scripts and `curl` get JSON.
    if (!/\btext\/html\b/.test(request.headers.accept ?? '')) return void response.json({ events });
    const assets = { css: this.assets.url('rappen.css'), favicon: this.assets.url('favicon.svg') };
    response.type('html').send(this.views.render('sandbox/received', receivedView(events, assets)));
  }

  @Post()
  @OpenToAll(OF_THE_DEMO_SHOP, { unrecorded: IN_MEMORY })
  receive(@Req() request: Request, @Res() response: Response): void {
    readText(request, response, () => {
      const raw = typeof request.body === 'string' ? request.body : '';
      const verified = this.events.receive(raw, request.headers as Record<string, string>);
      response.status(verified ? 204 : 400).end();
    });
  }

  /** A receiver that is down, for whoever wants to see what becomes of deliveries then. */
  @Post('broken')
  @OpenToAll(OF_THE_DEMO_SHOP, { unrecorded: IN_MEMORY })
  @HttpCode(503)
  refuse(): string {
    return 'The warehouse system is being updated. Try again later.';
  }
}
