import { Injectable } from '@nestjs/common';
import type { OpenApi } from '../../platform/openapi/document.js';
import type { Documented } from './site.types.js';

/** What the application says of itself; the one that knows all modules hands it in (app.contract.ts). */
@Injectable()
export class ContractService {
  /** The OpenAPI document of this application, which knows all its routes. */
  make: () => Promise<OpenApi> = () => Promise.resolve({});
  documented: Documented = { retryWaitsMs: [], fieldCodes: {} };
  private made: Promise<OpenApi> | null = null;

  /** Made for whoever asks first, and kept. */
  document(): Promise<OpenApi> {
    return (this.made ??= this.make());
  }
}
