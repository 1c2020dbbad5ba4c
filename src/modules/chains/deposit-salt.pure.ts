/** What a deposit address is for, in words that everybody knows: the intent's id, the network's, the asset's symbol. */
export interface DepositOf {
  readonly subject: string;
  readonly network: string;
  readonly asset: string;
}

/** The keccak256 of this is the salt of its deposit address (ADR 50). None of the three can hold a slash. */
export const saltPreimage = ({ subject, network, asset }: DepositOf): string =>
  `${subject}/${network}/${asset}`;
