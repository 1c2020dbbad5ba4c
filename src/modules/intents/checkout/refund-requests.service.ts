import { Injectable } from '@nestjs/common';
import { ANYBODYS } from '../../../database/by.js';
import { isId } from '../../../kernel/ids.js';
import { characterCount } from '../../../kernel/text/character-count.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { intentNotFound } from '../intents.errors.js';
import { StatusWriter } from '../lifecycle/status-writer.js';
import { RefundRequestsRepository } from './data/refund-requests.repository.js';
import { RefundOffers } from './refund-offers.service.js';

/** What a merchant reads in a minute, and what support asks for: an order number, a name, what went wrong. */
export const MAX_NOTE_LENGTH = 500;
/** Versions are kept for ever; nobody changes an honest address this often. */
const MAX_VERSIONS = 20;

/** As it was typed. */
export interface RefundWish {
  readonly network: string;
  readonly address: string;
  readonly note: string;
}

export type RefundOutcome =
  | 'stored'
  | 'address-wrong' // no address of that network, or a wrong checksum
  | 'address-ours' // the address that was paid to, or a token's contract: money sent there is lost or comes round again
  | 'note-too-long'
  | 'decided' // there is nothing, or nothing any more, that may be asked back
  | 'too-often';

/** Where a buyer would like money back that is no part of the price. */
@Injectable()
export class RefundRequestsService {
  constructor(
    private readonly writer: StatusWriter,
    private readonly networks: NetworksService,
    private readonly requests: RefundRequestsRepository,
    private readonly offers: RefundOffers,
  ) {}

  /**
   * Keeps where the buyer would like back what `RefundOffers` says may be asked back. A word, not a promise: nobody checks who says it, and
   * the merchant decides. Changes no status.
   * @throws DomainError `intent-not-found`
   */
  async ask(id: string, wish: RefundWish): Promise<RefundOutcome> {
    if (!isId('pi', id)) throw intentNotFound();
    const note = visibleText(wish.note);
    return this.writer.underLock(ANYBODYS, id, async (tx, { intent, quotes, facts }) => {
      const { networks } = await this.offers.of(tx, { intent, quotes, facts });
      const network = networks.find((candidate) => candidate.id === wish.network);
      if (networks.length === 0) return 'decided';
      const address = network && this.networks.readAddress(network.id, wish.address.trim());
      if (!network || !address) return 'address-wrong';
      const ours = [
        ...quotes.map((quote) => quote.address),
        ...network.assets.map(({ contract }) => contract),
      ];
      if (ours.includes(address)) return 'address-ours';
      if (characterCount(note) > MAX_NOTE_LENGTH) return 'note-too-long';
      if ((await this.requests.count(tx, intent.id)) >= MAX_VERSIONS) return 'too-often';
      await this.requests.add(tx, { intentId: id, network: network.id, address, note: note || null });
      return 'stored';
    });
  }
}
