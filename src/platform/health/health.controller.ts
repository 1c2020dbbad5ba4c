import { Controller, Get, Header, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../config/config.types.js';
import { OpenToAll } from '../http/route-access.js';
import { MetricsAccess } from '../observability/metrics-access.js';
import { ApiExcludeController } from '../openapi/decorators.js';
import { Readiness } from './readiness.js';

/** For load balancers and supervisors; answered on every Host. */
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly access: MetricsAccess,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The process runs. Restart it when this fails. */
  @Get('live')
  @OpenToAll('for supervisors: it tells nothing but that the process runs')
  @Header('Cache-Control', 'no-store')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  /**
   * The process may have traffic. Why not, and what lags, is told to whoever is inside; it closes that option
   * only. Anybody else hears the status alone.
   */
  @Get('ready')
  @OpenToAll('for load balancers: whoever is not inside hears the status alone')
  @Header('Cache-Control', 'no-store')
  async ready(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<object> {
    const isInside = this.isInside(request);
    const { ready, checks } = await this.readiness.report();
    response.status(ready ? 200 : 503);
    const status = ready ? 'ready' : 'not-ready';
    return isInside ? { status, checks } : { status };
  }

  /** On this machine and not by way of a proxy on it, or with the token of the metrics. */
  private isInside(request: Request): boolean {
    if (this.config.mode === 'sandbox') return true;
    const { authorization, host = '', forwarded, via, 'x-forwarded-for': forwardedFor } = request.headers;
    const isDirect = forwarded === undefined && forwardedFor === undefined && via === undefined;
    const isOurName = [this.config.baseUrl, this.config.checkoutUrl].some(
      (url) => new URL(url).host === host,
    );
    if (isDirect && !isOurName && isLoopback(request.socket.remoteAddress)) return true;
    return authorization !== undefined && this.access.isGranted(request);
  }
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::1$|(::ffff:)?127\.)/.test(address);
}
