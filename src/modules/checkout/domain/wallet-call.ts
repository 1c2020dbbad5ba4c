import type { CheckoutQuote } from '../../intents/checkout.types.js';

/** What a wallet in the browser is handed: in a person's words where we can read it, and as it is. */
export interface WalletCall {
  readonly chainId: number;
  /** The token's contract, or the address itself where the network's own coin is sent. */
  readonly to: string;
  /** `transfer(address, uint256)` with its arguments, in the asset's smallest unit; `null` where there is no contract. */
  readonly transfer: { readonly to: string; readonly atoms: string } | null;
  /** Wei of the network's coin. */
  readonly value: string;
  readonly data: string;
}

/** The selector of `transfer(address,uint256)` of ERC-20 and its arguments, each in 32 bytes. */
const TRANSFER = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/i;

/**
 * Read from the very bytes that the wallet gets, not from what the page says beside them: who compares the two would see
 * that they differ. `null` where the network has no such wallets.
 */
export function walletCall({ call, address }: Pick<CheckoutQuote, 'call' | 'address'>): WalletCall | null {
  if (call === null) return null;
  const [, recipient, atoms] = TRANSFER.exec(call.data) ?? [];
  return {
    chainId: call.chainId,
    to: call.to,
    transfer:
      recipient === undefined
        ? null
        : { to: asShown(`0x${recipient}`, address), atoms: decimal(`0x${atoms}`) },
    value: decimal(call.value),
    data: call.data,
  };
}

const decimal = (hex: string): string => BigInt(hex).toString();

/** Addresses in data have no capitals: those of the page, where it is the same address. */
function asShown(inData: string, address: string): string {
  return inData.toLowerCase() === address.toLowerCase() ? address : inData;
}
