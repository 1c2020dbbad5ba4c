import { Controller, Get, Header, HttpCode, Post, Req, Res } from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import { ApiExcludeController } from '../../../platform/openapi/decorators.js';
import { ReceivedEvents, type ReceivedEvent } from './received-events.js';

const readText = express.text({ type: () => true, limit: '256kb' });

/** The demo merchant's webhook receiver: POST receives, GET lists what came. */
@ApiExcludeController()
@Controller('sandbox/webhook')
export class ReceiverController {
  constructor(private readonly events: ReceivedEvents) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  list(): { events: readonly ReceivedEvent[] } {
    return { events: this.events.list() };
  }

  @Post()
  receive(@Req() request: Request, @Res() response: Response): void {
    readText(request, response, () => {
      const raw = typeof request.body === 'string' ? request.body : '';
      const verified = this.events.receive(raw, request.headers as Record<string, string>);
      response.status(verified ? 204 : 400).end();
    });
  }

  /** A receiver that is down, for whoever wants to see what becomes of deliveries then. */
  @Post('broken')
  @HttpCode(503)
  refuse(): string {
    return 'The warehouse system is being updated. Try again later.';
  }
}
