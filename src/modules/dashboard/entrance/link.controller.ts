import { Get, Param, Post } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { LinkOffer } from '../../accounts/accounts.types.js';
import { LinksService } from '../../accounts/links.service.js';
import { AllowEverybody, CurrentVisit, DashboardController } from '../door/allow.js';
import { Visit, type PageModel } from '../door/visit.js';

/** Invitations and password resets, by the link that somebody was given. */
@DashboardController('link')
export class LinkController {
  constructor(private readonly links: LinksService) {}

  @Get(':token')
  @AllowEverybody()
  async show(@CurrentVisit() visit: Visit, @Param('token') token: string): Promise<void> {
    await visit.page('entrance/link', linkView(await this.offer(token)));
  }

  @Post(':token')
  @AllowEverybody()
  async take(@CurrentVisit() visit: Visit, @Param('token') token: string): Promise<void> {
    const offer = await this.offer(token);
    try {
      await this.links.take(token, visit.form.raw('password'), visit.origin.address);
    } catch (error) {
      return visit.refused(error, 'entrance/link', linkView(offer));
    }
    visit.redirect('/dashboard/sign-in');
  }

  private async offer(token: string): Promise<LinkOffer> {
    const offer = await this.links.look(token);
    if (!offer) throw new DomainError('not_found', 'not-found', 'This link has been used or is too old.');
    return offer;
  }
}

function linkView(offer: LinkOffer): PageModel {
  const { kind, email, merchantName, role, needsPassword } = offer;
  const where = merchantName === null ? 'as an operator of this service' : `${merchantName} as ${role}`;
  return {
    title: kind === 'reset' ? 'Set a new password' : `Join ${where}`,
    email,
    needsPassword,
    submit: kind === 'reset' ? 'Set the password' : 'Join',
    text: needsPassword
      ? 'Choose a password of at least 12 characters. A sentence is easy to remember and hard to guess.'
      : 'You sign in with the password that you have.',
  };
}
