import type { Hex } from 'viem';
import { rpc } from '../../support/nodes/node-rpc.js';

/** A conditional jump: every branch of a contract is one way of one of these. */
export interface Jump {
  readonly contract: string;
  readonly pc: number;
  /** What it was compiled from. */
  readonly source: string;
  /** How often it jumped, and how often it went on. */
  jumped: number;
  wentOn: number;
}

export interface Watched {
  readonly name: string;
  readonly code: Hex;
  readonly isCode: (code: Hex) => boolean;
  /** @param instruction counted from 0 */
  readonly sourceOf: (instruction: number) => string;
}

interface Step {
  readonly pc: number;
  readonly op: string;
  readonly depth: number;
  readonly error?: string | null;
  readonly stack: readonly Hex[];
}

const JUMPI = 0x57;
const [PUSH1, PUSH32] = [0x60, 0x7f];
const CALLS = ['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'];

/** Which ways the conditional jumps of some contracts went, by the node's record of every step (`stepsTracing`). */
export class JumpCoverage {
  readonly jumps: readonly Jump[];
  private readonly at: ReadonlyMap<string, Jump>;
  private readonly names = new Map<string, string | null>();

  constructor(
    private readonly rpcUrl: string,
    private readonly watched: readonly Watched[],
  ) {
    this.jumps = watched.flatMap(jumpsOf);
    this.at = new Map(this.jumps.map((jump) => [`${jump.contract} ${jump.pc}`, jump]));
  }

  async add(txid: Hex): Promise<void> {
    const { to } = await rpc<{ to: Hex | null }>(this.rpcUrl, 'eth_getTransactionByHash', [txid]);
    const { structLogs } = await rpc<{ structLogs: readonly Step[] }>(this.rpcUrl, 'debug_traceTransaction', [
      txid,
      { disableStorage: true, enableMemory: false },
    ]);
    /** Whose code runs, by depth from 1. */
    const running: (string | null)[] = [null, to && (await this.nameOf(to))];
    for (const [i, { pc, op, depth, error, stack }] of structLogs.entries()) {
      const next = structLogs[i + 1];
      if (next && next.depth > depth) {
        // What a constructor runs is no code of an address yet.
        const isCall = CALLS.includes(op);
        running[depth + 1] = isCall ? await this.nameOf(addressIn(stack.at(-2)!)) : null;
      }
      const jump = op === 'JUMPI' && !error ? this.at.get(`${running[depth]} ${pc}`) : undefined;
      if (!jump) continue;
      if (BigInt(stack.at(-2)!) === 0n) jump.wentOn += 1;
      else jump.jumped += 1;
    }
  }

  /** An address may get its code by the transaction that then runs it. */
  private async nameOf(address: string): Promise<string | null> {
    const known = this.names.get(address);
    if (known !== undefined) return known;
    const code = await rpc<Hex>(this.rpcUrl, 'eth_getCode', [address, 'latest']);
    const name = this.watched.find(({ isCode }) => isCode(code))?.name ?? null;
    if (code !== '0x') this.names.set(address, name);
    return name;
  }
}

const addressIn = (word: Hex) => `0x${word.slice(2).padStart(40, '0').slice(-40)}`;

function jumpsOf({ name: contract, code, sourceOf }: Watched): Jump[] {
  const bytes = Buffer.from(code.slice(2), 'hex');
  const jumps: Jump[] = [];
  for (let pc = 0, instruction = 0; pc < bytes.length; instruction += 1) {
    const op = bytes[pc]!;
    if (op === JUMPI) jumps.push({ contract, pc, source: sourceOf(instruction), jumped: 0, wentOn: 0 });
    pc += op >= PUSH1 && op <= PUSH32 ? op - PUSH1 + 2 : 1;
  }
  return jumps;
}
