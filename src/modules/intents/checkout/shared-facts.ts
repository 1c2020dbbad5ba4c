import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isOpen } from '../../../kernel/intent-status.js';
import type { IssuedPlace } from '../../chains/chains.types.js';
import type { NetworkHealth } from '../../chains/health.types.js';
import { NetworkHealthService } from '../../chains/network-health.service.js';
import { AddressesService } from '../../chains/wallets/addresses.service.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import type { Merchant } from '../../merchants/merchants.types.js';
import type { Intent, Quote } from '../domain/model.js';
import { type OpenNetworks, PaymentOptions } from './payment-options.js';

/** An intent with the quote that its page shows. */
export interface Shown {
  readonly intent: Intent;
  readonly shown: Quote | null;
}

/** What pages that are read together have in common. */
export interface Shared {
  merchant(id: string): Promise<Merchant>;
  standing(merchantId: string): Promise<OpenNetworks>;
  /** Whether what is paid at this quote may come without our seeing it now. */
  isUnseen(quote: Quote): Promise<boolean>;
  /** How the merchant finds the quote's address; `undefined` where nobody needs to know. */
  placeOf(quote: Quote): IssuedPlace['place'] | undefined;
}

/** Asks once for what many pages need: how the networks are seen, a merchant, its wallets, and whether anything is unseen at all. */
@Injectable()
export class SharedFacts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly merchants: MerchantsService,
    private readonly addresses: AddressesService,
    private readonly health: NetworkHealthService,
    private readonly options: PaymentOptions,
  ) {}

  async of(pages: readonly Shown[]): Promise<Shared> {
    const quotes = pages.flatMap(({ shown }) => shown ?? []);
    const open = pages.flatMap(({ intent, shown }) => (isOpen(intent.status) ? (shown ?? []) : []));
    const ofEvm = quotes.filter(({ family }) => family === 'evm').map(({ intentId }) => intentId);
    let asked: Promise<NetworkHealth[]> | undefined;
    const networks = () => (asked ??= this.health.all());
    const [anyUnseen, issued] = await Promise.all([
      open.length > 0 && this.health.isAnyUnseen(this.dataSource, open, networks()),
      this.addresses.issuedTo(ofEvm),
    ]);
    const places = new Map(issued.map(({ subject, address, place }) => [`${subject} ${address}`, place]));
    return {
      merchant: once((id) => this.merchants.get(id)),
      standing: once((id) => this.options.standing(id, networks())),
      // If it is true of one, the others are asked about by themselves.
      isUnseen: async (quote) =>
        anyUnseen &&
        (open.length === 1 || (await this.health.isAnyUnseen(this.dataSource, [quote], networks()))),
      placeOf: ({ intentId, watchedAddress }) => places.get(`${intentId} ${watchedAddress}`),
    };
  }
}

/** The same promise for the same key. */
function once<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const asked = new Map<string, Promise<T>>();
  return (key) => {
    const answer = asked.get(key) ?? ask(key);
    asked.set(key, answer);
    return answer;
  };
}
