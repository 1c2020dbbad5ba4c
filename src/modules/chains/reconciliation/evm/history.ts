import { type Hex, hexToBigInt, hexToNumber, numberToHex } from 'viem';
import type { z } from 'zod';
import type { ChainIdentity } from '../../data/ledger.types.js';
import { evmBytes, evmCount, evmHeader, toHeader } from '../../evm/node/answers/rpc-answers.js';
import { accountCall, balanceCall, balancesOf, MOST_BALANCES_PER_CALL } from '../../evm/node/balance-call.js';
import { askNode, type NodeClient, nodeClient } from '../../evm/node/node-client.js';
import { isRevert, refusalOf } from '../../evm/node/refusals.js';
import { InconsistentNode } from '../../node.errors.js';
import { blockAt } from '../../watching/node-answer.js';
import type { Pace } from '../pace.js';
import type { AgreedBlock } from '../reconciliation.types.js';
import { type AskHistory, HistoryLogs } from './history-logs.js';
import { Refusals } from './refusals.js';
import { RefusedLogs } from './refused-logs.js';
import { MOST_TOKEN_BALANCES_PER_CALL, tokenBalanceCall } from './token-balance-call.js';

const TIMEOUT_MS = 30_000;
/** A few thousand logs of a token are a megabyte. */
const MAX_RESPONSE_BYTES = 64 * 1_048_576;

type At = AgreedBlock | 'latest';

/** `none` never was; `plain` has no code; `code` is a contract, or an account that lets one act for it (EIP-7702). */
export type Account = 'none' | 'plain' | 'code';

/** keccak256 of nothing. */
const WITHOUT_CODE = hexToBigInt('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');

const blockOf = (at: At) => (at === 'latest' ? at : { blockHash: at.hash });

/** What an old chain is asked about our addresses: one request after the other, at the pace that it is given. */
export class EvmHistory {
  readonly logs: HistoryLogs;
  private readonly client: NodeClient;

  constructor(
    rpcUrl: string,
    private readonly pace: Pace,
    refusals = new Refusals(),
    network = '',
  ) {
    this.logs = new HistoryLogs((...asked) => this.ask(...asked), new RefusedLogs(refusals, network));
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES };
    this.client = nodeClient(rpcUrl, limits, { retryCount: 1 });
  }

  async identity(signal?: AbortSignal): Promise<ChainIdentity> {
    const chainId = hexToNumber(await this.ask(evmCount, 'eth_chainId', [], signal));
    const genesis = await this.block(0, signal);
    if (!genesis) throw new InconsistentNode('the node does not tell its block 0, by which a chain is known');
    return { chainId, genesisHash: genesis.hash };
  }

  /** `null` where the node has no such block, or has it no longer. */
  async block(height: number, signal?: AbortSignal): Promise<(AgreedBlock & { readonly time: Date }) | null> {
    const params = [numberToHex(height), false];
    const asked = this.ask(evmHeader.nullable(), 'eth_getBlockByNumber', params, signal);
    const raw = await asked.catch((error: unknown) => {
      if (refusalOf(error) === 'pruned') return null;
      throw error;
    });
    return raw && blockAt(height, toHeader(raw));
  }

  /** `null` where the node does not tell: it keeps no state that old, or refuses such a question. */
  async coinBalances(addresses: readonly string[], at: At, signal?: AbortSignal) {
    return this.inCalls(addresses, MOST_BALANCES_PER_CALL, (part) => balanceCall(part), at, signal);
  }

  /** As `coinBalances`. */
  async tokenBalances(token: string, addresses: readonly string[], at: At, signal?: AbortSignal) {
    const call = (part: readonly string[]) => tokenBalanceCall(token, part);
    return this.inCalls(addresses, MOST_TOKEN_BALANCES_PER_CALL, call, at, signal);
  }

  /**
   * What is at these addresses, by EIP-1052: an account without balance, code and nonce does not exist, so one that holds
   * nothing and exists has sent something. As `coinBalances`.
   */
  async accounts(addresses: readonly string[], at: At, signal?: AbortSignal): Promise<Account[] | null> {
    const call = (part: readonly string[]) => accountCall(part);
    const hashes = await this.inCalls(addresses, MOST_BALANCES_PER_CALL, call, at, signal);
    return hashes && hashes.map((hash) => (hash === 0n ? 'none' : hash === WITHOUT_CODE ? 'plain' : 'code'));
  }

  /** How many transactions an account has sent; `null` where the node does not tell. */
  async sent(address: string, at: At, signal?: AbortSignal): Promise<number | null> {
    const answer = await this.unlessRefused(
      evmCount,
      'eth_getTransactionCount',
      [address, blockOf(at)],
      at,
      signal,
    );
    return answer === null ? null : hexToNumber(answer);
  }

  private async inCalls(
    addresses: readonly string[],
    most: number,
    call: (part: readonly string[]) => Hex,
    block: At,
    signal?: AbortSignal,
  ): Promise<bigint[] | null> {
    const balances: bigint[] = [];
    for (let at = 0; at < addresses.length; at += most) {
      const part = addresses.slice(at, at + most);
      const answer = await this.unlessRefused(
        evmBytes,
        'eth_call',
        [{ data: call(part) }, blockOf(block)],
        block,
        signal,
      );
      const told = answer && balancesOf(answer, part.length);
      if (!told) return null;
      balances.push(...told);
    }
    return balances;
  }

  private async unlessRefused<Answer extends z.ZodType>(
    answer: Answer,
    method: string,
    params: readonly unknown[],
    at: At,
    signal?: AbortSignal,
  ): Promise<z.output<Answer> | null> {
    try {
      return await this.ask(answer, method, params, signal);
    } catch (error) {
      const refusal = refusalOf(error);
      // A limit is no answer: whoever took it for one would look for money in the wrong place. Nor is a node for good without the
      // newest state: it is mending itself, or lags behind the one that said which block that is.
      const passes = refusal === 'not-now' || (refusal === 'pruned' && at === 'latest');
      if (passes && !isRevert(error)) throw error;
      return null;
    }
  }

  private ask: AskHistory = async (answer, method, params, signal, options = {}) => {
    await this.pace.turn(signal);
    return askNode(this.client, answer, method, params, { ...options, signal });
  };
}
