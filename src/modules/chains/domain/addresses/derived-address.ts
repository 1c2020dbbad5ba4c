/** An address of ours, in both of its spellings. */
export interface DerivedAddress {
  /** As people see it (EVM: with the EIP-55 checksum). */
  readonly address: string;
  /** As the chains are searched for it (EVM: lower case). */
  readonly watchedAddress: string;
}
