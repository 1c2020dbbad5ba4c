import { type Address, erc20Abi, getAddress, type Hex, parseAbiItem, zeroAddress } from 'viem';
import type { NetworkConfig } from '../../../src/config/config.types.js';
import { forwarder } from '../../../src/modules/chains/forwarders.types.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { ERC20, evmNetwork } from '../chains-fixture.js';
import { compileContracts } from '../contracts.js';
import { CONTRADICTIONS, FINALITY, FORGERIES, SENDERS_AND_TRACES, SOME_LOGS } from '../evm-faults.js';
import { ANYBODY, collectAll, deployFactory } from '../forwarders/collecting.js';
import { EVM_CALLS, EVM_FAULTS } from './evm-matrix.js';
import { balanced } from './hostile-faults.js';
import { type HostileWorld, type KeylessWallet, pickOf, type Random } from './hostile-life.js';
import { HostileNode } from './hostile-node.js';
import type { Fault, Rule } from './hostile-plan.js';

/** `finalized` lies so far behind that a guess by depth would be above it. */
const SLOTS = 70;
const { payout } = compileContracts();
const TRANSFERRED = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');
/** Of one merchant on every chain: it is nobody's account. */
const DESTINATION: Address = '0x00000000000000000000000000000000DE571a71';

/** What `HostileWorld` asks of the chain goes to anvil itself, not to the node that lies. */

export class EvmWorld implements HostileWorld {
  private constructor(
    readonly network: NetworkConfig,
    readonly node: HostileNode,
    private readonly anvil: TestAnvil,
    private readonly contract: Address,
    readonly keyless: KeylessWallet | undefined,
  ) {}

  /** Every other one has deposit addresses without keys. */
  static async start(n: number): Promise<EvmWorld> {
    const anvil = await startTestAnvil({ slotsInAnEpoch: SLOTS, chainId: 31_400 + n });
    const { testClient, tokens } = anvil;
    const node = await HostileNode.start(anvil.rpcUrl);
    const [account] = await testClient.getAddresses();
    const hash = await testClient.deployContract({ account: account!, ...payout, args: [] });
    await testClient.mine({ blocks: 2 * SLOTS + 10 });
    const { contractAddress } = await testClient.getTransactionReceipt({ hash });
    const keyless = n % 2 === 1 ? await keylessWallet(anvil) : undefined;
    const assets = [
      { symbol: 'ETH', decimals: 18, contract: null, dustAtoms: 1n },
      { symbol: 'USDC', decimals: 6, contract: tokens.USDC.address, dustAtoms: 1n },
    ];
    const network = evmNetwork(node.url, assets, {
      id: `evm-${n}`,
      name: `EVM ${n}`,
      chainId: anvil.chainId,
      pollIntervalMs: 200,
      settlementDepths: [3, 6, 'finalized', 'finalized'],
    });
    return new EvmWorld(network, node, anvil, contractAddress!, keyless);
  }

  async stop(): Promise<void> {
    await this.node.stop();
    await this.anvil.stop();
  }

  mine(blocks: number): Promise<void> {
    return this.anvil.testClient.mine({ blocks });
  }

  async height(): Promise<number> {
    return Number(await this.anvil.testClient.getBlockNumber());
  }

  blocksFor(depth: string): number {
    return depth === 'finalized' ? 2 * SLOTS + 1 : depth === 'safe' ? SLOTS + 1 : Number(depth);
  }

  async pay(asset: string, to: string, value: bigint, random: Random): Promise<void> {
    const { testClient, tokens } = this.anvil;
    const account = pickOf(random, await testClient.getAddresses());
    const address = getAddress(to);
    if (asset === 'USDC') {
      const args = [address, value] as const;
      const call = {
        account,
        address: tokens.USDC.address,
        abi: ERC20,
        functionName: 'transfer',
        args,
      } as const;
      await testClient.writeContract(call);
    } else if (random() < 0.5) {
      await testClient.sendTransaction({ account, to: address, value });
    } else {
      const args = [[address], [value]];
      const call = { account, address: this.contract, abi: payout.abi, functionName: 'pay', args, value };
      await testClient.writeContract(call);
    }
  }

  async paid(asset: string, to: string): Promise<bigint> {
    return (await this.held(asset, getAddress(to))) + ((await this.keyless?.collected(asset, to)) ?? 0n);
  }

  private held(asset: string, address: Address): Promise<bigint> {
    const { testClient, tokens } = this.anvil;
    if (asset === 'ETH') return testClient.getBalance({ address });
    const call = { address: tokens.USDC.address, abi: erc20Abi, functionName: 'balanceOf' } as const;
    return testClient.readContract({ ...call, args: [address] });
  }

