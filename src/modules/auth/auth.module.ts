import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG } from '../../config/config.types.js';
import { RateWindows } from '../../platform/rate-limit/rate-windows.js';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeysService } from './api-keys.service.js';
import { AuthRetention } from './auth.retention.js';
import { ApiKeyEntity } from './data/api-key.entity.js';
import { ApiKeysRepository } from './data/api-keys.repository.js';
import { RequestsRepository } from './data/requests.repository.js';
import { PrincipalsService } from './principals.service.js';
import { RateLimitGuard, throttling } from './rate-limit.guard.js';
import { RefusedKeys } from './refused-keys.js';
import { RequestLog } from './request-log.js';
import { RequestsService } from './requests.service.js';

@Module({
  imports: [
    MerchantsModule,
    TypeOrmModule.forFeature([ApiKeyEntity]),
    ThrottlerModule.forRootAsync({ inject: [CONFIG, RateWindows], useFactory: throttling }),
  ],
  providers: [
    ApiKeysRepository,
    ApiKeysService,
    PrincipalsService,
    RefusedKeys,
    RequestLog,
    RequestsRepository,
    RequestsService,
    AuthRetention,
    ApiKeyGuard,
    RateLimitGuard,
  ],
  exports: [
    ApiKeysService,
    PrincipalsService,
    RefusedKeys,
    RequestLog,
    RequestsService,
    ApiKeyGuard,
    RateLimitGuard,
    ThrottlerModule,
  ],
})
export class AuthModule {}
