import { Controller, Get, Header, Inject } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.types.js';
import { OpenToAll } from '../../platform/http/route-access.js';
import { ApiExcludeController } from '../../platform/openapi/decorators.js';
import type { OpenApi } from '../../platform/openapi/document.js';
import { Assets } from '../../platform/pages/assets.js';
import { ContractService } from './contract.service.js';
import { SitePages } from './site.pages.js';
import { Snippets } from './snippets.service.js';
import { docsModel } from './views/docs.view.js';
import { guideOf } from './views/guide.view.js';
import { llmsText } from './views/llms.js';

/** The contract, for programs and for people. */
@ApiExcludeController()
@Controller()
export class ContractController {
  constructor(
    private readonly contract: ContractService,
    private readonly pages: SitePages,
    private readonly snippets: Snippets,
    private readonly assets: Assets,
    @Inject(CONFIG) private readonly config: Config,
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
      ...guideOf(this.config, this.contract.documented),
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
