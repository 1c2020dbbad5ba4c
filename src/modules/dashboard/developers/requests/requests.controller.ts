import { Get, Query } from '@nestjs/common';
import { RequestsService } from '../../../auth/requests.service.js';
import { Allow, CurrentVisit, DashboardController } from '../../door/allow.js';
import { Visit } from '../../door/visit.js';
import { readAddress } from './address.js';
import { requestsView } from './requests.view.js';

const PAGE_SIZE = 50;

@DashboardController('developers/requests')
export class RequestsController {
  constructor(private readonly requests: RequestsService) {}

  @Get()
  @Allow('developers:read')
  async list(@CurrentVisit() visit: Visit, @Query() query: Record<string, unknown>): Promise<void> {
    const address = readAddress(query);
    const page = await this.requests.list(visit.merchantId, address.filter, PAGE_SIZE);
    await visit.page('developers/requests/list', requestsView(address, page));
  }
}
