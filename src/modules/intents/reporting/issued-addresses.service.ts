import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { CryptoAmount } from '../../../kernel/crypto-amount.js';
import { entryAt } from '../../../kernel/lookups.js';
import type { IssuedFrom, Transfer } from '../../chains/chains.types.js';
import { FactsService } from '../../chains/facts.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { DestinationsService } from '../../chains/wallets/destinations.service.js';
import { ExtendedKeysService } from '../../chains/wallets/extended-keys.service.js';
import { IntentsRepository } from '../data/intents.repository.js';
import type { Quote } from '../domain/model.js';
import { belongsTo, liveTransfers, sumAtoms } from '../domain/transfers.js';

/** An address of a merchant's wallet, and what became of it. */
export interface IssuedAddressRow {
  /** Of the key or the destination. */
  readonly issuerId: string;
  /** The last step of its derivation path; `null` for one that pays out to a destination. */
  readonly index: number | null;
  /** As people see it. */
  readonly address: string;
  readonly network: string | null;
  readonly networkName: string | null;
  readonly intentId: string;
  readonly issuedAt: Date;
  readonly asset: string | null;
  /** Of the quoted asset; `null` for nothing. */
  readonly received: CryptoAmount | null;
  /** What was not quoted, and arrived all the same. */
  readonly others: readonly OtherMoney[];
}

export interface OtherMoney {
  readonly atoms: bigint;
  /** `null` where nobody knows what its atoms are together. */
  readonly decimals: number | null;
  readonly asset: string;
  readonly networkName: string;
}

/** Rows are read this many at a time, so that a list of any length takes the memory of one part. */
const PART = 500;

/** What a merchant's addresses come from. */
export type IssuerKind = 'extended-key' | 'address';

/** Which addresses a merchant's wallets have issued: to find money in the wallet, and to check the wallet against us. */
@Injectable()
export class IssuedAddressesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly facts: FactsService,
    private readonly networks: NetworksService,
    private readonly extendedKeys: ExtendedKeysService,
    private readonly destinations: DestinationsService,
    private readonly rows: IntentsRepository,
  ) {}

  /**
   * The latest of one of the merchant's keys or destinations first.
   * @param before as `cursorOf` the last row of the page before
   */
  async page(
    merchantId: string,
    { id, kind }: { readonly id: string; readonly kind: IssuerKind },
    before: string | null,
    limit: number,
  ): Promise<IssuedAddressRow[]> {
    if (kind === 'address') {
      return this.describe(id, await this.destinations.issuedFor(merchantId, id, before, limit));
    }
    const index = before !== null && /^\d{1,10}$/.test(before) ? Number(before) : null;
    return this.describe(id, await this.extendedKeys.issuedFrom(merchantId, id, index, limit));
  }

  /** All of them, one key or destination after the other. */
  async *all(merchantId: string): AsyncGenerator<IssuedAddressRow> {
    const keys = await this.extendedKeys.list(merchantId);
    const destinations = await this.destinations.list(merchantId);
    for (const issuer of [
      ...keys.map(({ id }) => ({ id, kind: 'extended-key' as const })),
      ...destinations.map(({ id }) => ({ id, kind: 'address' as const })),
    ]) {
      let before: string | null = null;
      for (;;) {
        const part: IssuedAddressRow[] = await this.page(merchantId, issuer, before, PART);
        yield* part;
        if (part.length < PART) break;
        before = cursorOf(entryAt(part, -1));
      }
    }
  }

  private async describe(issuerId: string, issued: readonly IssuedFrom[]): Promise<IssuedAddressRow[]> {
    const subjects = [...new Set(issued.map(({ subject }) => subject))];
    const [quotes, facts] = await Promise.all([
      this.rows.quotesOf(subjects),
      this.facts.ofEach(this.dataSource, subjects),
    ]);
    return issued.map(({ index, address, subject, issuedAt }) => {
      const quote = quotes.find((one) => one.intentId === subject && one.watchedAddress === address);
      const known = facts.get(subject);
      const live = quote && known ? liveTransfers([quote], known) : [];
      const network = quote ? this.networks.network(quote.network) : null;
      return {
        issuerId,
        index,
        issuedAt,
        intentId: subject,
        address: quote?.address ?? address,
        network: quote?.network ?? null,
        networkName: network?.name ?? quote?.network ?? null,
        asset: quote?.asset ?? null,
        received: quote ? receivedOf(quote, live) : null,
        others: quote ? this.others(live.filter((transfer) => !belongsTo(transfer, quote))) : [],
      };
    });
  }

  private others(transfers: readonly Transfer[]): OtherMoney[] {
    const kinds = new Map<string, Transfer[]>();
    for (const transfer of transfers) {
      const kind = `${transfer.asset} ${transfer.network}`;
      kinds.set(kind, [...(kinds.get(kind) ?? []), transfer]);
    }
    return [...kinds.values()].map((some) => {
      const { network, asset, decimals } = entryAt(some, 0);
      return { atoms: sumAtoms(some), decimals, asset, networkName: this.networks.nameOf(network) };
    });
  }
}

/** Where the next page goes on. */
export function cursorOf({ index, address }: IssuedAddressRow): string {
  return index === null ? address.toLowerCase() : String(index);
}

function receivedOf(quote: Quote, live: readonly Transfer[]): CryptoAmount | null {
  const atoms = sumAtoms(live.filter((transfer) => belongsTo(transfer, quote)));
  return atoms === 0n ? null : { atoms, decimals: quote.decimals };
}
