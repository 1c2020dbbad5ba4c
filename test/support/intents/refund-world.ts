import type { Address, Hex } from 'viem';
import type { NetworkConfig } from '../../../src/config/config.types.js';
import { ANYBODYS } from '../../../src/database/by.js';
import { OutgoingService } from '../../../src/modules/chains/outgoing/outgoing.service.js';
import { DestinationsService } from '../../../src/modules/chains/wallets/destinations.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import type { RefundOnChain, RefundState } from '../../../src/modules/intents/refunds.types.js';
import { RefundFollower } from '../../../src/modules/intents/review/refund-follower.service.js';
import { RefundsService } from '../../../src/modules/intents/review/refunds.service.js';
import { ReviewsService } from '../../../src/modules/intents/review/reviews.service.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { Jobs } from '../../../src/platform/jobs/jobs.js';
import { BUYER, ERC20 } from '../../chain/chains-fixture.js';
import type { TestAnvil } from '../nodes/anvil.js';
import { eventually } from '../servers/receiver.js';
import { Service } from '../service/service.js';
import { by } from './by.js';
import { Money } from './money.js';

/** The merchant's. */
export const WALLET = anvilAccount(6).address;
const PATIENCE_MS = 60_000;

type Asset = 'USDC' | 'USDT';
interface Late {
  readonly asset?: Asset | 'ETH';
  readonly of?: string;
  /** Blocks before each payment. */
  readonly apart?: number;
}

/** A service on anvil with a merchant that is paid by one address, whose buyers pay late and want their money back. */
export class RefundWorld {
  private constructor(
    readonly anvil: TestAnvil,
    readonly service: Service,
    readonly merchantId: string,
    private readonly depth: number,
  ) {}

  /** @param rpcUrl where the service sees the chain */
  static async start(
    anvil: TestAnvil,
    depth: number,
    { rpcUrl, ...network }: Partial<NetworkConfig> = {},
  ): Promise<RefundWorld> {
    const service = await Service.start({
      chain: { ...anvil, rpcUrl: rpcUrl ?? anvil.rpcUrl },
      network: {
        settlementDepths: [depth, depth, depth, depth],
        confirmationDepth: 1,
        pollIntervalMs: 50,
        ...network,
      },
    });
    const { merchantId } = await service.shop();
    const wallet = { merchantId, network: 'ethereum', address: WALLET };
    await service.app.get(DestinationsService).set(wallet, by('test'));
    return new RefundWorld(anvil, service, merchantId, depth);
  }

  /** What became final in a suite is where it is recorded, as `rappen check --chain` compares it. */
  async stop(): Promise<void> {
    const { missing } = await this.service.app.get(RefundFollower).missing('ethereum');
    await this.service.stop();
    expect(missing).toEqual([]);
  }

  get refunds(): RefundsService {
    return this.service.app.get(RefundsService);
  }

  mine(blocks = 1): Promise<unknown> {
    return this.anvil.testClient.mine({ blocks });
  }

  async tip(): Promise<number> {
    return Number(await this.anvil.testClient.getBlockNumber());
  }

  sendTokenUnmined(from: Address, to: Address, atoms: bigint, asset: Asset = 'USDC'): Promise<Hex> {
    return this.anvil.testClient.writeContract({
      account: from,
      address: this.anvil.tokens[asset].address,
      abi: ERC20,
      functionName: 'transfer',
      args: [to, atoms],
      gas: 200_000n,
    });
  }

  /** Everything that somebody sends is put into a block of its own. */
  async sendToken(...sent: Parameters<RefundWorld['sendTokenUnmined']>): Promise<Hex> {
    const hash = await this.sendTokenUnmined(...sent);
    await this.mine();
    return hash;
  }

  async sendCoin(from: Address, to: Address, value: bigint): Promise<Hex> {
    const hash = await this.anvil.testClient.sendTransaction({ account: from, to, value });
    await this.mine();
    return hash;
  }

  /** An expired intent whose money came late, and is final and there to be given back. */
  async late(payments: readonly bigint[], { asset = 'USDC', of, apart = 0 }: Late = {}): Promise<string> {
    const money = new Money(this.service);
    const merchantId = of ?? this.merchantId;
    await this.mine();
    const id = await money.picked(merchantId, 'ethereum', asset);
    const { depositAddress } = await this.service.app.get(IntentsService).get(merchantId, id);
    await money.endWindowIn(id, -1);
    expect(await money.status(id)).toBe('expired');
    for (const atoms of payments) {
      if (apart > 0) await this.mine(apart);
      if (asset === 'ETH') await this.sendCoin(BUYER, depositAddress as Address, atoms);
      else await this.sendToken(BUYER, depositAddress as Address, atoms, asset);
    }
    await this.mine(this.depth);
    const all = payments.reduce((sum, atoms) => sum + atoms, 0n);
    const entry = () =>
      this.service.app
        .get(ReviewsService)
        .show(merchantId, id)
        .catch(() => null);
    await eventually(entry, (one) => one?.refundable[0]?.atoms === all);
    return id;
  }

  ask(intentId: string, amount: string, address: string, of = this.merchantId): Promise<RefundOnChain> {
    const wanted = { network: null, asset: null, amount, address, note: 'came late' };
    return this.refunds.ask(of, intentId, wanted, by('ann'));
  }

  /** The watcher has passed every block of the chain. */
  async passed(): Promise<void> {
    const tip = await this.tip();
    const height = () => this.service.app.get(OutgoingService).height('ethereum');
    await eventually(height, (seen) => (seen ?? 0) >= tip, PATIENCE_MS);
  }

  /** The job has its turn with every look: what it does is tried here, not how often. */
  until(id: string, ...states: RefundState[]): Promise<RefundOnChain> {
    return this.untilIt(id, ({ state }) => states.includes(state));
  }

  untilIt(id: string, is: (refund: RefundOnChain) => boolean): Promise<RefundOnChain> {
    const look = () => {
      this.service.app.get(Jobs).wake('follow-refunds');
      return this.refunds.get(ANYBODYS, id);
    };
    return eventually(look, is, PATIENCE_MS);
  }
}
