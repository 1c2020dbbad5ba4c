import { Get, Param, Post } from '@nestjs/common';
import { placeText, type PendingInvitation } from '../../accounts/accounts.types.js';
import { AddressProofs } from '../../accounts/people/address-proofs.service.js';
import { InvitationsService } from '../../accounts/people/invitations.service.js';
import { LinksService } from '../../accounts/sign-in/links.service.js';
import { Allow, CurrentVisit, DashboardController } from '../door/allow.js';
import { Visit } from '../door/visit.js';
import { byLinkView, invitationsView, proofView } from './invitations.view.js';

const PATH = '/dashboard/invitations';

/** What somebody is asked to join, and their answer: nobody else can give it. */
@DashboardController('invitations')
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly proofs: AddressProofs,
    private readonly links: LinksService,
  ) {}

  @Get()
  @Allow('account', { fresh: true })
  async list(@CurrentVisit() visit: Visit): Promise<void> {
    await visit.page('account/invitations', await this.model(visit));
  }

  @Post(':id/accept')
  @Allow('account', { fresh: true })
  async accept(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    try {
      joined(visit, await this.invitations.accept(visit.who, id, visit.actor));
    } catch (error) {
      await visit.refused(error, 'account/invitations', await this.model(visit));
    }
  }

  @Post(':id/decline')
  @Allow('account', { fresh: true })
  async decline(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    await this.invitations.decline(visit.who, id, visit.actor);
    visit.redirect(PATH, 'Declined. Nothing has changed.');
  }

  /** A link to the mailbox, whose holder is the mailbox's. */
  @Post('prove')
  @Allow('account', { fresh: true })
  async askProof(@CurrentVisit() visit: Visit): Promise<void> {
    try {
      await this.proofs.ask(visit.who, visit.actor);
    } catch (error) {
      return visit.refused(error, 'account/invitations', await this.model(visit));
    }
    visit.redirect(PATH, 'A mail with a link is on its way to your address. Open it in this browser.');
  }

  @Get('link/:token')
  @Allow('account', { fresh: true })
  async showLink(@CurrentVisit() visit: Visit, @Param('token') token: string): Promise<void> {
    const isProof = (await this.links.look(token))?.kind === 'proof';
    const model = isProof
      ? proofView(visit.who, token)
      : byLinkView(await this.invitations.offered(visit.who, token), token);
    await visit.page('account/invitation', model);
  }

  @Post('link/:token')
  @Allow('account', { fresh: true })
  async takeLink(@CurrentVisit() visit: Visit, @Param('token') token: string): Promise<void> {
    const isProof = (await this.links.look(token))?.kind === 'proof';
    if (!isProof) return joined(visit, await this.invitations.acceptByLink(visit.who, token, visit.actor));
    await this.proofs.prove(visit.who, token, visit.actor);
    visit.redirect(PATH, 'Confirmed: this address is yours.');
  }

  private async model({ who }: Visit) {
    return invitationsView(who, await this.invitations.pending(who), this.proofs.canMail);
  }
}

/** Where one looks stays as it is: nobody is moved to another merchant by being invited. */
function joined(visit: Visit, invitation: PendingInvitation): void {
  const where = invitation.merchantName === null ? 'the operator’s part' : 'the merchant';
  visit.redirect(
    '/dashboard/account',
    `You have joined ${placeText(invitation)}. The menu under your name leads to ${where}.`,
  );
}
