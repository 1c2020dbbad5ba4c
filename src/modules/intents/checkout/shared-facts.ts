import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { On } from '../../../database/statement.js';
import { isOpen } from '../../../kernel/intent-status.js';
import { valueAt } from '../../../kernel/lookups.js';
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

/** What is known of pages that are read together before their quotes are. */
interface Asked {
  /** How each network is seen, where a page may show an address; else that is asked when somebody needs it. */
  readonly networks: NetworkHealth[] | undefined;
  readonly merchants: ReadonlyMap<string, Merchant>;
  readonly issued: readonly (IssuedPlace & { readonly subject: string })[];
}

/** What pages that are read together have in common. */
export interface Shared {
  merchant(id: string): Merchant;
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

  /** What needs nothing of their quotes: to be asked together with these. */
  async ask(intents: readonly Intent[], on: On): Promise<Asked> {
    const picked = intents.filter(({ quoteId }) => quoteId !== null);
    const merchantIds = [...new Set(intents.map(({ merchantId }) => merchantId))];
    const [networks, merchants, issued] = await Promise.all([
      picked.some(({ status }) => isOpen(status)) ? this.health.all(on) : undefined,
      Promise.all(merchantIds.map(async (id) => [id, await this.merchants.get(id, on)] as const)),
      this.addresses.issuedTo(
        picked.map(({ id }) => id),
        on,
      ),
    ]);
    return { networks, merchants: new Map(merchants), issued };
  }

  async of(pages: readonly Shown[], asked: Asked): Promise<Shared> {
    const open = pages.flatMap(({ intent, shown }) => (isOpen(intent.status) ? (shown ?? []) : []));
    let asking = asked.networks && Promise.resolve(asked.networks);
    const networks = () => (asking ??= this.health.all());
    const anyUnseen = open.length > 0 && (await this.health.isAnyUnseen(this.dataSource, open, networks()));
    const places = new Map(
      asked.issued.map(({ subject, address, place }) => [`${subject} ${address}`, place]),
    );
    return {
      merchant: (id) => valueAt(asked.merchants, id),
      standing: once((id) => this.options.standing(id, undefined, networks())),
      // If it is true of one, the others are asked about by themselves.
      isUnseen: async (quote) =>
        anyUnseen &&
        (open.length === 1 || (await this.health.isAnyUnseen(this.dataSource, [quote], networks()))),
      placeOf: ({ family, intentId, watchedAddress }) =>
        family === 'evm' ? places.get(`${intentId} ${watchedAddress}`) : undefined,
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