  /** The last two blocks anew, with the same transactions all in the first of them or all in the second. */
  async turn(random: Random): Promise<void> {
    const { testClient } = this.anvil;
    const height = await testClient.getBlockNumber();
    const blocks = [await testClient.getBlock({ blockNumber: height - 1n }), await testClient.getBlock()];
    const ask = (method: string, params: unknown[]) => testClient.request({ method, params } as never);
    const txids = blocks.flatMap(({ transactions }) => transactions);
    const raw = await Promise.all(txids.map((txid) => ask('eth_getRawTransactionByHash', [txid])));
    const offset = random() < 0.5 ? 0 : 1;
    await ask('anvil_reorg', [2, raw.map((tx) => [tx, offset])]);
  }

  plan(random: Random): Rule[] {
    const calls = Object.values(EVM_CALLS);
    const { receiptOfAnotherBlock, otherChain, otherHeight, tomorrow, ...ofBlocks } = CONTRADICTIONS;
    const rule = (): Rule[] => {
      const fromMs = Math.floor(random() * 1_500);
      const moment = {
        fromMs,
        untilMs: fromMs + 500 + Math.floor(random() * 2_500),
        ...(random() < 0.5 ? { chance: 0.3 + random() * 0.7 } : {}),
      };
      const of = (where: Omit<Rule, 'fault'>, fault: Fault): Rule => ({ ...where, ...moment, fault });
      const untagged = { methods: ['eth_getBlockByNumber'], holding: '0x' };
      const tag = { methods: ['eth_getBlockByNumber'], holding: pickOf(random, ['"finalized"', '"safe"']) };
      switch (Math.floor(random() * 11)) {
        case 0:
          return [
            of({ methods: ['eth_getBlockByNumber'] }, pickOf(random, Object.values(ofBlocks))),
            of(untagged, otherHeight),
          ];
        case 1:
          return [of(tag, pickOf(random, [...Object.values(FINALITY), ...Object.values(EVM_FAULTS)]))];
        case 2:
          return [{ ...balanced(1 + Math.floor(random() * 4)), ...moment }];
        case 3:
          return [of({ methods: ['eth_getLogs'] }, SOME_LOGS)];
        case 4:
          return [of({ methods: ['eth_getTransactionReceipt'] }, receiptOfAnotherBlock), of({}, otherChain)];
        case 5:
          return [
            of(
              { methods: [pickOf(random, ['debug_traceBlockByHash', 'eth_call', 'eth_getLogs'])] },
              { kind: 'hang', ms: Infinity },
            ),
          ];
        case 6:
          return SENDERS_AND_TRACES.map((when) => of(when, FORGERIES.forged));
        case 7:
          // Of a whole block the time fits together: whether a payment was in time one node alone can say.
          return [of({ methods: ['eth_getBlockByNumber'], holding: ',false]' }, tomorrow)];
        case 8:
          return [of({ methods: ['eth_call'] }, { kind: 'ahead' })];
        default: {
          const fault = pickOf(random, Object.values(EVM_FAULTS));
          return pickOf(random, calls).map((where) => of(where, fault));
        }
      }
    };
    return Array.from({ length: 1 + Math.floor(random() * 3) }, rule).flat();
  }
}

async function keylessWallet({ rpcUrl, testClient, tokens }: TestAnvil): Promise<KeylessWallet> {
  const timer = setInterval(() => void testClient.mine({ blocks: 1 }), 100);
  await deployFactory(rpcUrl).finally(() => clearInterval(timer));
  return {
    destination: DESTINATION,
    async collect(asset, salt) {
      const token = asset === 'ETH' ? zeroAddress : tokens.USDC.address;
      const { to, data } = collectAll(DESTINATION, token, [salt as Hex]);
      await testClient.sendTransaction({ account: ANYBODY, to, data: data!, gas: 1_000_000n });
    },
    async collected(asset, from) {
      const [address, all] = [getAddress(from), { fromBlock: 0n } as const];
      if (asset === 'ETH') {
        const logs = await testClient.getLogs({ ...all, address, event: forwarder.abi[0] });
        return logs.reduce((sum, { args }) => sum + args.amount!, 0n);
      }
      const of = { address: tokens.USDC.address, event: TRANSFERRED, args: { from: address } };
      return (await testClient.getLogs({ ...all, ...of })).reduce((sum, { args }) => sum + args.value!, 0n);
    },
  };
}
