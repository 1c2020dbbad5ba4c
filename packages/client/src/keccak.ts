/** Keccak-256 as Ethereum has it (before NIST changed the padding), in plain code: this package depends on nothing. */
const RATE_BYTES = 136;
const LANE = 64;
const MASK = (1n << 64n) - 1n;

/** Where each lane goes in ρ and π: its turn, and by how many bits it is rotated. */
const TURNS: readonly (readonly [to: number, bits: bigint])[] = (() => {
  const turns: [number, bigint][] = Array.from({ length: 25 }, () => [0, 0n]);
  let [x, y] = [1, 0];
  for (let step = 0; step < 24; step += 1) {
    const from = x + 5 * y;
    [x, y] = [y, (2 * x + 3 * y) % 5];
    turns[from] = [x + 5 * y, BigInt((((step + 1) * (step + 2)) / 2) % LANE)];
  }
  return turns;
})();

/** ι, from its shift register. */
const ROUNDS: readonly bigint[] = (() => {
  let register = 1;
  return Array.from({ length: 24 }, () => {
    let constant = 0n;
    for (let j = 0; j < 7; j += 1) {
      if (register & 1) constant |= 1n << BigInt(2 ** j - 1);
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
    }
    return constant;
  });
})();

export function keccak256(message: Uint8Array): Uint8Array {
  const blocks = Math.floor(message.length / RATE_BYTES) + 1;
  const padded = new Uint8Array(blocks * RATE_BYTES);
  padded.set(message);
  padded[message.length]! ^= 0x01;
  padded[padded.length - 1]! ^= 0x80;
  const words = new DataView(padded.buffer);
  let lanes: bigint[] = Array.from({ length: 25 }, () => 0n);
  for (let block = 0; block < blocks; block += 1) {
    for (let i = 0; i < RATE_BYTES / 8; i += 1) {
      lanes[i]! ^= words.getBigUint64(block * RATE_BYTES + 8 * i, true);
    }
    lanes = permuted(lanes);
  }
  const hash = new Uint8Array(32);
  const view = new DataView(hash.buffer);
  for (let i = 0; i < 4; i += 1) view.setBigUint64(8 * i, lanes[i]!, true);
  return hash;
}

function permuted(before: readonly bigint[]): bigint[] {
  let lanes = [...before];
  for (const constant of ROUNDS) {
    const columns = [0, 1, 2, 3, 4].map(
      (x) => lanes[x]! ^ lanes[x + 5]! ^ lanes[x + 10]! ^ lanes[x + 15]! ^ lanes[x + 20]!,
    );
    const effects = columns.map((_, x) => columns[(x + 4) % 5]! ^ rotated(columns[(x + 1) % 5]!, 1n));
    const moved: bigint[] = Array.from({ length: 25 }, () => 0n);
    lanes.forEach((lane, i) => {
      const [to, bits] = TURNS[i]!;
      moved[to] = rotated(lane ^ effects[i % 5]!, bits);
    });
    lanes = moved.map((lane, i) => {
      const row = i - (i % 5);
      return lane ^ (~moved[row + ((i + 1) % 5)]! & MASK & moved[row + ((i + 2) % 5)]!);
    });
    lanes[0]! ^= constant;
  }
  return lanes;
}

function rotated(lane: bigint, bits: bigint): bigint {
  return ((lane << bits) | (lane >> (64n - bits))) & MASK;
}
