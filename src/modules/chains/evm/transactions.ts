import {
  type Address,
  createWalletClient,
  defineChain,
  type Hex,
  hexToNumber,
  publicActions,
  type TransactionReceipt,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { NetworkConfig } from '../../../config/config.types.js';
import { fieldsOf } from '../../../kernel/error-fields.js';
import { hexOf } from '../../../kernel/text/hex.js';
import { evmCount } from './node/answers/rpc-answers.js';
import { askNode, type NodeClient, nodeClient } from './node/node-client.js';
import { nodeTransport } from './node/node-transport.js';

/** No answer here is large. */
const MAX_BYTES = 1_048_576;
const TIMEOUT_MS = 15_000;
/** A slow network's block, and some. */
const MINED_WITHIN_MS = 180_000;
const PRIVATE_KEY = /^(?:0x)?[0-9a-f]{64}$/i;

export interface Sending {
  readonly to: Address;
  readonly data: Hex;
  readonly gas?: bigint;
}

export const isPrivateKey = (text: string): boolean => PRIVATE_KEY.test(text);

export const clientOf = ({ rpcUrl }: Pick<NetworkConfig, 'rpcUrl'>, timeoutMs = TIMEOUT_MS): NodeClient =>
  nodeClient(rpcUrl, { timeoutMs, maxBytes: MAX_BYTES }, { retryCount: 0 });

export const askChainId = async (client: NodeClient): Promise<number> =>
  hexToNumber(await askNode(client, evmCount, 'eth_chainId', []));

/**
 * Sends one transaction and waits until a block holds it. The key is of an account that pays the gas and nothing else.
 * @param sent told as soon as the node has it, so that it is known whatever comes after
 */
export async function sendAndWait(
  { name, rpcUrl, chainId }: Pick<NetworkConfig, 'name' | 'rpcUrl'> & { readonly chainId: number },
  key: string,
  transaction: Sending,
  sent: (txid: Hex) => void = () => undefined,
): Promise<TransactionReceipt> {
  const account = privateKeyToAccount(hexOf(key.startsWith('0x') ? key : `0x${key}`));
  const chain = defineChain({
    id: chainId,
    name,
    rpcUrls: { default: { http: [rpcUrl] } },
    nativeCurrency: { name: 'coin', symbol: 'COIN', decimals: 18 },
  });
  const transport = nodeTransport(rpcUrl, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }, {});
  // Nonce, fees, signature and the wait are viem's, whose reading of the answers is enough for what somebody looks at.
  const wallet = createWalletClient({ account, chain, transport, pollingInterval: 500 });
  const hash = await wallet.sendTransaction(transaction);
  sent(hash);
  return wallet.extend(publicActions).waitForTransactionReceipt({ hash, timeout: MINED_WITHIN_MS });
}

/** What a node said, without its URL, which may hold a secret and which viem's messages name. */
export function nodeSaid(error: unknown): string {
  const { shortMessage, details } = fieldsOf(error);
  const told = details ?? shortMessage;
  return typeof told === 'string' ? told : 'no answer';
}
