import { Module } from '@nestjs/common';
import { ContractController } from './contract.controller.js';
import { ContractService } from './contract.service.js';
import { HomeController } from './home.controller.js';
import { ProblemsController } from './problems.controller.js';
import { SecurityTxtController } from './security-txt.controller.js';
import { SitePages } from './site.pages.js';
import { Snippets } from './snippets.service.js';

/** What is public at the API's address: home, contract, documentation and problems. */
@Module({
  controllers: [ContractController, HomeController, ProblemsController, SecurityTxtController],
  providers: [ContractService, SitePages, Snippets],
  exports: [ContractService, Snippets],
})
export class SiteModule {}
