import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Readiness } from './readiness.js';

/** For load balancers and supervisors; answered on every Host. */
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process runs. Restart it when this fails. */
  @Get('live')
  @Header('Cache-Control', 'no-store')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  /** The process may have traffic. A lagging network is told in the body; it closes that option only. */
  @Get('ready')
  @Header('Cache-Control', 'no-store')
  async ready(@Res({ passthrough: true }) response: Response): Promise<object> {
    const { ready, checks } = await this.readiness.report();
    response.status(ready ? 200 : 503);
    return { status: ready ? 'ready' : 'not-ready', checks };
  }
}
