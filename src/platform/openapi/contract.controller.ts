import { Controller, Get, Header, Injectable } from '@nestjs/common';
import { ApiExcludeController } from './decorators.js';
import { OpenToAll } from '../http/route-access.js';
import { llmsText } from '../site/llms.js';
import { SitePages } from '../site/site.pages.js';
import { Snippets } from '../site/snippets.js';
import { Assets } from '../pages/assets.js';
import { docsModel, type OpenApi } from './docs.view.js';
import type { Guide } from './guide.view.js';

/** The OpenAPI document of this application, which knows all its routes. */
@Injectable()
export class Contract {
  make: () => Promise<OpenApi> = () => Promise.resolve({});
  guide: Guide = { retries: [], limits: [], codes: [] };
  private made: Promise<OpenApi> | null = null;

  /** Made for whoever asks first, and kept. */
  document(): Promise<OpenApi> {
    return (this.made ??= this.make());
  }
}

/** The contract, for programs and for people. */
@ApiExcludeController()
@Controller()
export class ContractController {
  constructor(
    private readonly contract: Contract,
    private readonly pages: SitePages,
    private readonly snippets: Snippets,
    private readonly assets: Assets,
  ) {}

  @Get('openapi.json')
  @OpenToAll('the contract is public')
  @Header('Cache-Control', 'public, max-age=300')
  json(): Promise<OpenApi> {
    return this.contract.document();
  }

  @Get('docs')
  @OpenToAll('the contract is public')
  @Header('Content-Type', 'text/html; charset=utf-8')
  async docs(): Promise<string> {
    const { create, verify, events, find, cancel } = this.snippets;
    return this.pages.render('site/docs', {
      title: 'API',
      create,
      verify,
      events,
      find,
      cancel,
      script: this.assets.url('docs.js'),
      ...this.contract.guide,
      ...docsModel(await this.contract.document()),
    });
  }

  /** The API in a page, for a program that writes an integration. */
  @Get('llms.txt')
  @OpenToAll('the contract is public')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=300')
  llms(): string {
    return llmsText(this.pages.baseUrl);
  }
}
