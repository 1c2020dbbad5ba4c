import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { textLike } from '../../../kernel/foreign-json.js';
import { orLate, untilAborted } from '../../../platform/deadline.js';
import { coreAmount, coreHash, coreHeight, coreIndex } from '../bitcoin/core-answers.js';
import { type CoreRpc, RpcRefusal } from '../bitcoin/core-rpc.js';
import { coinAtoms } from '../domain/coin-json.js';
import { InconsistentNode } from '../node.errors.js';
import { nodeAnswer, nodeList } from '../watching/node-answer.js';

/** "Scan already in progress": a node looks through its set for one asker at a time. */
const IS_BUSY = -8;
/** The method is not there (hosted nodes), or not for us. Core says -1 also for whatever went wrong this once. */
const isNotOffered = ({ code, message }: RpcRefusal) =>
  [-32601, -32600].includes(code) ||
  (code === -1 && /not (found|available|supported|allowed|enabled)/i.test(message));
const BUSY_WAIT_MS = 250;
const BUSY_FOR_MS = 600_000;

export interface UnspentOutput {
  readonly address: string;
  readonly txid: string;
  readonly output: string;
  readonly height: number;
  readonly amountAtoms: bigint;
}

const scan = z.object({
  success: z.boolean(),
  unspents: nodeList(
    z.object({
      txid: coreHash,
      vout: coreIndex,
      desc: textLike(/^addr\([a-z0-9]+\)/, 'must describe an address'),
      amount: coreAmount,
      height: coreHeight,
    }),
  ),
});
type Scan = z.output<typeof scan>;

/** The unspent outputs of some addresses, by a look through the node's whole set: minutes on a large chain. */
export class UnspentOutputs {
  private turn: Promise<unknown> = Promise.resolve();

  /** @param rpc with a time limit that such a look fits in */
  constructor(private readonly rpc: CoreRpc) {}

  /**
   * `null` where the node does not offer it. One look at a time.
   * @param signal ends it, at the node too: others wait for its turn
   */
  of(addresses: readonly string[], signal?: AbortSignal): Promise<UnspentOutput[] | null> {
    const asked = this.turn.then(() => this.scan(addresses, signal));
    this.turn = asked.catch(() => undefined);
    return asked;
  }

  private async scan(addresses: readonly string[], signal?: AbortSignal): Promise<UnspentOutput[] | null> {
    if (addresses.length === 0) return [];
    for (const untilMs = performance.now() + BUSY_FOR_MS; ;) {
      try {
        const objects = addresses.map((address) => `addr(${address})`);
        const { success, unspents } = await this.scanned(objects, signal);
        // Somebody else ended it: what it had found by then is not what there is.
        if (!success) throw new InconsistentNode('the look through the unspent outputs was ended by another');
        return unspents.map(toOutput);
      } catch (error) {
        if (!(error instanceof RpcRefusal)) throw error;
        if (isNotOffered(error)) return null;
        if (error.code !== IS_BUSY || performance.now() > untilMs) throw error;
        await sleep(BUSY_WAIT_MS, undefined, signal ? { signal } : {});
      }
    }
  }

  /** A node that is busy for another refuses at once, so what is still unanswered when the time is up is our own look. */
  private async scanned(objects: readonly string[], signal?: AbortSignal): Promise<Scan> {
    const answer = this.rpc
      .call('scantxoutset', 'start', objects)
      .then((found) => nodeAnswer(scan, 'scantxoutset', found));
    const refused = answer.catch(() => null);
    const isRunning = (await orLate(refused, BUSY_WAIT_MS, () => 'running' as const)) === 'running';
    if (!isRunning || !signal) return answer;
    try {
      return await untilAborted(answer, signal);
    } catch (error) {
      if (signal.aborted) await this.rpc.call('scantxoutset', 'abort').catch(() => undefined);
      throw error;
    }
  }
}

function toOutput({ txid, vout, desc, amount, height }: Scan['unspents'][number]): UnspentOutput {
  const address = desc.slice('addr('.length, desc.indexOf(')'));
  const amountAtoms = coinAtoms(amount);
  if (amountAtoms === null) throw new InconsistentNode(`output ${vout} of ${txid} has no exact amount`);
  return { address, txid, output: `out:${vout}`, height, amountAtoms };
}
