import type { RequestListener } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';

/** One registry per application, so that two applications in one process (tests) do not share counters. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly logger = new Logger(Metrics.name);

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** `null` when one of them cannot be read just now, which is the database's doing: the next scrape may succeed. */
  async text(): Promise<string | null> {
    try {
      return await this.registry.metrics();
    } catch (error) {
      this.logger.warn({ err: error }, 'the metrics cannot be read');
      return null;
    }
  }

  /** For the port of their own, which is not reachable from outside: every path answers with the metrics. */
  listener(): RequestListener {
    return (_request, response) => {
      void this.text().then((text) => {
        if (text === null) response.writeHead(503, { 'Retry-After': '5' }).end();
        else response.writeHead(200, { 'Content-Type': this.registry.contentType }).end(text);
      });
    };
  }
}
