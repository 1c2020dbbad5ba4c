import { amountText, parseAtoms } from '../../../../kernel/crypto-amount.js';
import { wrongField } from '../../../../kernel/domain-error.js';
import type { Refundable } from '../../reviews.types.js';

/** A refund that the merchant made with its own wallet, as it was typed: recorded here, never sent from here. */
export interface Refund {
  /** May be left out where the intent holds money of one kind. */
  readonly network?: string | null;
  readonly asset?: string | null;
  readonly amount: string;
  readonly txid: string | null;
}

export interface ReadRefund {
  readonly of: Refundable;
  readonly atoms: bigint;
}

/** Longer than any transaction id. */
const MAX_TXID = 128;

/**
 * What was typed, as an amount of money that is final and has not been returned.
 * @param refundable what the intent could still give back, by network and asset
 * @throws DomainError `validation-error` with the field that is wrong
 */
export function readRefund(refund: Refund, refundable: readonly Refundable[]): ReadRefund {
  if (refundable.length === 0) {
    throw wrong(
      'amount',
      'There is no final money that could be sent back. What is not final yet can still be undone.',
    );
  }
  const { network = null, asset = null } = refund;
  const named = refundable.filter(
    (each) => (network === null || each.network === network) && (asset === null || each.asset === asset),
  );
  const [of] = named;
  if (!of || named.length > 1)
    throw wrong('asset', `Say what was sent back: ${refundable.map(nameOf).join(', or ')}.`);
  const atoms = parseAtoms(refund.amount.trim(), of.decimals);
  const unit = `${of.asset}, with at most ${of.decimals} decimals`;
  if (atoms === null || atoms === 0n)
    throw wrong('amount', `The amount is a plain decimal of ${unit}, such as 12.50.`);
  if (atoms > of.atoms) {
    throw wrong('amount', `No more than ${refundableText(of)} is final and has not been sent back yet.`);
  }
  if ((refund.txid ?? '').length > MAX_TXID) {
    throw wrong('txid', `A transaction’s id has at most ${MAX_TXID} characters.`);
  }
  return { of, atoms };
}

/** "12.5 USDC on Ethereum" */
export function refundableText(refundable: Refundable): string {
  return `${amountText(refundable)} on ${refundable.networkName}`;
}

const nameOf = ({ asset, networkName }: Refundable) => `${asset} on ${networkName}`;

const wrong = (field: string, detail: string) => wrongField(field, detail, 'invalid_refund');
