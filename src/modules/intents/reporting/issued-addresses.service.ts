import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { formatDecimal } from '../../../kernel/decimal.js';
import { ChainsService } from '../../chains/chains.service.js';
import type { IssuedFromKey, Transfer } from '../../chains/chains.types.js';
import { IntentRows } from '../data/intents.repository.js';
import type { Quote } from '../domain/model.js';
import { belongsTo, liveTransfers, sumAtoms } from '../domain/transfers.js';

/** An address of a merchant's wallet, and what became of it. */
export interface IssuedAddressRow {
  readonly keyId: string;
  /** The last step of its derivation path. */
  readonly index: number;
  /** As people see it. */
  readonly address: string;
  readonly network: string | null;
  readonly networkName: string | null;
  readonly intentId: string;
  readonly issuedAt: Date;
  readonly asset: string | null;
  /** Of the quoted asset, with all of its decimals; `null` for nothing. */
  readonly received: string | null;
  /** "5.00 USDT on base": what was not quoted, and arrived all the same. */
  readonly others: readonly string[];
}

/** Rows are read this many at a time, so that a list of any length takes the memory of one part. */
const PART = 500;

/** Which addresses a merchant's keys have issued: to find money in the wallet, and to check the wallet against us. */
@Injectable()
export class IssuedAddressesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly chains: ChainsService,
    private readonly rows: IntentRows,
  ) {}

  /** The latest of one of the merchant's keys first. @param before an index: only smaller ones */
  async page(
    merchantId: string,
    keyId: string,
    before: number | null,
    limit: number,
  ): Promise<IssuedAddressRow[]> {
    return this.describe(keyId, await this.chains.issuedFrom(merchantId, keyId, before, limit));
  }

  /** All of them, key by key. */
  async *all(merchantId: string): AsyncGenerator<IssuedAddressRow> {
    for (const { id } of await this.chains.extendedKeys(merchantId)) {
      let before: number | null = null;
      for (;;) {
        const part: IssuedAddressRow[] = await this.page(merchantId, id, before, PART);
        yield* part;
        if (part.length < PART) break;
        before = part.at(-1)!.index;
      }
    }
  }

  private async describe(keyId: string, issued: readonly IssuedFromKey[]): Promise<IssuedAddressRow[]> {
    const subjects = [...new Set(issued.map(({ subject }) => subject))];
    const [quotes, facts] = await Promise.all([
      this.rows.quotesOf(subjects),
      this.chains.factsOf(this.dataSource, subjects),
    ]);
    return issued.map(({ index, address, subject, issuedAt }) => {
      const quote = quotes.find((one) => one.intentId === subject && one.watchedAddress === address);
      const known = facts.get(subject);
      const live = quote && known ? liveTransfers([quote], known) : [];
      const network = quote ? this.chains.network(quote.network) : null;
      return {
        ...{ keyId, index, issuedAt },
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

  private others(transfers: readonly Transfer[]): string[] {
    const kinds = new Map<string, Transfer[]>();
    for (const transfer of transfers) {
      const kind = `${transfer.asset} on ${transfer.network}`;
      kinds.set(kind, [...(kinds.get(kind) ?? []), transfer]);
    }
    return [...kinds].map(([kind, some]) => {
      const { network, asset } = some[0]!;
      const decimals = this.chains.asset(network, asset)?.decimals;
      const total = sumAtoms(some);
      return decimals === undefined
        ? `${total} atoms of ${kind}`
        : `${formatDecimal(total, decimals)} ${kind}`;
    });
  }
}

function receivedOf(quote: Quote, live: readonly Transfer[]): string | null {
  const total = sumAtoms(live.filter((transfer) => belongsTo(transfer, quote)));
  return total === 0n ? null : formatDecimal(total, quote.decimals);
}
