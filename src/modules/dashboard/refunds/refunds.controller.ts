import { Get, Param, Post, Query } from '@nestjs/common';
import { DatabaseClock } from '../../../database/clock.js';
import { typedAddress } from '../../../kernel/text/address-text.js';
import { AuditLog } from '../../accounts/audit/audit-log.service.js';
import { may } from '../../accounts/permissions.pure.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { OutgoingService } from '../../chains/outgoing/outgoing.service.js';
import { paymentUris } from '../../chains/outgoing/payment-uri.pure.js';
import type { RefundOnChain } from '../../intents/refunds.types.js';
import { RefundsService } from '../../intents/review/refunds.service.js';
import { pathWith } from '../domain/safe-path.js';
import { seenIds } from '../domain/seen.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import type { PageModel } from '../session/request-context.js';
import { confirmPath, RequestContext } from '../session/request-context.js';
import { refundListView } from './list.view.js';
import { newView } from './new.view.js';
import { refundView } from './show.view.js';

/** Money on its way back to buyers: decided here, sent with the merchant's own wallet, found on the chain. */
@DashboardController('refunds')
export class RefundsController {
  constructor(
    private readonly refunds: RefundsService,
    private readonly networks: NetworksService,
    private readonly outgoing: OutgoingService,
    private readonly audit: AuditLog,
    private readonly clock: DatabaseClock,
  ) {}

  @Get()
  @Allow('review:read')
  async list(@CurrentContext() context: RequestContext): Promise<void> {
    const refunds = await this.refunds.list(context.merchantId);
    await context.page('refunds/list', refundListView(context.say, refunds, await this.clock.now()));
  }

  @Get('new')
  @Allow('review:read')
  async form(@CurrentContext() context: RequestContext, @Query('payment') payment: unknown): Promise<void> {
    if (typeof payment !== 'string') return this.list(context);
    await context.page('refunds/new', await this.formModel(context, payment));
  }

  @Post('new')
  @Allow('refunds:decide')
  async ask(@CurrentContext() context: RequestContext): Promise<void> {
    const { merchantId, form, actor } = context;
    const payment = form.text('payment');
    const [network = null, asset = null] = form.text('asset') === '' ? [] : form.text('asset').split(' ');
    const typed = {
      amount: form.text('amount'),
      address: typedAddress(form.text('address')),
      note: form.text('note'),
    };
    const { seen } = await this.refunds.proposal(merchantId, payment);
    try {
      const wanted = { network, asset, ...typed, seen: seenIds(form.all('seen'), seen) };
      const refund = await this.refunds.ask(merchantId, payment, wanted, this.audit.by(actor));
      context.redirect(
        pathTo('refund', refund.id),
        context.say('Nothing is sent yet: send it with your wallet.'),
      );
    } catch (error) {
      await context.refused(error, 'refunds/new', await this.formModel(context, payment));
    }
  }

  @Get(':id')
  @Allow('review:read')
  async show(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await context.page('refunds/show', this.model(context, await this.refunds.get(context.merchantId, id)));
  }

  /** What the page's script waits for. */
  @Get(':id/state.json')
  @Allow('review:read')
  async state(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const { state, txid, openedAt } = await this.refunds.get(context.merchantId, id);
    context.response.json({ state, txid, openedAt });
  }

  /** Before anybody is shown how to pay it: who comes after them sees that. */
  @Post(':id/open')
  @Allow('review:decide')
  open(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const seen = new Date(context.form.text('seen'));
    return this.change(
      context,
      id,
      context.say('It is yours to pay: others see that you have opened it.'),
      (of) => this.refunds.open(of, Number.isNaN(seen.getTime()) ? null : seen),
    );
  }

  @Post(':id/resume')
  @Allow('review:decide')
  resume(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    return this.change(context, id, context.say('It is looked for again.'), (of) => this.refunds.resume(of));
  }

  @Post(':id/sent')
  @Allow('review:decide')
  sent(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const txid = context.form.text('txid');
    return this.change(context, id, context.say('Noted. It is looked for on the chain.'), (of) =>
      this.refunds.send(of, txid),
    );
  }

  @Post(':id/withdraw')
  @Allow('review:decide')
  withdraw(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    return this.change(context, id, context.say('Withdrawn. Its money waits for a decision again.'), (of) =>
      this.refunds.withdraw(of, context.form.text('sure') !== ''),
    );
  }

  private async change(
    context: RequestContext,
    id: string,
    said: string,
    change: (of: Parameters<RefundsService['withdraw']>[0]) => Promise<RefundOnChain>,
  ): Promise<void> {
    const { merchantId, actor } = context;
    try {
      await change({ whose: merchantId, id, by: this.audit.by(actor) });
    } catch (error) {
      const refund = await this.refunds.get(merchantId, id);
      return context.refused(error, 'refunds/show', this.model(context, refund, true));
    }
    context.redirect(pathTo('refund', id), said);
  }

  private async formModel(context: RequestContext, payment: string): Promise<PageModel> {
    const { form, who, merchantId } = context;
    const proposal = await this.refunds.proposal(merchantId, payment);
    const typed = {
      asset: form.text('asset'),
      amount: form.text('amount'),
      address: form.text('address'),
      note: form.text('note'),
    };
    const confirm = confirmPath(who, pathWith(pathTo('newRefund'), { payment }));
    return newView(context.say, { payment, proposal, mayDecide: may(who, 'refunds:decide'), confirm, typed });
  }

  private model(
    { say, who, form, actor }: RequestContext,
    refund: RefundOnChain,
    isUnsure = false,
  ): PageModel {
    const { network: networkId, asset: symbol, address, atoms } = refund;
    const network = this.networks.network(networkId);
    const asset = this.networks.asset(networkId, symbol);
    return refundView(say, {
      refund,
      network,
      uri: network && asset && paymentUris(network, asset, address, atoms).withAmount,
      call: this.outgoing.transferCall(networkId, symbol, address, atoms),
      mayDecide: may(who, 'review:decide'),
      isMine: refund.openedBy === this.audit.by(actor).name,
      isCoin: asset?.contract === null && network?.family === 'evm',
      isUnsure,
      typed: form.text('txid'),
    });
  }
}
