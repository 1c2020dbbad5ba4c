import { Get, Post, Query } from '@nestjs/common';
import { ForgottenPasswords } from '../../accounts/sign-in/forgotten-passwords.service.js';
import { pathWith } from '../domain/safe-path.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import { AllowEverybody, CurrentContext, DashboardController } from '../session/allow.js';
import { RequestContext } from '../session/request-context.js';
import { SignInPace } from './sign-in-pace.js';

/** A link for a new password, by oneself. */
@DashboardController('forgotten')
export class ForgottenController {
  constructor(
    private readonly forgotten: ForgottenPasswords,
    private readonly pace: SignInPace,
  ) {}

  @Get()
  @AllowEverybody()
  async show(@CurrentContext() context: RequestContext, @Query('asked') asked: unknown): Promise<void> {
    await context.page('sign-in/forgotten', this.view(context.say, '', asked === '1'));
  }

  @Post()
  @AllowEverybody({ unrecorded: 'nobody knows yet who asked; the link that follows is recorded' })
  async ask(@CurrentContext() context: RequestContext): Promise<void> {
    const email = context.form.text('email');
    try {
      await this.pace.keep(context.origin, email);
      await this.forgotten.ask(email, context.origin.ip);
    } catch (error) {
      return context.refused(error, 'sign-in/forgotten', this.view(context.say, email, false));
    }
    context.redirect(pathWith(pathTo('forgotten'), { asked: '1' }));
  }

  private view(say: Say, email: string, isAsked: boolean) {
    const title = isAsked ? say('Look into your mailbox') : say('Password forgotten?');
    return { title, email, isAsked, canMail: this.forgotten.canMail };
  }
}
