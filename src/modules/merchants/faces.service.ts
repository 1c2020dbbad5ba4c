import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { By } from '../../database/by.js';
import { LogosRepository } from './data/logos.repository.js';
import { drawLogo } from './logos/logo-drawing.js';
import { MerchantsService } from './merchants.service.js';
import type { Merchant } from './merchants.types.js';

/** How a merchant looks to its buyers (ADR 58). */
@Injectable()
export class FacesService {
  constructor(
    private readonly merchants: MerchantsService,
    private readonly logos: LogosRepository,
  ) {}

  /**
   * @param color as `MerchantSettings` has it
   * @param logo a picture's file as it was uploaded; `null` takes the logo away, `undefined` leaves it
   * @throws DomainError `validation-error`, `unavailable`, `merchant-not-found`
   */
  async set(
    merchantId: string,
    { color, logo }: { color: string | null; logo?: Uint8Array | null },
    by: By,
  ): Promise<Merchant> {
    if (logo === undefined) return this.merchants.set(merchantId, { color }, by);
    if (logo === null)
      return this.merchants.set(merchantId, { color, logo }, by, (tx) => this.logos.remove(tx, merchantId));
    const { png, ...drawn } = await drawLogo(logo);
    const hash = createHash('sha256').update(png).digest('hex').slice(0, 32);
    return this.merchants.set(merchantId, { color, logo: { hash, ...drawn } }, by, (tx) =>
      this.logos.put(tx, merchantId, hash, png),
    );
  }

  /** @returns a PNG; `null` where no merchant has that logo, or has it no more */
  logo(hash: string): Promise<Buffer | null> {
    return this.logos.find(hash);
  }
}
