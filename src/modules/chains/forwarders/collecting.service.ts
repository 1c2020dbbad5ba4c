import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Address, type Hex, hexToNumber, numberToHex, type TransactionReceipt } from 'viem';
import { z } from 'zod';
import { type AssetConfig, CONFIG, type Config, type NetworkConfig } from '../../../config/config.types.js';
import { errorOf, fieldsOf } from '../../../kernel/error-fields.js';
import { collectingFailed, unknownNetwork } from '../chains.errors.js';
import { type AskedCollection, askedCollections } from '../domain/asked-collections.js';
import { evmBytes, evmCount, evmHash, evmPrice } from '../evm/node/answers/rpc-answers.js';
import { balanceCall, balancesOf, MOST_BALANCES_PER_CALL } from '../evm/node/balance-call.js';
import { askCode, askNode } from '../evm/node/node-client.js';
import { askChainId, clientOf, isPrivateKey, nodeSaid, sendAndWait } from '../evm/transactions.js';
import { DETERMINISTIC_DEPLOYER } from '../factory-deployment.types.js';
import { forwarderFactory } from '../forwarders.types.js';
import { MOST_TOKEN_BALANCES_PER_CALL, tokenBalanceCall } from '../reconciliation/evm/token-balance-call.js';
import type { CollectingConditions, MinedCall } from './collecting.types.js';
import type { CollectCall } from './holdings.types.js';

/** Somebody waits for the page. */
const TIMEOUT_MS = 5_000;

const blockOfGas = z.object({ gasLimit: evmCount });
const transactionInput = z.object({ input: evmBytes }).nullable();
const minedReceipt = z
  .object({
    transactionHash: evmHash,
    blockNumber: evmCount,
    status: z.enum(['0x0', '0x1']),
    gasUsed: evmCount,
  })
  .nullable();

/** What the node of a network says now, for whoever is about to collect. Nothing of it is recorded: facts come from blocks. */
@Injectable()
export class CollectingService {
  private readonly logger = new Logger(CollectingService.name);

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** @returns `null` when the node does not answer */
  async conditions(networkId: string): Promise<CollectingConditions | null> {
    const client = clientOf(this.network(networkId), TIMEOUT_MS);
    const told = await this.told(
      networkId,
      Promise.all([
        askNode(client, evmPrice, 'eth_gasPrice', []),
        askNode(client, blockOfGas, 'eth_getBlockByNumber', ['latest', false]),
        askCode(client, forwarderFactory.address),
        askCode(client, DETERMINISTIC_DEPLOYER),
      ]),
    );
    if (!told) return null;
    const [gasPrice, block, code, deployer] = told;
    return {
      gasPriceAtoms: BigInt(gasPrice),
      blockGas: BigInt(block.gasLimit),
      isFactoryDeployed: code !== '0x',
      hasDeployer: deployer !== '0x',
    };
  }

  /**
   * What each address holds behind the block of a height, in their order.
   * @returns `null` when the node does not say: it has not come to that block, or has forgotten what was there, or is down
   */
  async held(
    networkId: string,
    asset: AssetConfig,
    addresses: readonly Address[],
    height: number | 'latest',
  ): Promise<readonly bigint[] | null> {
    const block = height === 'latest' ? height : numberToHex(height);
    const client = clientOf(this.network(networkId), TIMEOUT_MS);
    const { contract } = asset;
    const most = contract === null ? MOST_BALANCES_PER_CALL : MOST_TOKEN_BALANCES_PER_CALL;
    const parts = Array.from({ length: Math.ceil(addresses.length / most) }, (_, i) =>
      addresses.slice(i * most, (i + 1) * most),
    );
    const told = await this.told(
      networkId,
      Promise.all(
        parts.map(async (part) => {
          const data = contract === null ? balanceCall(part) : tokenBalanceCall(contract, part);
          const answer = await askNode(client, evmBytes, 'eth_call', [{ data }, block]);
          return balancesOf(answer, part.length);
        }),
      ),
    );
    return told?.every((part) => part !== null) ? told.flat() : null;
  }

