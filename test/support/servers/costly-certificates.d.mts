/** Elements of DER. */
export function der(tag: number, ...parts: Buffer[]): Buffer;
export function oid(hex: string): Buffer;
export function integer(number: bigint): Buffer;
export function key(algorithm: Buffer, bits: Buffer): Buffer;
export function keyOfOwnCurve(): Buffer;
export function unsigned(key: Buffer, said?: { issuer?: Buffer; extensions?: Buffer[] }): Buffer;
/** PEM. */
export function withCostlyOnes(certificates: string, count?: number): string;
