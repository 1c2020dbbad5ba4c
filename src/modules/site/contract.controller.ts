import { Controller, Get, Header, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../config/config.types.js';
import { OpenToAll } from '../../platform/http/route-access.js';
import { ApiExcludeController } from '../../platform/openapi/decorators.js';
import type { OpenApi } from '../../platform/openapi/document.js';
import { sendHtml } from '../../platform/pages/send-html.js';
import { ContractService } from './contract.service.js';
import { SitePages } from './site.pages.js';
import { Snippets } from './snippets.service.js';
import { firstCall, LOCAL_COMMANDS } from './views/commands.js';
import { docsModel } from './views/docs.view.js';
import { guideOf } from './views/guide.view.js';
import { llmsText } from './views/llms.js';
import { contentsOf } from './views/places.view.js';

/** The contract, for programs and for people. */
@ApiExcludeController()
@Controller()
export class ContractController {
  constructor(
    private readonly contract: ContractService,
    private readonly pages: SitePages,
    private readonly snippets: Snippets,
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
  async docs(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { create, verify, events, find, read, cancel } = this.snippets;
    const { operations, resource } = docsModel(await this.contract.document());
    const page = this.pages.render('site/docs', {
      title: 'Payment intents API',
      contents: contentsOf(operations),
      create,
      verify,
      events,
      find,
      read,
      cancel,
      firstCall: firstCall(this.config.baseUrl),
      localCommands: LOCAL_COMMANDS,
      ...guideOf(this.config, this.contract.documented),
      operations,
      resource,
    });
    await sendHtml(request, response, page);
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
