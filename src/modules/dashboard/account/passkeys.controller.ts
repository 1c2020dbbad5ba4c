import { Get, Param, Post } from '@nestjs/common';
import { visibleText } from '../../../kernel/text/visible-text.js';
import type { FactorAdded } from '../../accounts/accounts.types.js';
import { PasskeysService } from '../../accounts/second-factors/passkeys.service.js';
import { browserText } from '../domain/browser-text.js';
import { moment } from '../domain/times.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { type PageModel, RequestContext } from '../session/request-context.js';
import { withEndedInvitations } from './ended-invitations.js';
import { answerWithCodes } from './recovery-codes.controller.js';

/** One's passkeys: add one with the browser's help (public/passkeys.js), remove one. */
@DashboardController('passkeys')
export class PasskeysController {
  constructor(private readonly passkeys: PasskeysService) {}

  @Get()
  @Allow('account', { fresh: true })
  async show(@CurrentContext() context: RequestContext): Promise<void> {
    await context.page('account/passkeys', await this.model(context));
  }

  /** For the script, which asks only when somebody presses the button: each answer is a challenge that is kept. */
  @Post('options')
  @Allow('account', { fresh: true, unrecorded: 'a challenge opens nothing before its answer, which is' })
  async options(@CurrentContext() context: RequestContext): Promise<void> {
    context.response.json(await this.passkeys.creationOptions(context.who));
  }

  @Post()
  @Allow('account', { fresh: true })
  async add(@CurrentContext() context: RequestContext): Promise<void> {
    const { who, form, actor, here } = context;
    let added: FactorAdded;
    try {
      added = await this.passkeys.add(who, form.raw('credential'), form.text('label'), actor, here);
    } catch (error) {
      return context.refused(error, 'account/passkeys', await this.model(context));
    }
    await answerWithCodes(
      context,
      added,
      context.say('The passkey was added. You keep the recovery codes that you have.'),
    );
  }

  @Post(':id/remove')
  @Allow('account', { fresh: true })
  async remove(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const { who, actor, here, say } = context;
    const ended = await this.passkeys.remove(who, id, actor, here);
    const done = say('The passkey was removed: it opens nothing any more. Delete it on your device too.');
    context.redirect(pathTo('passkeys'), withEndedInvitations(say, done, ended));
  }

  private async model({ who, form, origin, say }: RequestContext): Promise<PageModel> {
    const passkeys = await this.passkeys.list(who.personId);
    return {
      title: say('Passkeys'),
      label: form.text('label') || browserText(say, origin.userAgent),
      passkeys: passkeys.map(({ id, label, createdAt, lastUsedAt }) => ({
        id,
        label: visibleText(label),
        created: moment(createdAt),
        lastUsed: lastUsedAt && moment(lastUsedAt),
      })),
    };
  }
}
