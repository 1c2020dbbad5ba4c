import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.types.js';
import { Assets } from '../assets.js';
import { Views } from '../views.js';

/** The plain pages of the API's address, in the same type and colours as the checkout. */
@Injectable()
export class SitePages {
  constructor(
    private readonly views: Views,
    private readonly assets: Assets,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  get baseUrl(): string {
    return this.config.baseUrl;
  }

  render(
    view: `site/${string}`,
    model: { readonly title: string; readonly [name: string]: unknown },
  ): string {
    const { mode, baseUrl } = this.config;
    const stylesheet = this.assets.url('rappen.css');
    return this.views.render(view, { sandbox: mode === 'sandbox', baseUrl, stylesheet, ...model });
  }
}
