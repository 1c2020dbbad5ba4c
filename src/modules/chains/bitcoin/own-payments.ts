import { Logger } from '@nestjs/common';
import { valueAt } from '../../../kernel/lookups.js';
import type { LedgerRepository } from '../data/ledger.repository.js';
import type { FoundTransfer } from '../data/ledger.types.js';
import type { WaitingTransfer } from '../data/movement-columns.sql.js';
import type { BitcoinNetwork } from '../domain/bitcoin-network.js';
import type { BitcoinBlock, BitcoinTransaction } from './bitcoin-node.types.js';
import type { Spending } from './data/spends.repository.js';
import { payersIn, paymentsIn } from './payments.js';

export interface Own<Transfer> {
  readonly transfers: readonly Transfer[];
  readonly spending: readonly Spending[];
}

/** Which outputs pay to addresses of ours: one indexed look-up for a whole batch, however many we watch. */
export class OwnPayments {
  private readonly logger = new Logger(OwnPayments.name);

  constructor(
    private readonly network: BitcoinNetwork,
    private readonly ledger: LedgerRepository,
  ) {}

  async inBlocks(blocks: readonly BitcoinBlock[]): Promise<Own<FoundTransfer>> {
    const blockOf = new Map(blocks.flatMap((block) => block.transactions.map((tx) => [tx, block] as const)));
    const own = await this.among([...blockOf.keys()]);
    const transfers = own.transfers.map(({ transaction, ...transfer }) => {
      const { height, hash, time } = valueAt(blockOf, transaction);
      return { ...transfer, block: { height, hash, time }, sender: null, nonce: null };
    });
    return { ...own, transfers };
  }

  async inMempool(transactions: readonly BitcoinTransaction[]): Promise<Own<WaitingTransfer>> {
    return this.among(transactions);
  }

  private async among(transactions: readonly BitcoinTransaction[]) {
    const { family, prefix, asset } = this.network;
    const payments = paymentsIn(prefix, transactions);
    const owners = await this.ledger.owners(family, [...new Set(payments.map(({ address }) => address))]);
    const own = payments.filter(({ address }) => owners.has(address));
    const credited = own.filter(({ transaction }) => !transaction.isCoinbase);
    if (credited.length < own.length) this.warnOfCoinbase(own.length - credited.length);
    const payersOf = payersIn(prefix);
    const transfers = credited.map(({ transaction, output, address, amountAtoms }) => ({
      transaction,
      txid: transaction.txid,
      output,
      asset,
      address,
      amountAtoms,
      subject: valueAt(owners, address),
      payers: payersOf(transaction),
    }));
    const spending = [...new Set(credited.map(({ transaction }) => transaction))];
    return { transfers, spending };
  }

  /**
   * Freshly mined coins cannot be moved for 100 blocks and vanish with their block, so no depth that a merchant
   * chose would hold for them; and nobody pays a bill with them but by a mistake in a miner's settings.
   */
  private warnOfCoinbase(outputs: number): void {
    this.logger.warn(`${this.network.id}: ${outputs} outputs of newly mined coins to us are not credited`);
  }
}
