import { Injectable } from '@nestjs/common';
import { Assets } from '../../../platform/pages/assets.js';
import { Views } from '../../../platform/pages/views.js';
import type { CheckoutIntent } from '../../intents/checkout.types.js';
import { ScenariosService } from '../scenarios/scenarios.service.js';
import { panelView } from './panel.view.js';

/** Models into HTML. */
@Injectable()
export class PanelPages {
  constructor(
    private readonly views: Views,
    private readonly assets: Assets,
    private readonly scenarios: ScenariosService,
  ) {}

  /** @param refusal why a scenario was not begun */
  panel(intent: CheckoutIntent, refusal: string | null): string {
    const model = panelView(intent, {
      run: this.scenarios.runOf(intent.id),
      refusal,
      courseOf: (name) => this.scenarios.courseOf(name, intent),
      isPlayable: (name) => this.scenarios.refusal(intent, name) === null,
      assets: { css: this.assets.url('rappen.css'), favicon: this.assets.url('favicon.svg') },
    });
    return this.views.render('sandbox/panel', model);
  }
}
