import { DETERMINISTIC_DEPLOYER } from '../../../chains/factory-deployment.types.js';
import type { DestinationLook } from '../../../chains/wallets.types.js';
import { missingContract, payoutWarnings } from '../../../chains/wallets/destination-text.pure.js';
import type { Say } from '../../language/say.js';

type Look = Pick<DestinationLook, 'isFactoryDeployed' | 'hasDeployer' | 'refused'>;

/** `payoutWarnings` in the reader's language. @param network its id */
export function warningsSaid(say: Say, look: Look, network: string): string[] {
  const missing = missingSaid(say, look, network);
  const others = payoutWarnings(missing === null ? look : { ...look, isFactoryDeployed: true }, network);
  return [...(missing === null ? [] : [missing]), ...others.map(say.told)];
}

/** That the contract that collects has to be deployed first; the sentence is put together, so it is said whole here. */
function missingSaid(say: Say, look: Look, network: string): string | null {
  const missing = missingContract(look, network);
  if (missing === null) return null;
  const [{ command }, { hasDeployer }] = [missing, look];
  if (hasDeployer === true)
    return say(
      'The contract that collects money is not on this network yet. Before anything can be collected, somebody has to deploy it, once for everybody: {command}. Buyers can pay all the same.',
      { command },
    );
  const text =
    hasDeployer === false
      ? 'Neither the contract that collects money nor the deployer that it needs ({deployer}) is on this network. First the deployer has to be there (github.com/Arachnid/deterministic-deployment-proxy), which not every network allows; then somebody has to deploy the contract, once for everybody: {command}. Take no money here before: without the deployer it can never be collected.'
      : 'The contract that collects money is not on this network yet, and whether the deployer that it needs ({deployer}) is there is not known: its node did not say. Before anything can be collected, somebody has to deploy it, once for everybody: {command}. Take no money here before: without the deployer it can never be collected.';
  return say(text, { deployer: DETERMINISTIC_DEPLOYER, command });
}
