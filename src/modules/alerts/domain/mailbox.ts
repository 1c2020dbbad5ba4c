/**
 * The mailbox behind an address, as it is counted: many providers take `Ann.Lee+shop@x` and `annlee@x` for the same, and whoever
 * may spell one address in a hundred ways has its budget a hundred times.
 */
export function mailboxOf(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@');
  const name = local.replace(/\+.*/, '').replaceAll('.', '');
  return `${name === '' ? local : name}@${domain}`;
}
