import { Controller, Get, NotFoundException, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../kernel/domain-error.js';
import { OpenToAll } from '../http/route-access.js';
import { ApiExcludeController } from '../openapi/decorators.js';
import { Metrics } from './metrics.js';
import { MetricsAccess } from './metrics-access.js';

/** Prometheus metrics, behind a token; without `METRICS_TOKEN` they exist on `METRICS_PORT` only. */
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly access: MetricsAccess,
  ) {}

  @Get()
  @OpenToAll('it has a token of its own, without which it is not found')
  async get(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!this.access.isGranted(request)) throw new NotFoundException();
    const text = await this.metrics.text();
    if (text === null) {
      throw new DomainError('unavailable', 'unavailable', 'The metrics cannot be read just now.', {
        headers: { 'Retry-After': '5' },
      });
    }
    response.set('Content-Type', this.metrics.registry.contentType).send(text);
  }
}
