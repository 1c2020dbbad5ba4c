import { Get, Param, Post } from '@nestjs/common';
import type { LinkOffer } from '../../accounts/accounts.types.js';
import { LinksService } from '../../accounts/sign-in/links.service.js';
import type { Text } from '../language/german/german.js';
import { placeIn } from '../language/roles.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import { AllowEverybody, CurrentContext, DashboardController } from '../session/allow.js';
import { DashboardPages } from '../session/pages/dashboard.pages.js';
import { type PageModel, RequestContext } from '../session/request-context.js';

/** Invitations, password resets and proofs of an address, by the link that somebody was given. */
@DashboardController('oneTimeLink')
export class LinkController {
  constructor(
    private readonly links: LinksService,
    private readonly pages: DashboardPages,
  ) {}

  @Get()
  @AllowEverybody()
  async show(@CurrentContext() context: RequestContext, @Param('token') token: string): Promise<void> {
    await context.page('sign-in/link', linkView(context.say, await this.offer(context, token), token));
  }

  @Post()
  @AllowEverybody()
  async take(@CurrentContext() context: RequestContext, @Param('token') token: string): Promise<void> {
    const offer = await this.offer(context, token);
    try {
      const device = await this.links.take(token, context.form.raw('password'), context.origin);
      this.pages.knowBrowser(context.response, device);
    } catch (error) {
      return context.refused(error, 'sign-in/link', linkView(context.say, offer, token), {
        next: 'password',
      });
    }
    context.redirect(pathTo('signIn'));
  }

  private offer({ origin }: RequestContext, token: string): Promise<LinkOffer> {
    return this.links.offered(token, origin.ip);
  }
}

const TEXTS = {
  password: 'Choose a password of at least 12 characters. A sentence is easy to remember and hard to guess.',
  'sign-in':
    'There is an account of this address. Sign in with it and look at this first; nothing happens before you agree.',
  either:
    'Choose a password of at least 12 characters. A sentence is easy to remember and hard to guess. If you have an account, sign in: the invitation waits for you there.',
} as const satisfies Record<LinkOffer['way'], Text>;

function linkView(say: Say, { kind, email, way, ...place }: LinkOffer, token: string): PageModel {
  const titles = {
    reset: say('Set a new password'),
    proof: say('Confirm your address'),
    invitation: say('Join {place}', { place: placeIn(say, place) }),
  } as const;
  const carriesProof = way === 'sign-in';
  return {
    title: titles[kind],
    email,
    text: say(TEXTS[way]),
    needsPassword: way !== 'sign-in',
    canSignIn: way !== 'password',
    // The link proves the mailbox; one that others have seen proves nothing, so that the list does.
    signInPath: carriesProof ? pathTo('invitationLink', token) : pathTo('invitations'),
    submit: kind === 'reset' ? say('Set the password') : say('Join'),
  };
}