  /** The least gas with which the call does its work; `null` when the node does not say, or says that it cannot. */
  async gasOf(networkId: string, { to, data }: CollectCall): Promise<bigint | null> {
    const client = clientOf(this.network(networkId), TIMEOUT_MS);
    const gas = await this.told(networkId, askNode(client, evmCount, 'eth_estimateGas', [{ to, data }]));
    return gas === null ? null : BigInt(gas);
  }

  /**
   * Sends a call from an account that pays the gas, and waits until a block holds it.
   * @param key forgotten when this returns
   * @throws DomainError `collecting-failed`
   */
  async send(
    networkId: string,
    key: string,
    call: CollectCall & { readonly gas: bigint },
    sent: (txid: Hex) => void,
  ): Promise<MinedCall> {
    const network = this.network(networkId);
    if (!isPrivateKey(key)) throw collectingFailed('that is no private key (64 hexadecimal digits)');
    let txid: Hex | null = null;
    try {
      const { to, data, gas } = call;
      const client = clientOf(network, TIMEOUT_MS);
      const [chainId, code] = await Promise.all([askChainId(client), askCode(client, to)]);
      if (chainId !== network.chainId)
        throw collectingFailed(`the node serves chain ${chainId}, not ${network.chainId}`);
      // A call to where no code is succeeds, and moves nothing.
      if (code === '0x')
        throw collectingFailed(
          `the contract that collects is not on ${network.name} yet, see “rappen contracts deploy”; nothing was sent`,
        );
      const receipt = await sendAndWait({ ...network, chainId }, key, { to, data, gas }, (hash) => {
        txid = hash;
        sent(hash);
      });
      return minedCall(receipt);
    } catch (error) {
      if (fieldsOf(error).code === 'collecting-failed') throw error;
      const what = txid === null ? 'nothing was sent' : `transaction ${String(txid)} was sent, look for it`;
      throw collectingFailed(`the node of ${network.name} did not do it (${nodeSaid(error)}); ${what}`);
    }
  }

  /** Where the chain holds a transaction; `null` while no block does, or the node does not say. */
  async mined(networkId: string, txid: Hex): Promise<MinedCall | null> {
    const client = clientOf(this.network(networkId), TIMEOUT_MS);
    const receipt = await this.told(
      networkId,
      askNode(client, minedReceipt, 'eth_getTransactionReceipt', [txid]),
    );
    return (
      receipt && {
        txid: receipt.transactionHash,
        height: hexToNumber(receipt.blockNumber),
        hasSucceeded: receipt.status === '0x1',
        gasUsed: BigInt(receipt.gasUsed),
      }
    );
  }

  /** What a transaction asks the factory for, as the chain has it; nothing when the node does not say. */
  async asked(networkId: string, txid: Hex): Promise<AskedCollection[]> {
    const client = clientOf(this.network(networkId), TIMEOUT_MS);
    const sent = await this.told(
      networkId,
      askNode(client, transactionInput, 'eth_getTransactionByHash', [txid]),
    );
    return sent ? askedCollections(sent.input) : [];
  }

  /** What the node says; `null` where it does not, which the log says why. */
  private async told<Told>(network: string, asked: Promise<Told>): Promise<Told | null> {
    try {
      return await asked;
    } catch (error) {
      const { name } = errorOf(error);
      this.logger.warn({ network, name, said: nodeSaid(error) }, 'the node does not say it');
      return null;
    }
  }

  private network(id: string): NetworkConfig {
    const network = this.config.networks.find((one) => one.id === id && one.family === 'evm');
    if (!network) throw unknownNetwork(id);
    return network;
  }
}

function minedCall({ transactionHash, blockNumber, status, gasUsed }: TransactionReceipt): MinedCall {
  return { txid: transactionHash, height: Number(blockNumber), hasSucceeded: status === 'success', gasUsed };
}
