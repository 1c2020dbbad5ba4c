import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { csvLine } from '../../../kernel/text/csv.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import { AccountingExportRepository } from './data/accounting-export.repository.js';
import {
  ACCOUNTING_COLUMNS,
  accountingCells,
  type AccountingRow,
  accountingRow,
} from './domain/accounting-row.js';

export type { AccountingRow };

/** Half-open: a payment at the instant `to` belongs to the next period. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** A merchant's settled payments, other final money, and what was decided about it in a period, for its accounting. Streams: a period has no limit. */
@Injectable()
export class ExportsService {
  constructor(
    private readonly stored: AccountingExportRepository,
    private readonly merchants: MerchantsService,
  ) {}

  /** In the order of their times. @throws DomainError `not-found` for the merchant, `validation-error` for the period */
  async *rows(merchantId: string, { from, to }: Period): AsyncGenerator<AccountingRow> {
    if (!(from < to)) {
      throw new DomainError('invalid', 'validation-error', 'The period ends after it begins: from < to.');
    }
    await this.merchants.get(merchantId);
    for await (const row of this.stored.between(merchantId, from, to)) yield accountingRow(row);
  }

  /** The same as CSV (RFC 4180, UTF-8), line by line, with a heading. */
  async *csv(merchantId: string, period: Period): AsyncGenerator<string> {
    const rows = this.rows(merchantId, period);
    const first = await rows.next(); // a refusal comes before the first byte
    yield csvLine(ACCOUNTING_COLUMNS);
    if (!first.done) yield csvLine(accountingCells(first.value));
    for await (const row of rows) yield csvLine(accountingCells(row));
  }

  /** The same as one JSON array, a row a line. */
  async *json(merchantId: string, period: Period): AsyncGenerator<string> {
    let separator = '[';
    for await (const row of this.rows(merchantId, period)) {
      yield `${separator}\n${JSON.stringify(row)}`;
      separator = ',';
    }
    yield separator === '[' ? '[]\n' : '\n]\n';
  }
}
