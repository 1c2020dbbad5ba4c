import { Controller, Get, Header, Injectable } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SitePages } from '../site/site.pages.js';
import { docsModel, type OpenApi } from './docs.view.js';

/** The OpenAPI document of this application, known once all its routes are. */
@Injectable()
export class Contract {
  document: OpenApi = {};
}

/** The contract, for programs and for people. */
@ApiExcludeController()
@Controller()
export class ContractController {
  constructor(
    private readonly contract: Contract,
    private readonly pages: SitePages,
  ) {}

  @Get('openapi.json')
  @Header('Cache-Control', 'public, max-age=300')
  json(): OpenApi {
    return this.contract.document;
  }

  @Get('docs')
  @Header('Content-Type', 'text/html; charset=utf-8')
  docs(): string {
    return this.pages.render('site/docs', { title: 'API', ...docsModel(this.contract.document) });
  }
}
