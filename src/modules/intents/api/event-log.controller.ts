import { Controller, Get, Header, Query } from '@nestjs/common';
import { validation } from '../../../platform/http/input/validation.js';
import { ApiTags } from '../../../platform/openapi/decorators.js';
import { CurrentPrincipal, RequireScope } from '../../auth/auth.http.js';
import type { Principal } from '../../auth/auth.types.js';
import { ListEventsQuery } from './dto/list-events.query.js';
import type { PageOfEvents } from './dto/page-of-events.response.js';
import { ListEventsDocs } from './event-log.http.js';
import { PaymentEventsService } from './payment-events.service.js';

@ApiTags('Events')
@Controller('api/v1/events')
export class EventLogController {
  constructor(private readonly events: PaymentEventsService) {}

  @Get()
  @RequireScope('read')
  @Header('Cache-Control', 'no-store')
  @ListEventsDocs()
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query(validation('query')) { after, pageSize }: ListEventsQuery,
  ): Promise<PageOfEvents> {
    return this.events.page(merchantId, after ?? null, pageSize);
  }
}
