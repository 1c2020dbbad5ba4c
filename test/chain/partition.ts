import type { TestNode } from '../support/nodes/litecoind.js';
import { eventually } from '../support/servers/receiver.js';

/** Two real nodes, apart and together again: nobody tells either of them which blocks to forget. */
export class Partition {
  constructor(
    readonly near: TestNode,
    readonly far: TestNode,
  ) {}

  /** Until both have the same tip: the longer chain wins. */
  async meet(): Promise<void> {
    await this.network(true);
    await this.near.rpc.call('addnode', this.far.peer, 'onetry');
    await this.sameTip();
  }

  async part(): Promise<void> {
    await this.network(false);
    await eventually(
      () => this.near.rpc.call('getconnectioncount'),
      (count) => count === 0,
    );
  }

  sameTip(): Promise<unknown> {
    return eventually(
      () => Promise.all([this.near, this.far].map(({ rpc }) => rpc.call('getbestblockhash'))),
      ([ours, theirs]) => ours === theirs,
    );
  }

  private async network(active: boolean): Promise<void> {
    await Promise.all([this.near, this.far].map(({ rpc }) => rpc.call('setnetworkactive', active)));
  }
}
