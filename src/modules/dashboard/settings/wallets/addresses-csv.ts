import { exactText } from '../../../../kernel/crypto-amount.js';
import { csvLine } from '../../../../kernel/text/csv.js';
import type { IssuedAddressRow, OtherMoney } from '../../../intents/reporting/issued-addresses.service.js';

const COLUMNS: readonly (readonly [name: string, (row: IssuedAddressRow) => string | number | null])[] = [
  ['key', (row) => row.issuerId],
  ['index', (row) => row.index],
  ['network', (row) => row.network],
  ['address', (row) => row.address],
  ['payment', (row) => row.intentId],
  ['issued_at', (row) => row.issuedAt.toISOString()],
  ['asset', (row) => row.asset],
  ['received', (row) => row.received && exactText(row.received)],
  ['also_received', (row) => (row.others.length === 0 ? null : row.others.map(otherText).join('; '))],
];

/** Lines of CSV as the rows come. Amounts are decimal strings, times ISO 8601 in UTC. */
export async function* addressesCsv(rows: AsyncIterable<IssuedAddressRow>): AsyncGenerator<string> {
  yield csvLine(COLUMNS.map(([name]) => name));
  for await (const row of rows) yield csvLine(COLUMNS.map(([, cell]) => cell(row)));
}

/** "5.00 USDT on Base", "500 atoms of GONE on Base" */
function otherText({ atoms, decimals, asset, networkName }: OtherMoney): string {
  const amount = exactText({ atoms, decimals: decimals ?? 0 });
  return `${amount} ${decimals === null ? 'atoms of ' : ''}${asset} on ${networkName}`;
}
