import { minBigInt, mulDiv, pow10, type Rounding } from './arithmetic.js';
import { formatDecimal, parseDecimal, rescale, trimZeros } from './decimal.js';

/** Every crypto amount on the wire has eight decimals. */
export const WIRE_DECIMALS = 8;

/** So much of an asset, in atoms (10^-decimals): what modules hand each other. Text is made where somebody reads it. */
export interface CryptoAmount {
  readonly atoms: bigint;
  readonly decimals: number;
}

/** The same, with what it is of. */
export interface AssetAmount extends CryptoAmount {
  readonly asset: string;
}

/** What was recorded of an asset of which nobody knows any more how finely it is divided has no decimals, rather than none. */
export interface RecordedAmount extends Omit<AssetAmount, 'decimals'> {
  readonly decimals: number | null;
}

/** A price as a ratio of integers: one whole unit of the asset costs `numerator / denominator` of the currency. */
export interface Price {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** The decimals to which a payable amount is rounded: min(8, the asset's own). */
export function payableDecimals(assetDecimals: number): number {
  return Math.min(WIRE_DECIMALS, assetDecimals);
}

/**
 * What the buyer sends: fiat ÷ price, rounded up at the payable precision, so that the merchant never
 * receives less than was charged.
 * @returns atoms of the asset (10^-assetDecimals)
 */
export function payableAtoms(fiatMinor: bigint, price: Price, assetDecimals: number): bigint {
  const precision = payableDecimals(assetDecimals);
  const units = mulDiv(fiatMinor * price.denominator, pow10(precision), price.numerator * 100n, 'up');
  return units * pow10(assetDecimals - precision);
}

/** What atoms are worth at a price, in fiat minor units. */
export function fiatValue(atoms: bigint, price: Price, assetDecimals: number, rounding: Rounding): bigint {
  return mulDiv(atoms * 100n, price.numerator, price.denominator * pow10(assetDecimals), rounding);
}

/** The least that completes a quote: what the merchant tolerates is rounded against the buyer by at most an atom. */
export function completionThreshold(quotedAtoms: bigint, toleranceBps: number): bigint {
  return mulDiv(quotedAtoms, BigInt(10_000 - toleranceBps), 10_000n, 'up');
}

/**
 * What somebody is asked to send: rounded up to what eight decimals can say, so that the text of it is never too little.
 */
export function payable({ atoms, decimals }: CryptoAmount): CryptoAmount {
  const unit = pow10(decimals - payableDecimals(decimals));
  return { atoms: mulDiv(atoms, 1n, unit, 'up') * unit, decimals };
}

/** An amount as the wire's eight decimals; what is finer is cut off. */
export function wireText(amount: CryptoAmount): string {
  return exactText(wireAmount(amount));
}

/** What the wire's eight decimals say of an amount. */
export function wireAmount(amount: CryptoAmount): CryptoAmount {
  return { atoms: wireUnits(amount), decimals: WIRE_DECIMALS };
}

/** "12.500000": exactly, with all decimals of its asset. */
export function exactText({ atoms, decimals }: CryptoAmount): string {
  return formatDecimal(atoms, decimals);
}

/** "12.5": exactly, without the zeros that say nothing. */
export function plainText(amount: CryptoAmount): string {
  return trimZeros(exactText(amount));
}

/** The same as an integer count of 10^-8. */
export function wireUnits({ atoms, decimals }: CryptoAmount): bigint {
  return rescale(atoms, decimals, WIRE_DECIMALS, 'down');
}

/** Less than eight decimals can show. */
export function isNothing(amount: CryptoAmount): boolean {
  return wireUnits(amount) === 0n;
}

/** "12.5 USDC" */
export function amountText(amount: AssetAmount): string {
  return `${plainText(amount)} ${amount.asset}`;
}

/** "12.5", or "12500000 (smallest units)" */
export function recordedText({ atoms, decimals }: RecordedAmount): string {
  return decimals === null ? `${atoms} (smallest units)` : plainText({ atoms, decimals });
}

/** The same with its asset: "12.5 USDC", "12500000 USDC (smallest units)" */
export function recordedAmountText({ atoms, decimals, asset }: RecordedAmount): string {
  return decimals === null ? `${atoms} ${asset} (smallest units)` : amountText({ atoms, decimals, asset });
}

/** Reads a decimal amount of an asset; `null` when it is not one or is finer than an atom. */
export function parseAtoms(text: string, assetDecimals: number): bigint | null {
  return parseDecimal(text, assetDecimals);
}

/** What is still to be sent: nothing once the threshold is reached. */
export function missingAtoms(quoted: bigint, received: bigint, toleranceBps: number): bigint {
  return received >= completionThreshold(quoted, toleranceBps) ? 0n : quoted - minBigInt(received, quoted);
}

/** A decimal price ("2650.12") as an exact ratio; `null` when it is not a positive plain decimal. */
export function parsePrice(text: string): Price | null {
  const decimals = text.split('.')[1]?.length ?? 0;
  const numerator = parseDecimal(text, decimals);
  return numerator === null || numerator === 0n ? null : { numerator, denominator: pow10(decimals) };
}

/** The merchant's spread lowers the price at which its customer's coin is taken. */
export function withSpread(price: Price, spreadBps: number): Price {
  return {
    numerator: price.numerator * BigInt(10_000 - spreadBps),
    denominator: price.denominator * 10_000n,
  };
}
