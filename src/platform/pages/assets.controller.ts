import { Controller, Get, NotFoundException, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OpenToAll } from '../http/route-access.js';
import { ApiExcludeController } from '../openapi/decorators.js';
import { Assets } from './assets.js';

/** Stylesheet, script and icons. Their names change with their content, so a browser may keep them for ever. */
@ApiExcludeController()
@Controller('assets')
export class AssetsController {
  constructor(private readonly assets: Assets) {}

  @Get(':name')
  @OpenToAll('what public pages are made of')
  get(@Param('name') name: string, @Req() request: Request, @Res() response: Response): void {
    const asset = this.assets.find(name);
    if (!asset) throw new NotFoundException();
    const encoding = request.acceptsEncodings('br', 'gzip', 'identity');
    response.set({
      'Content-Type': asset.contentType,
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
    });
    if (encoding === 'br') response.set('Content-Encoding', 'br').send(asset.brotli);
    else if (encoding === 'gzip') response.set('Content-Encoding', 'gzip').send(asset.gzip);
    else response.send(asset.body);
  }
}
