/** EIP-7825: no transaction may have more. */
export const MOST_GAS = 2n ** 24n;

/** As `npm run contracts:gas` measures it (contracts/README.md): for the transaction, and for each address. */
const MEASURED = {
  transaction: 33_000n,
  token: { first: 55_200n, again: 11_000n },
  coin: { first: 58_800n, again: 12_500n },
} as const;

/**
 * What a batch must have room for. A fifth more for each address than was measured, because tokens behind proxies cost
 * more than the measured one; and what the factory wants left before the last address (GAS_NEEDED).
 */
const ROOM = { transaction: 243_000n, first: 66_000n, again: 24_000n } as const;

export interface Collectible {
  /** Its code is there, from an earlier collection. */
  readonly isDeployed: boolean;
}

/** What collecting from these is expected to use, in one transaction for each batch. */
export function expectedGas(batched: readonly (readonly Collectible[])[], kind: 'token' | 'coin'): bigint {
  const each = MEASURED[kind];
  return batched.reduce(
    (all, batch) =>
      batch.reduce(
        (sum, { isDeployed }) => sum + (isDeployed ? each.again : each.first),
        all + MEASURED.transaction,
      ),
    0n,
  );
}

/** With this much the factory does its work for a batch, as far as tokens cost what `ROOM` allows; never above the limit. */
export function roomFor(batch: readonly Collectible[], blockGas: bigint | null): bigint {
  const room = batch.reduce<bigint>((sum, one) => sum + roomOf(one), ROOM.transaction);
  const most = mostGas(blockGas);
  return room < most ? room : most;
}

/** What a transaction may have. @param blockGas what a block may use; `null` where the node does not say */
export function mostGas(blockGas: bigint | null): bigint {
  return blockGas !== null && blockGas < MOST_GAS ? blockGas : MOST_GAS;
}

/**
 * As few transactions as keep to a network's limit; each holds one address at least.
 * @param blockGas what a block may use; `null` where the node does not say
 */
export function batches<One extends Collectible>(
  all: readonly One[],
  blockGas: bigint | null,
): [One, ...One[]][] {
  const most = mostGas(blockGas);
  const found: [One, ...One[]][] = [];
  let left = 0n;
  for (const one of all) {
    const needed = roomOf(one);
    const open = found.at(-1);
    if (open && needed <= left) {
      open.push(one);
    } else {
      found.push([one]);
      left = most - ROOM.transaction;
    }
    left -= needed;
  }
  return found;
}

function roomOf({ isDeployed }: Collectible): bigint {
  return isDeployed ? ROOM.again : ROOM.first;
}
