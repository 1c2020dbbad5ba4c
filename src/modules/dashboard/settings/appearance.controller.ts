import { Get, Post } from '@nestjs/common';
import { AuditLog } from '../../accounts/audit/audit-log.service.js';
import { FacesService } from '../../merchants/faces.service.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import { UnreadForm } from '../domain/form.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { type PageModel, RequestContext } from '../session/request-context.js';
import { appearanceView, typedColor, type TypedFace } from './appearance.view.js';
import { changing } from './changing.js';
import { settingsTabs } from './tabs.js';

/** The merchant's logo and colour (ADR 58). */
@DashboardController('appearance')
export class AppearanceController {
  constructor(
    private readonly merchants: MerchantsService,
    private readonly faces: FacesService,
    private readonly audit: AuditLog,
  ) {}

  @Get()
  @Allow('settings:read')
  async show(@CurrentContext() context: RequestContext): Promise<void> {
    await context.page('settings/appearance', await this.model(context));
  }

  @Post()
  @Allow('settings:manage', { upload: true })
  async save(@CurrentContext() context: RequestContext): Promise<void> {
    const { form, merchantId, actor } = context;
    let typed: TypedFace | null = null;
    try {
      typed = { color: form.text('color'), removes: form.checked('remove') };
      const logo = form.file('logo') ?? (typed.removes ? null : undefined);
      const face = { color: typedColor(typed.color), ...(logo === undefined ? {} : { logo }) };
      await this.faces.set(merchantId, face, this.audit.by(actor));
    } catch (error) {
      // A file that was not read is named by nothing, and there is but one.
      const fields = form instanceof UnreadForm ? 'logo' : {};
      return context.refused(error, 'settings/appearance', await this.model(context, typed), fields);
    }
    context.redirect(
      pathTo('appearance'),
      context.say('Saved. Buyers see it on the next page that they open.'),
    );
  }

  private async model(context: RequestContext, typed: TypedFace | null = null): Promise<PageModel> {
    const merchant = await this.merchants.get(context.merchantId);
    const png = merchant.logo && (await this.faces.logo(merchant.logo.hash));
    return {
      tabs: settingsTabs(context.say, context.who, 'Appearance'),
      ...changing(context, pathTo('appearance')),
      ...appearanceView(context.say, merchant, png, typed),
    };
  }
}
