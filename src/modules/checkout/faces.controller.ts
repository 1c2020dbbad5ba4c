import { Controller, Get, NotFoundException, Param, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { OpenToAll } from '../../platform/http/route-access.js';
import { ApiExcludeController } from '../../platform/openapi/decorators.js';
import { FACES_PATH } from '../intents/checkout-paths.pure.js';
import { FacesService } from '../merchants/faces.service.js';
import { CheckoutGuard } from './checkout.guard.js';
import { styleNamed } from './face-style.pure.js';

/** Logos and colours of merchants. Their names change with their content, so a browser may keep them for ever. */
@ApiExcludeController()
@Controller(FACES_PATH)
@UseGuards(CheckoutGuard)
export class FacesController {
  constructor(private readonly faces: FacesService) {}

  @Get(':name')
  @OpenToAll('what public pages are made of')
  async get(@Param('name') name: string, @Res() response: Response): Promise<void> {
    const style = styleNamed(name);
    const logo = style === null ? await this.logo(name) : null;
    if (style === null && logo === null) throw new NotFoundException();
    response
      .set('Cache-Control', 'public, max-age=31536000, immutable')
      .type(style === null ? 'image/png' : 'text/css')
      .send(style ?? logo);
  }

  private async logo(name: string): Promise<Buffer | null> {
    const [, hash] = /^([0-9a-f]{32})\.png$/.exec(name) ?? [];
    return hash === undefined ? null : this.faces.logo(hash);
  }
}
