import { Inject, Injectable } from '@nestjs/common';
import type { Address, Hex } from 'viem';
import { CONFIG, type Config, type NetworkConfig } from '../../../config/config.types.js';
import { deploymentFailed, unknownNetwork } from '../chains.errors.js';
import { mustHaveForwarders } from '../domain/destination.js';
import { askCode } from '../evm/node/node-client.js';
import { askChainId, clientOf, isPrivateKey, nodeSaid, sendAndWait } from '../evm/transactions.js';
import { DETERMINISTIC_DEPLOYER, factoryDeployment } from '../factory-deployment.types.js';
import { forwarderFactory } from '../forwarders.types.js';

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
    const client = clientOf(network);
    const hasCode = async (address: Address) => (await askCode(client, address)) !== '0x';
    const [actual, isDeployed, hasDeployer] = await unlessUnreachable(network, () =>
      Promise.all([askChainId(client), hasCode(forwarderFactory.address), hasCode(DETERMINISTIC_DEPLOYER)]),
    );
    if (actual !== network.chainId)
      throw deploymentFailed(`the node serves chain ${actual}, not ${network.chainId}`);
    const about = {
      chainId: actual,
      ...factoryDeployment,
      value: '0',
      factory: forwarderFactory.address,
    } as const;
    if (isDeployed) return { ...about, isDeployed, sent: null };
    if (!hasDeployer) {
      const why = `${network.name} has no deterministic deployer at ${DETERMINISTIC_DEPLOYER}; deploy that first`;
      throw deploymentFailed(`${why} (github.com/Arachnid/deterministic-deployment-proxy)`);
    }
    if (key === null) return { ...about, isDeployed, sent: null };
    if (!isPrivateKey(key)) throw deploymentFailed('that is no private key (64 hexadecimal digits)');
    const { transactionHash: sent } = await unlessUnreachable(network, () =>
      sendAndWait({ ...network, chainId: actual }, key, factoryDeployment),
    );
    if (!(await unlessUnreachable(network, () => hasCode(forwarderFactory.address)))) {
      throw deploymentFailed(`transaction ${sent} was mined, and the contract is not there`);
    }
    return { ...about, isDeployed: false, sent };
  }
}

async function unlessUnreachable<Result>(
  { name }: Pick<NetworkConfig, 'name'>,
  ask: () => Promise<Result>,
): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    throw deploymentFailed(`the node of ${name} did not do it (${nodeSaid(error)})`);
  }
}
