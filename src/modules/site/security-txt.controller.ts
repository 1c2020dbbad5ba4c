import { Controller, Get, Header, Inject, NotFoundException } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.types.js';
import { OpenToAll } from '../../platform/http/route-access.js';
import { ApiExcludeController } from '../../platform/openapi/decorators.js';

/** Readers trust it until then; the service that answers is the one that runs, so the date moves with it. */
const VALID_MS = 30 * 24 * 3_600_000;

/** RFC 9116: where whoever finds a weakness in this instance writes. */
@ApiExcludeController()
@Controller('.well-known')
export class SecurityTxtController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Get('security.txt')
  @OpenToAll('whoever finds a weakness has no account')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  get(): string {
    const { securityContact, baseUrl } = this.config;
    if (securityContact === null) throw new NotFoundException();
    const expires = new Date(Date.now() + VALID_MS).toISOString();
    const canonical = `${baseUrl}/.well-known/security.txt`;
    return `Contact: ${securityContact}\nExpires: ${expires}\nCanonical: ${canonical}\nPreferred-Languages: en, de\n`;
  }
}
