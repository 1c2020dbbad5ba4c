import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../../config/config.types.js';
import { Assets } from '../../platform/pages/assets.js';
import { Views } from '../../platform/pages/views.js';
import { ErrorPages } from '../../platform/problems/error-pages.js';
import type { RefusedRequest } from '../../platform/problems/problem.js';
import { PROBLEM_TYPES } from './problems.types.js';
import { type Heading, placesOf } from './views/places.view.js';
import { withoutMarkdown } from './views/without-markdown.js';

/** Programs ask for these, whatever they say that they accept. */
const FOR_PROGRAMS = /^\/(api|health|metrics|openapi\.json|assets|sandbox\/webhook)(\/|$)/;

/** To people, who have typed it or followed a link: the problem's own words are for who wrote a program. */
const NO_PAGE = {
  text: 'No page is at this address.',
  fix: 'Check the address, or begin at the start page. A program finds the endpoints under /api/v1.',
};

/** The pages of the API's address, in the frame and of the parts that the dashboard has. */
@Injectable()
export class SitePages implements OnModuleInit {
  constructor(
    private readonly views: Views,
    private readonly assets: Assets,
    private readonly errorPages: ErrorPages,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.errorPages.otherwise((request, refusal, traceId) => this.error(request, refusal, traceId));
  }

  get baseUrl(): string {
    return this.config.baseUrl;
  }

  render(
    view: `site/${string}`,
    model: {
      readonly title: string;
      readonly contents?: readonly Heading[];
      readonly [name: string]: unknown;
    },
  ): string {
    const { mode, baseUrl } = this.config;
    const url = (name: string) => this.assets.url(name);
    return this.views.render(view, {
      sandbox: mode === 'sandbox',
      baseUrl,
      assets: {
        tokens: url('rappen.css'),
        css: url('dashboard.css'),
        js: url('site.js'),
        favicon: url('favicon.svg'),
      },
      places: placesOf(view, baseUrl, model.contents),
      ...model,
    });
  }

  private error(request: Request, refusal: RefusedRequest, traceId: string): string | null {
    if (FOR_PROGRAMS.test(request.path)) return null;
    const { title, cause, fix } = PROBLEM_TYPES[refusal.slug];
    const text = refusal.slug === 'internal-error' ? withoutMarkdown(cause) : refusal.detail;
    const words = refusal.slug === 'not-found' ? NO_PAGE : { text, fix: withoutMarkdown(fix) };
    return this.render('site/error', { title, status: refusal.status, ...words, traceId });
  }
}
