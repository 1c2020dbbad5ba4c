import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LogosRepository } from './data/logos.repository.js';
import { MerchantEntity } from './data/merchant.entity.js';
import { MerchantsRepository } from './data/merchants.repository.js';
import { FacesService } from './faces.service.js';
import { MerchantsService } from './merchants.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([MerchantEntity])],
  providers: [FacesService, LogosRepository, MerchantsRepository, MerchantsService],
  exports: [FacesService, MerchantsService],
})
export class MerchantsModule {}
