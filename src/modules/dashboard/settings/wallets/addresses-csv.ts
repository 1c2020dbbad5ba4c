import { exactText } from '../../../../kernel/crypto-amount.js';
import type { CsvColumns } from '../../../../kernel/text/csv.js';
import type { IssuedAddressRow, OtherMoney } from '../../../intents/reporting/issued-addresses.service.js';

/** The columns of the export, in order. Amounts are decimal strings, times ISO 8601 in UTC. */
export const ADDRESS_COLUMNS: CsvColumns<IssuedAddressRow> = [
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

/** "5.00 USDT on Base", "500 atoms of GONE on Base" */
function otherText({ atoms, decimals, asset, networkName }: OtherMoney): string {
  const amount = exactText({ atoms, decimals: decimals ?? 0 });
  return `${amount} ${decimals === null ? 'atoms of ' : ''}${asset} on ${networkName}`;
}
