import { Post } from '@nestjs/common';
import { safePath } from '../domain/safe-path.js';
import { AllowEverybody, CurrentContext, DashboardController } from '../session/allow.js';
import { DashboardPages } from '../session/pages/dashboard.pages.js';
import { RequestContext } from '../session/request-context.js';

/** The choice of a language, from any page and back to it. */
@DashboardController('language')
export class LanguageController {
  constructor(private readonly pages: DashboardPages) {}

  @Post()
  // Of whoever is signed in their next page tells the account (ADR 70).
  @AllowEverybody({ unrecorded: 'nothing is stored' })
  choose(@CurrentContext() context: RequestContext): void {
    this.pages.languages.keep(context.response, context.form.text('language'));
    context.redirect(safePath(context.form.text('to')));
  }
}
