import { Inject, Injectable } from '@nestjs/common';
import { createPublicClient, createWalletClient, defineChain, http, type Address, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { CONFIG, type Config, type NetworkConfig } from '../../config/config.types.js';
import { deploymentFailed, unknownNetwork } from './chains.errors.js';
import { mustHaveForwarders } from './domain/destination.js';
import { DETERMINISTIC_DEPLOYER, factoryDeployment } from './factory-deployment.types.js';
import { forwarderFactory } from './forwarders.types.js';

const TIMEOUT_MS = 15_000;
/** A slow network's block, and some. */
const MINED_WITHIN_MS = 180_000;
const PRIVATE_KEY = /^(?:0x)?[0-9a-f]{64}$/i;

/** The transaction that deploys the factory, and what became of it. */
export interface Deployment {
  readonly chainId: number;
  readonly to: Address;
  readonly data: Hex;
  /** Coin that goes with it, as every amount in text. */
  readonly value: '0';
  /** Where the factory will be, on every network. */
  readonly factory: Address;
  readonly isDeployed: boolean;
  /** The transaction's id, where it was sent. */
  readonly sent: Hex | null;
}

/** Deploys what collects money from deposit addresses (ADR 49). Anybody may, and once is enough. */
@Injectable()
export class FactoryService {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /**
   * @param key of an account that pays the gas; forgotten when this returns. `null` sends nothing.
   * @throws DomainError `unknown-network`, `no-deposit-addresses`, `deployment-failed`
   */
  async deployment(id: string, key: string | null): Promise<Deployment> {
    const network = this.config.networks.find((one) => one.id === id);
    if (!network) throw unknownNetwork(id);
    mustHaveForwarders(network);
    const chainId = network.chainId!;
    const client = createPublicClient({ transport: http(network.rpcUrl, { timeout: TIMEOUT_MS }) });
    const hasCode = async (address: Address) => (await client.getCode({ address })) !== undefined;
    const [actual, isDeployed, hasDeployer] = await unlessUnreachable(network, () =>
      Promise.all([client.getChainId(), hasCode(forwarderFactory.address), hasCode(DETERMINISTIC_DEPLOYER)]),
    );
    if (actual !== chainId) throw deploymentFailed(`the node serves chain ${actual}, not ${chainId}`);
    const about = { chainId, ...factoryDeployment, value: '0', factory: forwarderFactory.address } as const;
    if (isDeployed) return { ...about, isDeployed, sent: null };
    if (!hasDeployer) {
      const why = `${network.name} has no deterministic deployer at ${DETERMINISTIC_DEPLOYER}; deploy that first`;
      throw deploymentFailed(`${why} (github.com/Arachnid/deterministic-deployment-proxy)`);
    }
    if (key === null) return { ...about, isDeployed, sent: null };
    if (!PRIVATE_KEY.test(key)) throw deploymentFailed('that is no private key (64 hexadecimal digits)');
    const sent = await this.send(network, chainId, key);
    if (!(await unlessUnreachable(network, () => hasCode(forwarderFactory.address)))) {
      throw deploymentFailed(`transaction ${sent} was mined, and the contract is not there`);
    }
    return { ...about, isDeployed: false, sent };
  }

  private async send({ name, rpcUrl }: NetworkConfig, chainId: number, key: string): Promise<Hex> {
    const account = privateKeyToAccount(key.startsWith('0x') ? (key as Hex) : `0x${key}`);
    const chain = defineChain({
      ...{ id: chainId, name, rpcUrls: { default: { http: [rpcUrl] } } },
      nativeCurrency: { name: 'coin', symbol: 'COIN', decimals: 18 },
    });
    const transport = http(rpcUrl, { timeout: TIMEOUT_MS });
    const client = createWalletClient({ account, chain, transport });
    return unlessUnreachable({ name }, async () => {
      const hash = await client.sendTransaction({ ...factoryDeployment });
      await createPublicClient({ chain, transport }).waitForTransactionReceipt({
        hash,
        timeout: MINED_WITHIN_MS,
      });
      return hash;
    });
  }
}

/** A node's URL may hold a secret, and viem's messages name it. */
async function unlessUnreachable<Result>(
  { name }: Pick<NetworkConfig, 'name'>,
  ask: () => Promise<Result>,
): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    const { shortMessage, details } = error as { shortMessage?: string; details?: string };
    throw deploymentFailed(`the node of ${name} did not do it (${details ?? shortMessage ?? 'no answer'})`);
  }
}
