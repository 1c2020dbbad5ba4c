import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { isId } from '../../../kernel/ids.js';
import { isTerminal } from '../../../kernel/intent-status.js';
import { visibleText } from '../../../kernel/visible-text.js';
import { ChainsService } from '../../chains/chains.service.js';
import type { Facts } from '../../chains/chains.types.js';
import { RefundRequests } from './data/refund-requests.repository.js';
import { Reviews } from '../unsettled/data/reviews.repository.js';
import { finalMoney, type Judged } from '../domain/final-money.js';
import type { Intent, Quote } from '../domain/model.js';
import { networksOf, presentRefund, presentRequest } from './domain/refund-request.js';
import type { CheckoutRefunds } from '../intents.types.js';
import { StatusWriter } from '../lifecycle/status-writer.js';

/** What a merchant reads in a minute, and what support asks for: an order number, a name, what went wrong. */
export const MAX_NOTE_LENGTH = 500;
/** Versions are kept for ever; nobody changes an honest address this often. */
const MAX_VERSIONS = 20;
/** Longer than any address; more is not read. */
const MAX_ADDRESS_LENGTH = 100;

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
  | 'decided' // there is no final money, or none any more, that somebody decides about
  | 'too-often';

/** Money that arrived although its intent could no longer be paid with it: what the buyer sees of it and may ask. */
@Injectable()
export class RefundRequestsService {
  constructor(
    private readonly writer: StatusWriter,
    private readonly chains: ChainsService,
    private readonly reviews: Reviews,
    private readonly requests: RefundRequests,
  ) {}

  async of(intent: Intent, quotes: readonly Quote[], facts: Facts): Promise<CheckoutRefunds | null> {
    if (!isTerminal(intent.status) || facts.transfers.length === 0) return null;
    const [entry, decisions, requests] = await Promise.all([
      this.reviews.find(intent.id),
      this.reviews.decisions(intent.id),
      this.requests.of([intent.id]),
    ]);
    const last = decisions.at(-1);
    const waiting = this.finalOf(entry, { intent, quotes, facts });
    // Of money that could still be undone there is nothing to decide, and nothing to send back.
    if (waiting.length === 0 && (!last || last.kind === 'accept')) return null;
    const request = requests.at(-1);
    const networks = networksOf(waiting, facts, this.chains);
    return {
      open: waiting.length > 0,
      networks: networks.map(({ id, name }) => ({ network: id, networkName: name })),
      request: request ? presentRequest(request, this.chains) : null,
      refund: last?.kind === 'refund' ? presentRefund(last, this.chains) : null,
      closedAt: waiting.length > 0 ? null : (last?.createdAt ?? null),
    };
  }

  /**
   * Keeps where the buyer would like the undecided money back. A word, not a promise: nobody checks who says it, and
   * the merchant decides. Changes no status.
   * @throws DomainError `intent-not-found`
   */
  async ask(id: string, wish: RefundWish): Promise<RefundOutcome> {
    if (!isId('pi', id)) throw notFound();
    const note = visibleText(wish.note);
    return this.writer.within(id, async (tx, { intent, quotes, facts }) => {
      const entry = await this.reviews.find(intent.id, tx);
      const waiting = this.finalOf(entry, { intent, quotes, facts });
      const networks = networksOf(waiting, facts, this.chains);
      const network = networks.find((candidate) => candidate.id === wish.network);
      if (networks.length === 0) return 'decided';
      const address =
        network && readable(wish.address) && this.chains.readAddress(network.id, wish.address.trim());
      if (!network || !address) return 'address-wrong';
      const ours = [
        ...quotes.map((quote) => quote.address),
        ...network.assets.map(({ contract }) => contract),
      ];
      if (ours.includes(address)) return 'address-ours';
      if ([...note].length > MAX_NOTE_LENGTH) return 'note-too-long';
      if ((await this.requests.count(tx, intent.id)) >= MAX_VERSIONS) return 'too-often';
      await this.requests.add(tx, { intentId: id, network: network.id, address, note: note || null });
      return 'stored';
    });
  }

  /** Ids of the entry's transfers that are final, and that its buyer may have sent. */
  private finalOf(entry: { readonly transfers: readonly string[] } | null, judged: Judged): string[] {
    const final = finalMoney(judged, this.chains).filter(({ beforeIssue }) => !beforeIssue);
    const ids = final.map(({ id }) => id);
    return entry ? ids.filter((id) => entry.transfers.includes(id)) : [];
  }
}

function readable(address: string): boolean {
  return address.trim().length <= MAX_ADDRESS_LENGTH;
}

function notFound(): DomainError {
  return new DomainError('not_found', 'intent-not-found', 'There is no such payment intent.');
}
