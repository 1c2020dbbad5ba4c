import type { CrossCheck } from '../chains.types.js';
import { NodesDisagree, SecondNodeSilent } from '../node.errors.js';

/** Asks two nodes the same, and remembers what the second one said last (ADR 18). */
export class CrossCheckOf<Node> {
  /** Silent until it has said something. */
  verdict: CrossCheck = 'silent';

  constructor(
    readonly first: Node,
    readonly second: Node,
  ) {}

  /**
   * @param isToldElse whether what the second has refused is going to be asked for in another way, which then says if it is silent
   * @throws what the first throws; SecondNodeSilent when the second does not answer
   */
  async both<T>(
    ask: (node: Node) => Promise<T>,
    isToldElse: (reason: unknown) => boolean = () => false,
  ): Promise<[first: T, second: T]> {
    const [first, second] = await Promise.allSettled([ask(this.first), ask(this.second)]);
    if (first.status === 'rejected') throw first.reason;
    if (second.status === 'rejected') {
      if (!isToldElse(second.reason)) this.verdict = 'silent';
      throw new SecondNodeSilent(second.reason);
    }
    return [first.value, second.value];
  }

  /** @throws NodesDisagree unless the two are the same */
  mustAgree(what: string, isSame: boolean): void {
    if (isSame) return;
    this.verdict = 'disagrees';
    throw new NodesDisagree(`the two nodes do not agree about ${what}: nothing is believed until they do`);
  }
}
