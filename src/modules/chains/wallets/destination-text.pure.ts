import { DETERMINISTIC_DEPLOYER } from '../factory-deployment.types.js';
import type { DestinationLook, VerificationRecipe } from '../wallets.types.js';

/** What the node said of an address that money shall go to. */
export const ACCOUNT_TEXTS: Readonly<Record<NonNullable<DestinationLook['account']> | 'unasked', string>> = {
  plain: 'It is an ordinary account: whoever has its key has the money.',
  contract:
    'It is a contract, such as a Safe. Make sure that it exists on this network too, and that it takes coin and tokens.',
  delegated:
    'It is an account that lets a contract act for it (EIP-7702). That contract has a say over the money.',
  unasked: 'The node did not say what is at this address. It was checked for typing mistakes all the same.',
};

type Look = Pick<DestinationLook, 'isFactoryDeployed' | 'hasDeployer' | 'refused'>;

/**
 * What has to be done before anything can be collected.
 * @param network its id
 * @returns `null` where nothing has, or where the node does not say
 */
export function missingContract(
  { isFactoryDeployed, hasDeployer }: Omit<Look, 'refused'>,
  network: string,
): { readonly text: string; readonly command: string } | null {
  if (isFactoryDeployed !== false) return null;
  const command = `rappen contracts deploy --network ${network}`;
  const deployer = `the deployer that it needs (${DETERMINISTIC_DEPLOYER})`;
  if (hasDeployer === false)
    return {
      command,
      text:
        `Neither the contract that collects money nor ${deployer} is on this network. First the deployer has to be there ` +
        '(github.com/Arachnid/deterministic-deployment-proxy), which not every network allows; then somebody has to deploy ' +
        'the contract, once for everybody:',
    };
  const unknown =
    hasDeployer === null ? `, and whether ${deployer} is there is not known: its node did not say` : '';
  return {
    command,
    text:
      `The contract that collects money is not on this network yet${unknown}. Before anything can be collected, somebody ` +
      'has to deploy it, once for everybody:',
  };
}

/** What should be known before anybody pays. @param network its id */
export function payoutWarnings(look: Look, network: string): string[] {
  const { isFactoryDeployed, hasDeployer, refused } = look;
  const warnings: string[] = [];
  if (isFactoryDeployed === null)
    warnings.push(
      'Whether the contract that collects money is on this network is not known: its node did not say.',
    );
  const missing = missingContract(look, network);
  if (missing)
    warnings.push(
      hasDeployer === true
        ? `${missing.text} ${missing.command}. Buyers can pay all the same.`
        : `${missing.text} ${missing.command}. Take no money here before: without the deployer it can never be collected.`,
    );
  if (refused.length > 0)
    warnings.push(
      `${refused.join(', ')} could not be paid out to this address now: the network refused a trial with nothing. A token ` +
        'can block an address or stand still, and a contract can refuse coin. As long as it is so, such money stays on the ' +
        'deposit addresses.',
    );
  return warnings;
}

/** How anybody computes a deposit address without us, with an example; a line each. */
export function recipeLines({ saltOf, salt, ...recipe }: VerificationRecipe): string[] {
  const { factory, forwarder, destination, depositAddress } = recipe;
  return [
    `destination    ${destination}`,
    `factory        ${factory}`,
    `code           60473d8160093d39f336600557005b363d3d373d3d3d363d73 ${plain(forwarder)} 5af43d82803e903d91603157fd5bf3 ${plain(destination)}`,
    `salt           keccak256("${saltOf}") = ${salt}`,
    `address        the last 20 bytes of keccak256(ff ++ factory ++ salt ++ keccak256(code))`,
    `which is       ${depositAddress}`,
    `ask a node     cast call ${factory} "addressOf(address,bytes32)(address)" ${destination} $(cast keccak "${saltOf}")`,
  ];
}

function plain(address: string): string {
  return address.slice(2).toLowerCase();
}
