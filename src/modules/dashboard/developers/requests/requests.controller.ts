import { Get, Query } from '@nestjs/common';
import { RequestsService } from '../../../auth/requests.service.js';
import { Allow, CurrentContext, DashboardController } from '../../session/allow.js';
import { RequestContext } from '../../session/request-context.js';
import { requestsView } from './requests.view.js';
import { readRequestsQuery } from './requests-query.js';

const PAGE_SIZE = 50;

@DashboardController('requests')
export class RequestsController {
  constructor(private readonly requests: RequestsService) {}

  @Get()
  @Allow('developers:read')
  async list(
    @CurrentContext() context: RequestContext,
    @Query() query: Record<string, unknown>,
  ): Promise<void> {
    const asked = readRequestsQuery(query);
    const page = await this.requests.list(context.merchantId, asked.filter, PAGE_SIZE);
    await context.page('developers/requests/list', requestsView(context.say, asked, page));
  }
}
