import { timingSafeEqual } from 'node:crypto';
import { Controller, Get, Inject, NotFoundException, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../config/config.types.js';
import { DomainError } from '../../kernel/domain-error.js';
import { Metrics } from './metrics.js';

/** Prometheus metrics, behind a token; without `METRICS_TOKEN` they exist on `METRICS_PORT` only. */
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  async get(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { token } = this.config.metrics;
    if (token === null || !equal(request.headers.authorization ?? '', `Bearer ${token}`))
      throw new NotFoundException();
    const text = await this.metrics.text();
    if (text === null) {
      throw new DomainError('unavailable', 'unavailable', 'The metrics cannot be read just now.', {
        headers: { 'Retry-After': '5' },
      });
    }
    response.set('Content-Type', this.metrics.registry.contentType).send(text);
  }
}

function equal(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
