import type { Address, Hex } from 'viem';
import { BUYER, type ChainTest } from './chains-fixture.js';
import { compileContracts } from './contracts.js';

/** Sends; whoever wants it in a block mines one. @returns the transaction's id */
export type Payer = (to: Address, atoms: bigint) => Promise<Hex>;

/** Deploys a contract that pays coin by a call inside its transaction, as smart wallets and exchanges do. */
export async function deployPayer(test: ChainTest): Promise<Payer> {
  const { payout } = compileContracts();
  const address = await test.deploy(payout);
  return (to, atoms) =>
    test.anvil.testClient.writeContract({
      account: BUYER,
      address,
      abi: payout.abi,
      functionName: 'pay',
      args: [[to], [atoms]],
      value: atoms,
      gas: 1_000_000n,
    });
}
