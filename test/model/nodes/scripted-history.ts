import { CoreRpc } from '../../../src/modules/chains/bitcoin/core-rpc.js';
import type { ChainIdentity } from '../../../src/modules/chains/data/ledger.types.js';
import { type Account, EvmHistory } from '../../../src/modules/chains/reconciliation/evm/history.js';
import {
  HistoryLogs,
  type IncomingLog,
  type ToldLogs,
} from '../../../src/modules/chains/reconciliation/evm/history-logs.js';
import { Refusals } from '../../../src/modules/chains/reconciliation/evm/refusals.js';
import { RefusedLogs } from '../../../src/modules/chains/reconciliation/evm/refused-logs.js';
import type { Pace } from '../../../src/modules/chains/reconciliation/pace.js';
import type { AgreedBlock } from '../../../src/modules/chains/reconciliation/reconciliation.types.js';
import {
  type UnspentOutput,
  UnspentOutputs,
} from '../../../src/modules/chains/reconciliation/unspent-outputs.js';
import { NO_NODE } from '../../support/nodes/wallet.js';
import type { ScriptedBitcoin } from './scripted-bitcoin.js';
import type { ScriptedEvm } from './scripted-evm.js';

/** Whom tokens were sent to, told by the script of an EVM chain. */
class ScriptedLogs extends HistoryLogs {
  constructor(private readonly evm: ScriptedEvm) {
    super(() => Promise.reject(new Error('the script asks no node')), new RefusedLogs(new Refusals(), ''));
  }

  override async transfersTo(
    contracts: readonly string[],
    addresses: readonly string[],
    fromHeight: number,
    toHeight: number,
  ): Promise<ToldLogs<IncomingLog>> {
    const logs = await this.evm.transferLogs(contracts, { fromHeight, toHeight });
    const heights = new Map(this.evm.chain.map(({ hash, height }) => [hash, height]));
    const incoming = logs.flatMap(({ contract, topics, data, txid, blockHash }) => {
      const [to, atoms] = [`0x${topics[2]!.slice(26)}`, BigInt(data)];
      if (!addresses.includes(to) || atoms === 0n) return [];
      return [{ contract, to, txid, height: heights.get(blockHash)!, atoms }];
    });
    return { logs: incoming, first: null };
  }
}

/** What the comparison asks of an EVM chain, told by the script of it. */
export class ScriptedHistory extends EvmHistory {
  override readonly logs: HistoryLogs;

  constructor(
    private readonly evm: ScriptedEvm,
    pace: Pace,
  ) {
    super(NO_NODE, pace);
    this.logs = new ScriptedLogs(evm);
  }

  override identity(): Promise<ChainIdentity> {
    return this.evm.identity();
  }

  override async block(height: number) {
    return this.evm.header(height);
  }

  override coinBalances(addresses: readonly string[], at: AgreedBlock | 'latest') {
    return this.evm.balances(addresses, this.hashOf(at));
  }

  override async tokenBalances(token: string, addresses: readonly string[], at: AgreedBlock | 'latest') {
    const hash = this.hashOf(at);
    const toHeight = this.evm.chain.findIndex((block) => block.hash === hash);
    const logs = await this.evm.transferLogs([token], { fromHeight: 0, toHeight });
    const sum = (address: string, topic: 1 | 2) =>
      logs
        .filter(({ topics }) => `0x${topics[topic]!.slice(26)}` === address)
        .reduce((atoms, { data }) => atoms + BigInt(data), 0n);
    return addresses.map((address) => {
      // The script lets anybody send tokens that it does not have.
      const held = sum(address, 2) - sum(address, 1);
      return held < 0n ? 0n : held;
    });
  }

  override async accounts(addresses: readonly string[], at: AgreedBlock | 'latest'): Promise<Account[]> {
    const held = await this.coinBalances(addresses, at);
    const sent = await Promise.all(addresses.map((address) => this.sent(address, at)));
    return addresses.map((_, i) => (held![i] === 0n && sent[i] === 0 ? 'none' : 'plain'));
  }

  override sent(address: string, at: AgreedBlock | 'latest'): Promise<number | null> {
    return this.evm.noncesUsed(address, this.hashOf(at));
  }

  private hashOf(at: AgreedBlock | 'latest'): string {
    return at === 'latest' ? this.evm.chain.at(-1)!.hash : at.hash;
  }
}

/** The unspent outputs of a Bitcoin-like chain, told by the script of it. */
export class ScriptedOutputs extends UnspentOutputs {
  constructor(private readonly bitcoin: ScriptedBitcoin) {
    super(new CoreRpc(NO_NODE));
  }

  override of(addresses: readonly string[]): Promise<UnspentOutput[]> {
    const mined = this.bitcoin.chain.flatMap(({ height, transactions }) =>
      transactions.map((transaction) => ({ height, ...transaction })),
    );
    const spent = new Set(mined.flatMap(({ spends }) => spends));
    const outputs = mined.flatMap(({ height, txid, pays }) =>
      pays.map(({ address, atoms: amountAtoms }, index) => {
        return { address, txid, output: `out:${index}`, height, amountAtoms, outpoint: `${txid}:${index}` };
      }),
    );
    return Promise.resolve(
      outputs.filter(({ address, outpoint, amountAtoms }) => {
        return addresses.includes(address) && !spent.has(outpoint) && amountAtoms > 0n;
      }),
    );
  }
}
