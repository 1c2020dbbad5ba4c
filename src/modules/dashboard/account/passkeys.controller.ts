import { Get, Param, Post } from '@nestjs/common';
import { visibleText } from '../../../kernel/visible-text.js';
import { PasskeysService } from '../../accounts/second-factors/passkeys.service.js';
import { browserText } from '../domain/browser-text.js';
import { moment } from '../domain/times.js';
import { Allow, CurrentVisit, DashboardController } from '../door/allow.js';
import { Visit, type PageModel } from '../door/visit.js';
import { answerWithCodes } from './recovery-codes.controller.js';

const PATH = '/dashboard/account/passkeys';

/** One's passkeys: add one with the browser's help (public/passkeys.js), remove one. */
@DashboardController('account/passkeys')
export class PasskeysController {
  constructor(private readonly passkeys: PasskeysService) {}

  @Get()
  @Allow('account', { fresh: true })
  async show(@CurrentVisit() visit: Visit): Promise<void> {
    await visit.page('account/passkeys', await this.model(visit));
  }

  /** For the script, which asks only when somebody presses the button: each answer is a challenge that is kept. */
  @Post('options')
  @Allow('account', { fresh: true })
  async options(@CurrentVisit() visit: Visit): Promise<void> {
    visit.response.json(await this.passkeys.creationOptions(visit.who));
  }

  @Post()
  @Allow('account', { fresh: true })
  async add(@CurrentVisit() visit: Visit): Promise<void> {
    const { who, form, actor } = visit;
    let codes: string[] | null;
    try {
      codes = await this.passkeys.add(who, form.raw('credential'), form.text('label'), actor);
    } catch (error) {
      return visit.refused(error, 'account/passkeys', await this.model(visit));
    }
    await answerWithCodes(visit, codes, 'The passkey was added. You keep the recovery codes that you have.');
  }

  @Post(':id/remove')
  @Allow('account', { fresh: true })
  async remove(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<void> {
    await this.passkeys.remove(visit.who, id, visit.actor);
    visit.redirect(PATH, 'The passkey was removed: it opens nothing any more. Delete it on your device too.');
  }

  private async model({ who, form, origin }: Visit): Promise<PageModel> {
    const passkeys = await this.passkeys.list(who.personId);
    return {
      title: 'Passkeys',
      label: form.text('label') || browserText(origin.userAgent),
      passkeys: passkeys.map(({ id, label, createdAt, lastUsedAt }) => ({
        id,
        label: visibleText(label),
        created: moment(createdAt),
        lastUsed: lastUsedAt && moment(lastUsedAt),
      })),
    };
  }
}
