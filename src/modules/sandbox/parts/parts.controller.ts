import { Controller, Get, Header } from '@nestjs/common';
import { OpenToAll } from '../../../platform/http/route-access.js';
import { ApiExcludeController } from '../../../platform/openapi/decorators.js';
import { Assets } from '../../../platform/pages/assets.js';
import { Views } from '../../../platform/pages/views.js';
import { facesCss } from './faces.view.js';
import { partsView } from './parts.view.js';

/** Every part of the pages in every state, to be looked at side by side, by people and by machines. */
@ApiExcludeController()
@Controller('sandbox/parts')
export class PartsController {
  constructor(
    private readonly views: Views,
    private readonly assets: Assets,
  ) {}

  @Get()
  @OpenToAll('it shows made-up things, in a sandbox')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Cache-Control', 'no-store')
  show(): string {
    const url = (name: string) => this.assets.url(name);
    return this.views.render('parts/all', {
      ...partsView(),
      assets: {
        tokens: url('rappen.css'),
        css: url('dashboard.css'),
        faces: '/sandbox/parts/faces.css',
        js: url('dashboard.js'),
        favicon: url('favicon.svg'),
      },
    });
  }

  @Get('faces.css')
  @OpenToAll('it colours what is made up')
  @Header('Content-Type', 'text/css; charset=utf-8')
  @Header('Cache-Control', 'no-store')
  faces(): string {
    return facesCss();
  }
}
