import { Controller, Get, Header, NotFoundException, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OpenToAll } from '../../../platform/http/route-access.js';
import { ApiExcludeController } from '../../../platform/openapi/decorators.js';
import { PANEL_PATH, payPath } from '../../intents/checkout-paths.pure.js';
import { isScenario } from '../scenarios.pure.js';
import { ScenariosService } from '../scenarios/scenarios.service.js';
import { PanelGuard } from './panel.guard.js';
import { PanelPages } from './panel.pages.js';

const BY_LINK = 'whoever has the link of the payment is its buyer, here with local chains';

/**
 * "Test payment": plays a scenario for one intent. A browser gets pages and goes back to the checkout; the command line
 * asks for JSON.
 */
@ApiExcludeController()
@Controller(PANEL_PATH)
@UseGuards(PanelGuard)
export class PanelController {
  constructor(
    private readonly scenarios: ScenariosService,
    private readonly pages: PanelPages,
  ) {}

  @Get(':id')
  @OpenToAll(BY_LINK)
  @Header('Cache-Control', 'no-store')
  async show(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const intent = await this.scenarios.intent(id);
    if (wantsJson(request)) response.json({ run: this.scenarios.runOf(id) });
    else response.type('html').send(this.pages.panel(intent, null));
  }

  @Post(':id/end-window')
  @OpenToAll(BY_LINK, { unrecorded: 'only a sandbox ends a window by hand' })
  async endWindow(
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const expiresAt = await this.scenarios.endWindow(id);
    if (wantsJson(request)) response.json({ expiresAt });
    else response.redirect(303, payPath(id));
  }

  @Post(':id/:scenario')
  @OpenToAll(BY_LINK, { unrecorded: 'what a buyer pays is recorded by the watcher' })
  async play(
    @Param('id') id: string,
    @Param('scenario') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (!isScenario(name)) throw new NotFoundException();
    const refusal = await this.scenarios.start(id, name);
    if (wantsJson(request)) {
      response.status(refusal === null ? 202 : 409).json({ problem: refusal });
    } else if (refusal === null) {
      response.redirect(303, payPath(id));
    } else {
      const page = this.pages.panel(await this.scenarios.intent(id), refusal);
      response.status(409).type('html').send(page);
    }
  }
}

function wantsJson(request: Request): boolean {
  return request.accepts(['html', 'json']) === 'json';
}
