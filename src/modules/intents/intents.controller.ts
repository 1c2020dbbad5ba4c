import { Body, Controller, Get, Header, Param, Post, Query, Res, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { JsonBody } from '../../platform/http/json-body.js';
import { noParameters, validation } from '../../platform/http/validation.js';
import { CurrentPrincipal, RequireScope } from '../auth/auth.http.js';
import type { Principal } from '../auth/auth.types.js';
import { CreateIntentRequest } from './dto/create-intent.request.js';
import { ListIntentsQuery } from './dto/list-intents.query.js';
import { toListFilter, toNewIntent, toPage } from './dto/mapping.js';
import { CreateIntentDocs, GetIntentDocs, ListIntentsDocs } from './intents.http.js';
import { IntentsService } from './intents.service.js';
import type { PageOf, PaymentIntent } from './intents.types.js';

@ApiTags('Payment intents')
@Controller('api/v1/intents')
@UseInterceptors(JsonBody)
export class IntentsController {
  constructor(private readonly intents: IntentsService) {}

  @Post()
  @RequireScope('write')
  @Header('Cache-Control', 'no-store')
  @CreateIntentDocs()
  async create(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query(noParameters) _none: object,
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
  @RequireScope('read')
  @Header('Cache-Control', 'no-store')
  @GetIntentDocs()
  async get(
    @CurrentPrincipal() { merchantId }: Principal,
    @Param('id') id: string,
    @Query(noParameters) _none: object,
  ): Promise<PaymentIntent> {
    return this.intents.get(merchantId, id);
  }

  @Get()
  @RequireScope('read')
  @Header('Cache-Control', 'no-store')
  @ListIntentsDocs()
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query(validation('query')) query: ListIntentsQuery,
  ): Promise<PageOf<PaymentIntent>> {
    const { page, pageSize } = toPage(query);
    return this.intents.list(toListFilter(merchantId, query), page, pageSize);
  }
}
