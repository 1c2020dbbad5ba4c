import { Get, Query } from '@nestjs/common';
import { DatabaseClock } from '../../../database/clock.js';
import { hexOf } from '../../../kernel/text/hex.js';
import { AssetDecimals } from '../../chains/networks/asset-decimals.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { WalletsService } from '../../chains/wallets/wallets.service.js';
import { CollectionsService } from '../../treasury/collections.service.js';
import { TreasuryService } from '../../treasury/treasury.service.js';
import type { CollectionPlan } from '../../treasury/treasury.types.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { RequestContext } from '../session/request-context.js';
import { collectView, sentView } from './collect.view.js';
import { treasuryView } from './treasury.view.js';

const SHOWN_COLLECTIONS = 50;
/** What things are worth is said in one currency, because amounts of several do not add up. */
const CURRENCY = 'CHF';
const TXID = /^0x[0-9a-f]{64}$/i;

type Asked = Record<string, unknown>;

/**
 * What lies on deposit addresses, and the ways home. It changes nothing here: whoever collects sends a transaction, and
 * the chain says what became of it.
 */
@DashboardController('treasury')
export class TreasuryController {
  constructor(
    private readonly treasury: TreasuryService,
    private readonly collections: CollectionsService,
    private readonly networks: NetworksService,
    private readonly decimals: AssetDecimals,
    private readonly wallets: WalletsService,
    private readonly clock: DatabaseClock,
  ) {}

  @Get()
  @Allow('payments:read')
  async show(@CurrentContext() context: RequestContext): Promise<void> {
    const { merchantId } = context;
    const [lying, collected, ofKeys, decimalsOf] = await Promise.all([
      this.treasury.lying(merchantId, CURRENCY),
      this.treasury.collected(merchantId, SHOWN_COLLECTIONS),
      this.treasury.ofKeys(merchantId),
      this.decimals.known(),
    ]);
    const networks = this.networks.all();
    const wallets = await this.wallets.list(merchantId);
    const now = await this.clock.now();
    await context.page(
      'treasury/show',
      treasuryView(context.say, { lying, collected, ofKeys, networks, decimalsOf, wallets, now }),
    );
  }

  /** Exactly what would be sent, before anything is. */
  @Get('collect')
  @Allow('payments:read')
  async collect(@CurrentContext() context: RequestContext, @Query() query: Asked): Promise<void> {
    const plan = await this.planFor(context, query);
    if (plan) await context.page('treasury/collect', collectView(context.say, plan, context.merchantId));
  }

  /** What the page's script compares with what it is about to send. */
  @Get('plan.json')
  @Allow('payments:read')
  async plan(@CurrentContext() context: RequestContext, @Query() query: Asked): Promise<void> {
    const plan = await this.planFor(context, query);
    if (plan) context.response.json({ calls: plan.transactions.map(({ data }) => data) });
  }

  /** One transaction of the plan as a file for the Transaction Builder of a Safe. */
  @Get('safe.json')
  @Allow('payments:read')
  async safe(@CurrentContext() context: RequestContext, @Query() query: Asked): Promise<void> {
    const plan = await this.planFor(context, query);
    if (!plan) return;
    const part = Number(query['part'] ?? 1);
    const transaction = plan.transactions[part - 1];
    if (!transaction) return this.show(context);
    context.response
      .attachment(`collect-${plan.network}-${plan.asset}-${part}.json`)
      .json(this.treasury.safeFile(plan, transaction, await this.clock.now()));
  }

  /** What the chain says of a transaction that was sent. */
  @Get('sent.json')
  @Allow('payments:read')
  async sent(@CurrentContext() context: RequestContext, @Query() query: Asked): Promise<void> {
    const { network, txid } = query;
    const isAsked = typeof txid === 'string' && TXID.test(txid) && typeof network === 'string';
    if (!isAsked || this.networks.network(network)?.family !== 'evm') return this.show(context);
    const sent = await this.collections.sent(context.merchantId, network, hexOf(txid));
    context.response.json(sentView(context.say, sent));
  }

  /** @returns `null` where nothing was named, and the answer is the list */
  private async planFor(context: RequestContext, { network, asset }: Asked): Promise<CollectionPlan | null> {
    if (typeof network === 'string' && typeof asset === 'string')
      return this.treasury.plan(context.merchantId, network, asset);
    await this.show(context);
    return null;
  }
}
