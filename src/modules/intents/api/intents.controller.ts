import { Body, Controller, Get, Header, HttpCode, Ip, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AuditTrail } from '../../../database/by.js';
import { BodyMayBeEmpty } from '../../../platform/http/input/json-body.guard.js';
import { noFields, noParameters, validation } from '../../../platform/http/input/validation.js';
import { ApiTags } from '../../../platform/openapi/decorators.js';
import { CurrentPrincipal, KeyedRow, RequireScope } from '../../auth/auth.http.js';
import type { Principal } from '../../auth/auth.types.js';
import { type KeyedIntentRow, liveOf, WITH_KEY } from '../data/intents.repository.js';
import type { IntentWithPayment, PageOf, PaymentIntent } from '../intents.types.js';
import { IntentsService } from '../lifecycle/intents.service.js';
import { CreateIntentRequest } from './dto/create-intent.request.js';
import { ListIntentsQuery } from './dto/list-intents.query.js';
import { toListFilter, toNewIntent } from './dto/mapping.js';
import { CancelIntentDocs, CreateIntentDocs, GetIntentDocs, ListIntentsDocs } from './intents.http.js';

@ApiTags('Payment intents')
@Controller('api/v1/intents')
export class IntentsController {
  constructor(
    private readonly intents: IntentsService,
    private readonly trail: AuditTrail,
  ) {}

  @Post()
  @RequireScope('write', { unrecorded: 'the intent is the record' })
  @Header('Cache-Control', 'no-store')
  @CreateIntentDocs()
  async create(
    @CurrentPrincipal() { merchantId }: Principal,
    @Body(validation('body')) request: CreateIntentRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PaymentIntent> {
    const { intent, replayed, mismatches } = await this.intents.create(merchantId, toNewIntent(request));
    response.status(replayed ? 200 : 201).set('Location', `/api/v1/intents/${intent.id}`);
    if (replayed) response.set('Idempotent-Replayed', 'true');
    if (mismatches.length > 0) response.set('Idempotency-Mismatch', mismatches.join(', '));
    return intent;
  }

  @Get(':id')
  @RequireScope('read', { reads: WITH_KEY })
  @Header('Cache-Control', 'no-store')
  @GetIntentDocs()
  async get(
    @KeyedRow() row: KeyedIntentRow,
    @Param('id') _id: string,
    @Query(noParameters) _none: object,
  ): Promise<IntentWithPayment> {
    return this.intents.read(liveOf(row));
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @RequireScope('write')
  @BodyMayBeEmpty()
  @Header('Cache-Control', 'no-store')
  @CancelIntentDocs()
  async cancel(
    @CurrentPrincipal() { merchantId, keyId }: Principal,
    @Ip() ip: string,
    @Param('id') id: string,
    @Body(noFields) _nothing: object,
  ): Promise<IntentWithPayment> {
    const by = this.trail.agent(`key:${keyId}`, ip);
    return this.intents.cancel({ whose: merchantId, id, by }, 'cancelled-by-key');
  }

  @Get()
  @RequireScope('read')
  @Header('Cache-Control', 'no-store')
  @ListIntentsDocs()
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query(validation('query')) query: ListIntentsQuery,
  ): Promise<PageOf<PaymentIntent>> {
    return this.intents.list(toListFilter(merchantId, query), query.page, query.pageSize);
  }
}
