import { Injectable } from '@nestjs/common';
import type { On } from '../../../database/statement.js';
import { isOpen } from '../../../kernel/intent-status.js';
import { valueAt } from '../../../kernel/lookups.js';
import type { IssuedPlace } from '../../chains/chains.types.js';
import type { SeenNetwork } from '../../chains/health.types.js';
import { NetworkHealthService } from '../../chains/network-health.service.js';
import { AddressesService } from '../../chains/wallets/addresses.service.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import type { Merchant } from '../../merchants/merchants.types.js';
import type { LiveIntent } from '../data/intents.repository.js';
import type { Quote } from '../domain/model.js';
import { type OpenNetworks, PaymentOptions } from './payment-options.js';

interface Asked {
  /** How each network is seen, where a page may show an address; else that is asked when somebody needs it. */
  readonly networks: SeenNetwork[] | undefined;
  /** The ids of the intents of which it may be that what is paid for them comes without our seeing it now. */
  readonly unseen: ReadonlySet<string>;
  readonly merchants: ReadonlyMap<string, Merchant>;
  readonly issued: readonly (IssuedPlace & { readonly subject: string })[];
}

/** What pages that are read together have in common. */
export interface Shared {
  merchant(id: string): Merchant;
  standing(merchantId: string): Promise<OpenNetworks>;
  /** Whether what is paid for an open intent may come without our seeing it now. */
  isUnseen(intentId: string): boolean;
  /** How the merchant finds the quote's address; `undefined` where nobody needs to know. */
  placeOf(quote: Quote): IssuedPlace['place'] | undefined;
}

/** Asks once for what many pages need: how the networks are seen, a merchant, its wallets, and whether anything is unseen at all. */
@Injectable()
export class SharedFacts {
  constructor(
    private readonly merchants: MerchantsService,
    private readonly addresses: AddressesService,
    private readonly health: NetworkHealthService,
    private readonly options: PaymentOptions,
  ) {}

  /** What needs no answer but the one that found them: to be asked together with what else they are made of. */
  async ask(found: readonly LiveIntent[], on: On): Promise<Asked> {
    const picked = found.filter(({ quote }) => quote !== null);
    const waiting = found.flatMap(({ intent: { id, status }, quote }) =>
      quote && isOpen(status) ? { id, ...quote } : [],
    );
    const asking = waiting.length > 0 ? this.health.seen(on) : undefined;
    const merchantIds = [...new Set(found.map(({ intent }) => intent.merchantId))];
    const [networks, unseen, merchants, issued] = await Promise.all([
      asking,
      asking ? this.health.unseen(on, waiting, asking) : [],
      Promise.all(merchantIds.map(async (id) => [id, await this.merchants.get(id, on)] as const)),
      this.addresses.issuedTo(
        picked.map(({ intent }) => intent.id),
        on,
      ),
    ]);
    const unseenIds = new Set([...unseen].map(({ id }) => id));
    return { networks, unseen: unseenIds, merchants: new Map(merchants), issued };
  }

  of(asked: Asked): Shared {
    let asking = asked.networks && Promise.resolve(asked.networks);
    const networks = () => (asking ??= this.health.seen());
    const places = new Map(
      asked.issued.map(({ subject, address, place }) => [`${subject} ${address}`, place]),
    );
    return {
      merchant: (id) => valueAt(asked.merchants, id),
      standing: once((id) => this.options.standing(id, undefined, networks())),
      isUnseen: (intentId) => asked.unseen.has(intentId),
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
