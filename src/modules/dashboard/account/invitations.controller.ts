import { Get, Param, Post } from '@nestjs/common';
import type { PendingInvitation } from '../../accounts/accounts.types.js';
import { EmailProofs } from '../../accounts/people/email-proofs.service.js';
import { InvitationsService } from '../../accounts/people/invitations.service.js';
import { LinksService } from '../../accounts/sign-in/links.service.js';
import { placeIn } from '../language/roles.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { RequestContext } from '../session/request-context.js';
import { byLinkView, invitationsView, proofView } from './invitations.view.js';

/** What somebody is asked to join, and their answer: nobody else can give it. */
@DashboardController('invitations')
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly proofs: EmailProofs,
    private readonly links: LinksService,
  ) {}

  @Get()
  @Allow('account', { fresh: true })
  async list(@CurrentContext() context: RequestContext): Promise<void> {
    await context.page('account/invitations', await this.model(context));
  }

  @Post(':id/accept')
  @Allow('account', { fresh: true })
  async accept(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    try {
      joined(context, await this.invitations.accept(context.who, id, context.actor));
    } catch (error) {
      await context.refused(error, 'account/invitations', await this.model(context));
    }
  }

  @Post(':id/decline')
  @Allow('account', { fresh: true })
  async decline(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await this.invitations.decline(context.who, id, context.actor);
    context.redirect(pathTo('invitations'), context.say('Declined. Nothing has changed.'));
  }

  /** A link to the mailbox, whose holder is the mailbox's. */
  @Post('prove')
  @Allow('account', { fresh: true, unrecorded: 'a mail to oneself; what its link proves is' })
  async askProof(@CurrentContext() context: RequestContext): Promise<void> {
    try {
      await this.proofs.ask(context.who, context.actor);
    } catch (error) {
      return context.refused(error, 'account/invitations', await this.model(context));
    }
    context.redirect(
      pathTo('invitations'),
      context.say('A mail with a link is on its way to your address. Open it in this browser.'),
    );
  }

  @Get('link/:token')
  @Allow('account', { fresh: true })
  async showLink(@CurrentContext() context: RequestContext, @Param('token') token: string): Promise<void> {
    await context.page('account/invitation', await this.linkModel(context, token, await this.isProof(token)));
  }

  @Post('link/:token')
  @Allow('account', { fresh: true })
  async takeLink(@CurrentContext() context: RequestContext, @Param('token') token: string): Promise<void> {
    const isProof = await this.isProof(token);
    const model = await this.linkModel(context, token, isProof);
    try {
      if (!isProof)
        return joined(context, await this.invitations.acceptByLink(context.who, token, context.actor));
      await this.proofs.prove(context.who, token, context.actor);
    } catch (error) {
      return context.refused(error, 'account/invitation', model);
    }
    context.redirect(pathTo('invitations'), context.say('Confirmed: this address is yours.'));
  }

  private async isProof(token: string): Promise<boolean> {
    return (await this.links.look(token))?.kind === 'proof';
  }

  private async linkModel({ who, say, origin }: RequestContext, token: string, isProof: boolean) {
    return isProof
      ? proofView(say, who, token)
      : byLinkView(say, await this.invitations.offered(who, token, origin.ip), token);
  }

  private async model({ who, say }: RequestContext) {
    return invitationsView(say, who, await this.invitations.pending(who), this.proofs.canMail);
  }
}

/** Where one looks stays as it is: nobody is moved to another merchant by being invited. */
function joined(context: RequestContext, invitation: PendingInvitation): void {
  const { say } = context;
  const place = placeIn(say, invitation);
  context.redirect(
    pathTo('account'),
    invitation.merchantName === null
      ? say('You have joined {place}. The menu under your name leads to the operator’s part.', { place })
      : say('You have joined {place}. The menu under your name leads to the merchant.', { place }),
  );
}
