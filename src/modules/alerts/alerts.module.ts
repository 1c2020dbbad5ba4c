import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { AlertsJobs } from './alerts.jobs.js';
import { AlertsMetrics } from './alerts.metrics.js';
import { AlertsRetention } from './alerts.retention.js';
import { AlertsService } from './alerts.service.js';
import { AlertEntity } from './data/alert.entity.js';
import { AlertMailsRepository } from './data/alert-mails.repository.js';
import { AlertsRepository } from './data/alerts.repository.js';
import { NoticesRepository } from './data/notices.repository.js';
import { AlertMail } from './delivery/alert-mail.js';
import { OperatorWebhook } from './delivery/operator-webhook.js';

@Module({
  imports: [TypeOrmModule.forFeature([AlertEntity]), MerchantsModule],
  providers: [
    AlertsService,
    AlertsJobs,
    AlertsMetrics,
    AlertsRetention,
    AlertsRepository,
    NoticesRepository,
    AlertMailsRepository,
    AlertMail,
    OperatorWebhook,
  ],
  exports: [AlertsService],
})
export class AlertsModule {}
