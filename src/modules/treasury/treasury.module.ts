import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module.js';
import { RatesModule } from '../rates/rates.module.js';
import { CollectionsService } from './collections.service.js';
import { TreasuryService } from './treasury.service.js';

/** What lies on deposit addresses without keys, and how it gets home. */
@Module({
  imports: [ChainsModule, RatesModule],
  providers: [TreasuryService, CollectionsService],
  exports: [TreasuryService, CollectionsService],
})
export class TreasuryModule {}
