import { Controller, Get, Header, Injectable } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { llmsText } from '../site/llms.js';
import { SitePages } from '../site/site.pages.js';
import { Snippets } from '../site/snippets.js';
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
    private readonly snippets: Snippets,
  ) {}

  @Get('openapi.json')
  @Header('Cache-Control', 'public, max-age=300')
  json(): OpenApi {
    return this.contract.document;
  }

  @Get('docs')
  @Header('Content-Type', 'text/html; charset=utf-8')
  docs(): string {
    const { create, verify } = this.snippets;
    return this.pages.render('site/docs', {
      title: 'API',
      create,
      verify,
      ...docsModel(this.contract.document),
    });
  }

  /** The API in a page, for a program that writes an integration. */
  @Get('llms.txt')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=300')
  llms(): string {
    return llmsText(this.pages.baseUrl);
  }
}
