import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import express from 'express';
import { IntentsModule } from '../intents/intents.module.js';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { CheckoutController } from './checkout.controller.js';
import { CheckoutFeed } from './checkout.feed.js';
import { CheckoutGuard } from './checkout.guard.js';
import { CheckoutLanguages } from './checkout.languages.js';
import { CheckoutPages } from './checkout.pages.js';
import { FacesController } from './faces.controller.js';

const FORM = express.urlencoded({ extended: false, limit: '8kb', parameterLimit: 10 });

@Module({
  imports: [IntentsModule, MerchantsModule],
  controllers: [CheckoutController, FacesController],
  providers: [CheckoutFeed, CheckoutGuard, CheckoutLanguages, CheckoutPages],
})
export class CheckoutModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(FORM).forRoutes({ path: 'pay/:id/*action', method: RequestMethod.POST });
  }
}
