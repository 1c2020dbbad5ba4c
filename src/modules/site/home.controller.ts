import { Controller, Get, Header } from '@nestjs/common';
import { OpenToAll } from '../../platform/http/route-access.js';
import { ApiExcludeController } from '../../platform/openapi/decorators.js';
import { SitePages } from './site.pages.js';
import { firstCall } from './views/commands.js';

/** What somebody sees who opens the API's address in a browser. */
@ApiExcludeController()
@Controller()
export class HomeController {
  constructor(private readonly pages: SitePages) {}

  @Get()
  @OpenToAll('it says what answers at this address')
  @Header('Content-Type', 'text/html; charset=utf-8')
  home(): string {
    return this.pages.render('site/home', {
      title: 'Payment intents',
      firstCall: firstCall(this.pages.baseUrl),
    });
  }
}
